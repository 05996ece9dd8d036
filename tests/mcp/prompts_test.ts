import assert from "node:assert/strict";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { INSTRUCTIONS } from "../../src/mcp/instructions.ts";
import { getPrompt, listPrompts, PROMPTS } from "../../src/mcp/prompts.ts";
import { toMcpTool } from "../../src/mcp/to_mcp_tool.ts";
import { TOOLS } from "../../src/mcp/tools.ts";

function get(name: string, args?: Record<string, string>): string {
  const params = { name, ...(args === undefined ? {} : { arguments: args }) };
  const { messages: [message] } = getPrompt({ method: "prompts/get", params });
  assert.ok(message?.role === "user" && message.content.type === "text");
  return message.content.text;
}

Deno.test("listPrompts() shows the four workflows with their arguments", () => {
  assert.deepEqual(
    listPrompts().prompts.map(({ name, arguments: args }) => [
      name,
      args?.map((argument) => `${argument.name}${argument.required ? "" : "?"}`),
    ]),
    [
      ["tdd_cycle", ["feature"]],
      ["fix_failing_tests", ["path?"]],
      ["validate_before_commit", []],
      ["diagnose_failure", ["node_id"]],
    ],
  );
});

Deno.test("getPrompt() puts the arguments where the agent needs them", () => {
  assert.match(get("tdd_cycle", { feature: "log in by mail" }), /^Develop .*: log in by mail\n/);
  assert.match(get("fix_failing_tests", { path: "tests/unit" }), /with path: "tests\/unit"/);
  assert.doesNotMatch(get("fix_failing_tests"), /undefined|with path/);
  assert.match(
    get("diagnose_failure", { node_id: 'tests/test_x.py::test_y["a"]' }),
    /node_ids: \["tests\/test_x.py::test_y\[\\"a\\"\]"\]/,
  );
  assert.match(get("validate_before_commit"), /READY or NOT READY/);
});

Deno.test("getPrompt() takes a blank argument for one that is missing", () => {
  for (const path of ["", " "]) {
    assert.equal(get("fix_failing_tests", { path }), get("fix_failing_tests"));
  }
});

Deno.test("getPrompt() says which argument is missing", () => {
  assert.throws(() => get("tdd_cycle"), {
    message: "The prompt tdd_cycle needs the argument feature",
  });
  assert.throws(() => get("diagnose_failure", { node_id: " " }), /needs the argument node_id/);
});

Deno.test("getPrompt() names what is known when a prompt or an argument is not", () => {
  assert.throws(() => get("nothing"), /Unknown prompt: "nothing".*tdd_cycle/);
  assert.throws(() => get("tdd_cycle", { feature: "x", path: "y" }), /Unknown argument: "path"/);
  assert.throws(() => get("validate_before_commit", { path: "y" }), {
    message: 'The prompt validate_before_commit takes no arguments, received "path"',
  });
});

Deno.test("every prompt and the instructions name only tools and parameters that exist", () => {
  const texts = PROMPTS.map((prompt) => prompt.render({ feature: "f", path: "p", node_id: "n" }));
  const parameters = new Set(
    TOOLS.flatMap((tool) =>
      Object.keys(toMcpTool(tool, DEFAULT_SETTINGS).inputSchema.properties ?? {})
    ),
  );
  for (const text of [...texts, INSTRUCTIONS]) {
    for (const [name] of text.matchAll(/\b(execute|discover|run|list)_\w+/g)) {
      assert.ok(["execute_tests", "discover_tests"].includes(name), name);
    }
    for (const [, name = ""] of text.matchAll(/\b([a-z_]+): (?=true|["[]|\d+[,;)])/g)) {
      assert.ok(parameters.has(name), name);
    }
  }
});

Deno.test("INSTRUCTIONS fit into 1,200 characters", () => {
  assert.ok(INSTRUCTIONS.length <= 1_200, String(INSTRUCTIONS.length));
});
