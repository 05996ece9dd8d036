/**
 * The official conformance package against the server, over a bridge from HTTP, because the package
 * speaks nothing else.
 *
 * @module
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { e2eProject } from "../support/e2e_project.ts";
import { serverCommand, serverEnvironment } from "../support/server_command.ts";
import { EXPECTED_FAILURES, FOREIGN_SCENARIOS } from "./conformance_expected_failures.ts";

const PACKAGE = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";
const BRIDGE = fileURLToPath(new URL("../support/http_bridge.ts", import.meta.url));

const checksSchema = z.array(z.object({ id: z.string(), status: z.string() }));

/** A bridge that runs until it is disposed. */
async function startBridge(root: string): Promise<AsyncDisposable & { url: string }> {
  const server = serverCommand({ flags: ["--no-prewarm"] });
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-net=127.0.0.1", "--allow-run", BRIDGE, root, ...server],
    cwd: root,
    env: serverEnvironment(),
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value: url = "" } = await reader.read();
  return {
    url: url.trim(),
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await child.status;
      await reader.cancel();
    },
  };
}

/** Runs everything that a version requires; returns the checks that failed, by scenario. */
async function runConformance(version: string, url: string): Promise<Map<string, Set<string>>> {
  const directory = await Deno.makeTempDir();
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-lock", "--no-config", PACKAGE, "server"].concat(
      ["--url", url, "--requirements", version, "--output-dir", directory],
    ),
    cwd: directory,
    stdin: "null",
  }).output();
  const failed = new Map<string, Set<string>>();
  let scenarios = 0;
  for await (const { name } of Deno.readDir(directory)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1];
    if (scenario === undefined) continue;
    scenarios++;
    const text = await Deno.readTextFile(`${directory}/${name}/checks.json`);
    const checks = checksSchema.parse(JSON.parse(text));
    const ids = checks.filter(({ status }) => status === "FAILURE").map(({ id }) => id);
    failed.set(scenario, new Set(ids));
  }
  const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.ok(scenarios >= 30, `only ${scenarios} scenarios ran: ${said.slice(-2_000)}`);
  await Deno.remove(directory, { recursive: true });
  return failed;
}

for (const version of ["2025-11-25", "2026-07-28"]) {
  Deno.test(`the conformance package finds in ${version} what is expected, and nothing else`, async () => {
    await using project = await e2eProject({ fixture: "sample" });
    await using bridge = await startBridge(project.root);
    const failed = await runConformance(version, bridge.url);
    const unexpected: string[] = [];
    for (const [scenario, ids] of failed) {
      if (Object.keys(FOREIGN_SCENARIOS).some((prefix) => scenario.startsWith(prefix))) continue;
      const expected = EXPECTED_FAILURES[scenario] ?? {};
      for (const id of ids) if (!(id in expected)) unexpected.push(`${scenario}: ${id} fails`);
      for (const [id, { sometimes }] of Object.entries(expected)) {
        if (!sometimes && !ids.has(id)) unexpected.push(`${scenario}: ${id} passes`);
      }
    }
    assert.deepEqual(unexpected, []);
  });
}
