import assert from "node:assert/strict";
import { join } from "node:path";
import { PROMPTS } from "../../src/mcp/prompts.ts";
import { listResources } from "../../src/mcp/resources.ts";
import { e2eProject } from "../support/e2e_project.ts";
import { RawServer } from "../support/raw_server.ts";
import { runCli } from "../support/run_cli.ts";

const CANARY = "canary-5f0c2a";

/** Variables as people have them, secret by their name or not: none is anybody's business. */
const SECRETS: Readonly<Record<string, string>> = {
  AWS_SECRET_ACCESS_KEY: CANARY,
  GITHUB_TOKEN: CANARY,
  DATABASE_URL: `postgres://me:${CANARY}@db/x`,
  PYTEST_MCP_SOMETHING: CANARY,
};

const TESTS = `import os, sys, time, warnings
def test_passes(): warnings.warn("careful")
def test_fails():
    number = 1
    assert number == 2
def test_prints():
    print("out"); print("err", file=sys.stderr)
    raise ValueError("wrong")
def test_hangs(): time.sleep(600)
def test_dies(): os.abort()
`;

/** Every way to make the server say something, good and bad. */
function calls(): [method: string, params: object][] {
  const tool = (name: string, args: object) =>
    ["tools/call", { name, arguments: args }] satisfies [string, object];
  return [
    ["tools/list", {}],
    ["resources/list", {}],
    ["prompts/list", {}],
    ["no/such/method", {}],
    ...listResources().resources.map(({ uri }): [string, object] => ["resources/read", { uri }]),
    ...PROMPTS.map(({ name }): [string, object] => ["prompts/get", { name }]),
    ["completion/complete", {
      ref: { type: "ref/prompt", name: PROMPTS[0]?.name },
      argument: { name: "node_id", value: "test_it.py::" },
    }],
    tool("no_such_tool", {}),
    tool("execute_tests", { path: "nowhere", env: { A: "b" } }),
    tool("execute_tests", { node_ids: ["test_it.py::test_unknown"] }),
    ...["lean", "short", "long", "native"].map((traceback) =>
      tool("execute_tests", {
        keywords: "passes or fails or prints",
        traceback,
        verbosity: 2,
        show_locals: true,
        include_json_report: true,
      })
    ),
    tool("execute_tests", { keywords: "dies" }),
    tool("execute_tests", { keywords: "hangs", timeout: 3 }),
    tool("execute_tests", { path: "broken" }),
    tool("discover_tests", {}),
    tool("discover_tests", { view: "tree" }),
    tool("discover_tests", { path: "broken" }),
  ];
}

Deno.test("no answer, log or audit log holds a variable of the server's environment", async () => {
  await using project = await e2eProject({
    files: { "test_it.py": TESTS, "broken/conftest.py": "import no_such_module\n" },
  });
  const { root } = project;
  const auditLog = join(root, "audit.jsonl");
  const flags = ["--log-level", "debug"];
  const server = new RawServer({ root, flags, auditLog, env: SECRETS });
  await server.initialize();
  for (const [method, params] of calls()) await server.request(method, params);
  for (const garbage of ["{", "[]", '"x"', '{"jsonrpc":"2.0","id":[],"method":"x"}']) {
    await server.raw(`${garbage}\n`);
  }
  await server.request("ping");
  const { stderr } = await server.close();
  const everything = [JSON.stringify(server.messages), stderr, await Deno.readTextFile(auditLog)];
  assert.match(everything.join(""), /test_fails[^]*"interpreter"/);
  for (const text of everything) {
    for (const name of Object.keys(SECRETS)) assert.ok(!text.includes(name), name);
    assert.ok(!text.includes(CANARY));
  }
});

Deno.test("no answer holds a variable of the environment when no interpreter can be started", async () => {
  await using project = await e2eProject({
    files: {
      ".venv/bin/python": "#!/bin/sh\necho broken >&2\nexit 3\n",
      ".venv/Scripts/python.exe": "",
    },
    environment: null,
  });
  if (Deno.build.os !== "windows") await Deno.chmod(join(project.root, ".venv/bin/python"), 0o755);
  const flags = ["--log-level", "debug"];
  const server = new RawServer({ root: project.root, flags, env: SECRETS });
  await server.initialize();
  const { error } = await server.call("execute_tests");
  assert.equal(error?.data.error_type, "spawn_failure");
  const { stderr } = await server.close();
  assert.ok(!(JSON.stringify(server.messages) + stderr).includes(CANARY));
});

for (const args of [["doctor"], ["doctor", "--json"], ["config", "claude-code"], ["--help"]]) {
  Deno.test(`pytest-mcp ${args.join(" ")} shows no variable of the environment`, async () => {
    await using project = await e2eProject({ files: { "test_it.py": TESTS } });
    const { stdout, stderr } = await runCli(args, { cwd: project.root, env: SECRETS });
    assert.ok(stdout.length > 100);
    assert.ok(!(stdout + stderr).includes(CANARY));
  });
}
