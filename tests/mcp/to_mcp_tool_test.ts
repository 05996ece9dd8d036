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

Deno.test("toMcpTool() shows the limits of the settings", () => {
  const settings = { ...DEFAULT_SETTINGS, maxTimeout: 77, defaultTimeout: 100 };
  const tool = TOOLS.find(({ name }) => name === "execute_tests");
  assert.ok(tool !== undefined);
  const timeout = toMcpTool(tool, settings).inputSchema.properties?.["timeout"];
  assert.match(JSON.stringify(timeout), /"maximum":77/);
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
