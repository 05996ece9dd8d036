import assert from "node:assert/strict";
import { z } from "zod";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { toMcpTool } from "../../src/mcp/to_mcp_tool.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { passingRun } from "../support/canned_events.ts";
import { fakeRunner } from "../support/fake_runner.ts";
import { InProcessServer } from "../support/in_process_server.ts";

const SNAPSHOT = new URL("./tool_definitions.json", import.meta.url);

Deno.test("toMcpTool() defines the tools exactly as the snapshot has them", async () => {
  const tools = TOOLS.map((tool) => toMcpTool(tool, DEFAULT_SETTINGS));
  const text = `${JSON.stringify(tools, null, 2)}\n`;
  if (Deno.env.get("UPDATE_SNAPSHOTS") === "1") await Deno.writeTextFile(SNAPSHOT, text);
  assert.equal(text, await Deno.readTextFile(SNAPSHOT), "UPDATE_SNAPSHOTS=1 accepts the change");
});

Deno.test("toMcpTool() says each default in words, too, but for those of switches", () => {
  for (const { inputSchema } of TOOLS.map((tool) => toMcpTool(tool, DEFAULT_SETTINGS))) {
    for (const property of Object.values(inputSchema.properties ?? {})) {
      const { default: value, description } = z.looseObject({
        default: z.json().optional(),
        description: z.string(),
      }).parse(property);
      if (value === undefined || value === false) continue;
      assert.ok(description.endsWith(`. Default: ${value}`), description);
    }
  }
});

Deno.test("toMcpTool() shows the limits of the settings", () => {
  const settings = { ...DEFAULT_SETTINGS, maxTimeout: 77, defaultTimeout: 100 };
  const tool = TOOLS.find(({ name }) => name === "execute_tests");
  assert.ok(tool !== undefined);
  const timeout = toMcpTool(tool, settings).inputSchema.properties?.["timeout"];
  assert.match(JSON.stringify(timeout), /"maximum":77/);
});

/** What every host passes to its model unharmed; each other keyword has to be looked up before it comes here. */
const SAFE_KEYWORDS = new Set([
  ...["type", "description", "default", "enum", "anyOf", "properties", "required", "items"],
  ...["additionalProperties", "minItems", "minLength", "minimum", "maximum", "pattern"],
]);

function* keywords(schema: unknown): Generator<readonly [string, unknown]> {
  if (typeof schema !== "object" || schema === null) return;
  for (const [keyword, value] of Object.entries(schema)) {
    yield [keyword, value];
    if (keyword === "properties") {
      for (const property of Object.values(value)) yield* keywords(property);
    } else if (keyword === "anyOf") { for (const each of value) yield* keywords(each); }
    else if (keyword === "items") yield* keywords(value);
  }
}

Deno.test("toMcpTool() uses only what hosts can hand to a model", () => {
  for (const { name, inputSchema } of TOOLS.map((tool) => toMcpTool(tool, DEFAULT_SETTINGS))) {
    for (const [keyword, value] of keywords(inputSchema)) {
      assert.ok(SAFE_KEYWORDS.has(keyword), `${name} has ${keyword}`);
      // llama.cpp takes \w and its like for a broken grammar, and then refuses every tool there is.
      if (keyword === "pattern") assert.doesNotMatch(String(value), /\\[a-z]/i);
    }
    // Codex takes away all descriptions of a larger one.
    assert.ok(JSON.stringify(inputSchema).length <= 4_000, name);
  }
});

Deno.test("toMcpTool() gives a size hint that no result exceeds", () => {
  const hint = (maxResponseChars: number) =>
    TOOLS.map((tool) =>
      toMcpTool(tool, { ...DEFAULT_SETTINGS, maxResponseChars })._meta
        ?.["anthropic/maxResultSizeChars"]
    );
  assert.deepEqual(hint(10_000), [200_000, 200_000]);
  assert.deepEqual(hint(2_000_000), [2_000_000, 2_000_000]);
});

Deno.test("every tool has a title, hints and a result-size hint", () => {
  for (const tool of TOOLS.map((tool) => toMcpTool(tool, DEFAULT_SETTINGS))) {
    assert.ok(tool.title);
    assert.equal(tool.annotations?.openWorldHint, false);
    assert.equal(tool.annotations?.readOnlyHint, tool.name === "discover_tests");
    assert.ok(Number(tool._meta?.["anthropic/maxResultSizeChars"]) > 0);
    assert.equal(tool.inputSchema["additionalProperties"], false);
  }
});

Deno.test("every result matches the outputSchema of its tool", async () => {
  const server = new InProcessServer({ runner: fakeRunner(passingRun(2)) });
  await server.initialize();
  const { result: { tools } } = await server.request("tools/list");
  for (const { name, outputSchema } of tools) {
    const { result } = await server.request("tools/call", { name, arguments: {} });
    z.fromJSONSchema(outputSchema).parse(result.structuredContent);
  }
  await server.close();
});
