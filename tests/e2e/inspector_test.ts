/**
 * The MCP Inspector's command line, as people use it to look at a server.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { e2eProject } from "../support/e2e_project.ts";
import { serverCommand, serverEnvironment } from "../support/server_command.ts";

const PACKAGE = "@modelcontextprotocol/inspector@2.12.0";
const NPX = Deno.build.os === "windows" ? "npx.cmd" : "npx";

/** The Inspector needs Node: without it there is nothing to test. */
function hasNpx(): boolean {
  try {
    return new Deno.Command(NPX, { args: ["--version"], stdin: "null" }).outputSync().success;
  } catch {
    return false;
  }
}

// deno-lint-ignore no-explicit-any -- each method answers in its own shape
type Answer = any;

Deno.test({
  name: "the Inspector lists and calls tools, and lists resources and prompts",
  ignore: !hasNpx(),
  fn: async () => {
    await using project = await e2eProject({ fixture: "sample" });
    await using directory = await e2eProject({ environment: null });
    const config = join(directory.root, "mcp.json");
    const [command, ...args] = serverCommand();
    const pytest = { command, args, cwd: project.root, env: serverEnvironment() };
    await Deno.writeTextFile(config, JSON.stringify({ mcpServers: { pytest } }));

    async function inspect(...method: string[]): Promise<{ answer: Answer; stderr: string }> {
      const { code, stdout, stderr } = await new Deno.Command(NPX, {
        args: ["--yes", PACKAGE, "--cli", "--config", config, "--server", "pytest", "--method"]
          .concat(method),
        cwd: directory.root,
        env: { MCP_INSPECTOR_SECRET_STORE: "memory" },
        stdin: "null",
      }).output();
      const errors = new TextDecoder().decode(stderr);
      assert.equal(code, 0, errors);
      return { answer: JSON.parse(new TextDecoder().decode(stdout)), stderr: errors };
    }

    const { answer: { tools }, stderr } = await inspect("tools/list", "--strict");
    assert.deepEqual(tools.map((tool: Answer) => tool.name), ["execute_tests", "discover_tests"]);
    assert.doesNotMatch(stderr, /Path: inputSchema/, "a client may not understand the parameters");

    const call = ["tools/call", "--tool-name", "execute_tests", "--tool-arg"];
    const { answer: run } = await inspect(...call, "path=tests", "failfast=true");
    assert.equal(run.structuredContent.exit_code, 1);
    assert.equal(run.structuredContent.summary.failed, 1);
    assert.deepEqual(JSON.parse(run.content[0].text), run.structuredContent);

    const { answer: { resources } } = await inspect("resources/list");
    assert.equal(resources.length, 3);
    const { answer: { contents } } = await inspect("resources/read", "--uri", "pytest://markers");
    assert.match(contents[0].text, /parametrize/);

    const { answer: { prompts } } = await inspect("prompts/list");
    assert.equal(prompts.length, 4);
  },
});
