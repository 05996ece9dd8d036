/**
 * The real clients, old and new, against the real server and a real pytest.
 *
 * @module
 */
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client";
// The package names the types of this file only without its extension.
// @ts-types="@modelcontextprotocol/sdk/client/stdio"
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import assert from "node:assert/strict";
import { executeResultSchema } from "../../src/domain/execute_result.ts";
import { LEGACY_VERSIONS } from "../../src/mcp/protocol_version.ts";
import { e2eProject } from "../support/e2e_project.ts";
import { serverCommand, serverEnvironment } from "../support/server_command.ts";

const INFO = { name: "test", version: "1" };

function stdio(root: string) {
  const [command, ...args] = serverCommand();
  return { command, args, cwd: root, env: serverEnvironment(), stderr: "inherit" as const };
}

/** The 1.x client asks for its newest version only; this asks for another one. */
class PinnedLegacyTransport extends LegacyTransport {
  version = "";

  override send(message: Parameters<LegacyTransport["send"]>[0]): Promise<void> {
    if (!("method" in message) || message.method !== "initialize") return super.send(message);
    const params = { ...message.params, protocolVersion: this.version };
    return super.send({ ...message, params });
  }
}

/** What both clients can do alike. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(
    params: { name: string; arguments?: Record<string, string> },
  ): Promise<{ messages: unknown[] }>;
  complete(params: {
    ref: { type: "ref/prompt"; name: string };
    argument: { name: string; value: string };
  }): Promise<{ completion: { values: string[] } }>;
  getInstructions(): string | undefined;
}

async function useEverything(client: AnyClient): Promise<void> {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), ["execute_tests", "discover_tests"]);
  assert.match(client.getInstructions() ?? "", /discover_tests/);

  const run = await client.callTool({ name: "execute_tests", arguments: {} });
  assert.ok(typeof run === "object" && run !== null && "structuredContent" in run);
  const result = executeResultSchema.parse(run.structuredContent);
  assert.equal(result.exit_code, 1);
  assert.equal(result.summary.failed, 1);
  assert.match(result.tests[0]?.node_id ?? "", /test_code_in_small_letters_works_too/);

  const { resources } = await client.listResources();
  assert.equal(resources.length, 3);
  const { contents } = await client.readResource({ uri: "pytest://environment" });
  assert.match(JSON.stringify(contents), /pytest/);

  const { prompts } = await client.listPrompts();
  assert.equal(prompts.length, 4);
  const name = "fix_failing_tests";
  const { messages } = await client.getPrompt({ name, arguments: { path: "tests" } });
  assert.match(JSON.stringify(messages), /tests/);
  const { completion } = await client.complete({
    ref: { type: "ref/prompt", name },
    argument: { name: "path", value: "te" },
  });
  assert.deepEqual(completion.values, ["tests/"]);
  const { completion: tests } = await client.complete({
    ref: { type: "ref/prompt", name: "diagnose_failure" },
    argument: { name: "node_id", value: "tests/test_basket.py::TestDiscount::test_code_in" },
  });
  assert.deepEqual(tests.values, [
    "tests/test_basket.py::TestDiscount::test_code_in_small_letters_works_too",
  ]);

  await assert.rejects(
    client.callTool({ name: "execute_tests", arguments: { path: "nowhere" } }),
    (error: { code?: number; message: string; data?: { field?: string } }) => {
      assert.equal(error.code, -32602);
      assert.match(error.message, /Path not found/);
      assert.equal(error.data?.field, "path");
      return true;
    },
  );
}

/** close() of both clients leaves a timer of two seconds behind, with which it would kill a server that stays. */
const OF_THE_CLIENT = { sanitizeOps: false, sanitizeResources: false };

for (const version of LEGACY_VERSIONS) {
  Deno.test(`the 1.x client gets everything in ${version}`, OF_THE_CLIENT, async () => {
    await using project = await e2eProject({ fixture: "sample" });
    const transport = new PinnedLegacyTransport(stdio(project.root));
    transport.version = version;
    const client = new LegacyClient(INFO);
    await client.connect(transport);
    await useEverything(client);
    await client.ping();
    await client.close();
  });
}

for (const version of LEGACY_VERSIONS) {
  Deno.test(`the 2.x client gets everything in ${version}`, OF_THE_CLIENT, async () => {
    await using project = await e2eProject({ fixture: "sample" });
    const client = new ModernClient(INFO, {
      versionNegotiation: { mode: "legacy" },
      supportedProtocolVersions: [version],
    });
    await client.connect(new ModernTransport(stdio(project.root)));
    assert.equal(client.getNegotiatedProtocolVersion(), version);
    await useEverything(client);
    await client.ping();
    await client.close();
  });
}

const MODES = {
  "2026-07-28": { mode: { pin: "2026-07-28" } },
  auto: { mode: "auto" },
  legacy: { mode: "legacy" },
} as const;

for (const [name, versionNegotiation] of Object.entries(MODES)) {
  Deno.test(`the 2.x client gets everything in mode ${name}`, OF_THE_CLIENT, async () => {
    await using project = await e2eProject({ fixture: "sample" });
    const client = new ModernClient(INFO, { versionNegotiation });
    await client.connect(new ModernTransport(stdio(project.root)));
    assert.equal(client.getProtocolEra(), name === "legacy" ? "legacy" : "modern");
    await useEverything(client);
    await client.close();
  });
}
