/**
 * Every row of the contract's table of errors, brought about for real and seen by a real client.
 *
 * @module
 */
import { Client, ProtocolError } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { environmentPython } from "../../src/pytest/python_layout.ts";
import { e2eProject, type E2eProjectOptions } from "../support/e2e_project.ts";
import { serverCommand, serverEnvironment } from "../support/server_command.ts";

const IS_WINDOWS = Deno.build.os === "windows";

/** An error as the client got it. */
interface SeenError {
  readonly code: number;
  readonly message: string;
  // deno-lint-ignore no-explicit-any -- each row has its own data
  readonly data: any;
}

const EXECUTION_KEYS = [
  "error_type",
  "exit_code",
  "signal",
  "timeout_exceeded",
  "stdout",
  "stderr",
  "command",
  "duration",
  "collection_errors",
  "summary",
  "tests",
  "running",
].sort();

/** close() of the client leaves a timer of two seconds behind. */
const OF_THE_CLIENT = { sanitizeOps: false, sanitizeResources: false };

interface Started {
  readonly root: string;
  readonly command?: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

async function withClient(started: Started, run: (client: Client) => Promise<void>): Promise<void> {
  const [command, ...args] = started.command ?? serverCommand();
  const client = new Client({ name: "test", version: "1" }, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  const env = { ...serverEnvironment(), ...started.env };
  await client.connect(
    new StdioClientTransport({ command, args, cwd: started.root, env, stderr: "inherit" }),
  );
  try {
    await run(client);
  } finally {
    await client.close();
  }
}

async function failing(
  client: Client,
  args: Record<string, unknown> = {},
  name = "execute_tests",
): Promise<SeenError> {
  try {
    const result = await client.callTool({ name, arguments: args });
    assert.fail(`there was no error: ${JSON.stringify(result)}`);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    assert.ok(error.message.length > 0 && error.message.length < 4_000);
    return { code: error.code, message: error.message, data: error.data };
  }
}

/** Runs one call that must fail in a project of its own. */
function row(
  name: string,
  project: E2eProjectOptions,
  check: (call: (args?: Record<string, unknown>) => Promise<SeenError>) => Promise<void>,
): void {
  Deno.test(name, OF_THE_CLIENT, async () => {
    await using made = await e2eProject(project);
    await withClient(made, (client) => check((args) => failing(client, args)));
  });
}

function assertExecution({ code, data }: SeenError, expected: Record<string, unknown>): void {
  assert.deepEqual(Object.keys(data).sort(), EXECUTION_KEYS);
  assert.equal(code, expected["error_type"] === "usage_error" ? -32602 : -32000);
  for (const [key, value] of Object.entries(expected)) assert.deepEqual(data[key], value, key);
}

row(
  "parameters that do not validate: -32602, all of them named",
  { fixture: "passing" },
  async (call) => {
    const { code, message, data } = await call({ verbosity: 3, nothing: [1], markers: "a and" });
    assert.equal(code, -32602);
    assert.equal(data.field, data.validation_errors[0].field);
    assert.equal(data.received_value, data.validation_errors[0].received_value);
    assert.equal(typeof data.detail, "string");
    const fields = data.validation_errors.map((issue: { field: string }) => issue.field);
    assert.deepEqual(fields.sort(), ["markers", "nothing", "verbosity"]);
    for (const issue of data.validation_errors) {
      assert.deepEqual(Object.keys(issue).sort(), ["field", "message", "received_value", "type"]);
    }
    for (const field of fields) assert.ok(message.includes(field), message);
  },
);

row(
  "a node id that collection does not know: -32602, with the nearest",
  { fixture: "passing" },
  async (call) => {
    const error = await call({ node_ids: ["test_arithmetic.py::test_aditon"] });
    assertExecution(error, { error_type: "usage_error", exit_code: 4, timeout_exceeded: false });
    assert.match(error.message, /test_aditon/);
    assert.match(error.message, /test_addition/);
  },
);

/** A file for the request, and one test. */
const SMALL = { "notes.md": "no tests\n", "test_a.py": "def test_a(): pass\n" };

/** Requests that only pytest can refuse, and what the message must say. */
const REFUSED: [string, Record<string, unknown>, RegExp][] = [
  ["a file without tests", { path: "notes.md" }, /notes\.md/],
  [
    "a keyword with parameters",
    { keywords: "device(serial='x')" },
    /keywords \(-k\): Keyword expressions do not support call parameters/,
  ],
  [
    "an expression that no Python can read",
    { keywords: `${"(".repeat(900)}a${")".repeat(900)}` },
    /keywords \(-k\): nested too deeply/,
  ],
];

for (const [what, args, said] of REFUSED) {
  row(`${what}: -32602 usage_error`, { files: SMALL }, async (call) => {
    const error = await call(args);
    assertExecution(error, { error_type: "usage_error", exit_code: 4, collection_errors: [] });
    assert.match(error.message, said);
  });
}

row(
  "a conftest that speaks of the request: -32000 project_error all the same",
  {
    files: {
      ...SMALL,
      "conftest.py":
        "import pytest\n\ndef pytest_collection_modifyitems(items):\n    raise pytest.UsageError('test_a.py needs DB_URL')\n",
    },
  },
  async (call) => {
    const error = await call({ path: "test_a.py" });
    assertExecution(error, { error_type: "project_error", exit_code: 4 });
    assert.match(error.message, /needs DB_URL/);
    assert.equal(error.data.collection_errors[0].file, "conftest.py");
    assert.equal(error.data.collection_errors[0].line, 4);
  },
);

row(
  "a conftest that does not load: -32000 project_error",
  { fixture: "broken_conftest" },
  async (call) => {
    const error = await call();
    assertExecution(error, { error_type: "project_error", exit_code: 4 });
    assert.match(error.message, /no_such_module_at_the_root/);
    assert.equal(error.data.collection_errors[0].file, "conftest.py");
  },
);

const RAISE_USAGE = "    raise pytest.UsageError('needs DB_URL')\n";

/** Projects that pytest does not start with: [what is wrong, its file, its text, what is said, the file that is named] */
const UNSTARTABLE: [string, string, string, RegExp, string][] = [
  ["an unknown flag", "pytest.ini", "addopts = --no-such-flag", /--no-such-flag/, "pytest.ini"],
  ["a plugin that is required", "pytest.ini", "required_plugins = pytest-nope", /pytest-nope/, ""],
  [
    "a version that is required",
    "pytest.ini",
    "minversion = 99",
    /requires pytest-99/,
    "pytest.ini",
  ],
  ["an unknown directory", "pytest.ini", "addopts = nowhere", /nowhere/, "pytest.ini"],
  ["an unknown key", "pytest.ini", "addopts = --strict-config\nnokey = 1", /nokey/, "pytest.ini"],
  [
    "a conftest that refuses in pytest_configure",
    "conftest.py",
    `import pytest\n\ndef pytest_configure(config):\n${RAISE_USAGE}`,
    /needs DB_URL/,
    "",
  ],
  [
    "a conftest that refuses in pytest_sessionstart",
    "conftest.py",
    `import pytest\n\ndef pytest_sessionstart(session):\n${RAISE_USAGE}`,
    /needs DB_URL/,
    "",
  ],
];

for (const [what, file, text, said, named] of UNSTARTABLE) {
  const content = file === "pytest.ini" ? `[pytest]\n${text}\n` : text;
  row(`${what}: -32000 project_error`, { files: { ...SMALL, [file]: content } }, async (call) => {
    const error = await call();
    assertExecution(error, { error_type: "project_error", exit_code: 4 });
    assert.match(error.message, said);
    assert.doesNotMatch(error.message, /does not load/);
    const [entry, ...others] = error.data.collection_errors;
    assert.deepEqual(others, []);
    assert.equal(entry.error_type, "UsageError");
    assert.equal(entry.file, named);
    assert.equal(entry.line, null);
    assert.match(entry.message, said);
    assert.match(entry.traceback, said);
  });
}

row(
  "pytest.exit(): -32000 interrupted, with what ran before",
  { fixture: "interrupted" },
  async (call) => {
    const error = await call();
    assertExecution(error, { error_type: "interrupted", exit_code: 2 });
    assert.match(error.message, /the database is gone/);
    assert.equal(error.data.summary.passed, 1);
  },
);

row(
  "pytest.exit() before the session: -32000 interrupted",
  {
    files: {
      "conftest.py":
        "import pytest\n\ndef pytest_configure(config):\n    pytest.exit('no database', returncode=7)\n",
      "test_a.py": "def test_a(): pass\n",
    },
  },
  async (call) => {
    const error = await call();
    assertExecution(error, { error_type: "interrupted", exit_code: 7 });
    assert.match(error.message, /no database/);
  },
);

row(
  "a hook that breaks: -32000 pytest_internal",
  {
    files: {
      "conftest.py":
        "def pytest_runtest_logreport(report):\n    raise RuntimeError('broken hook')\n",
      "test_a.py": "def test_a():\n    pass\n",
    },
  },
  async (call) => {
    const error = await call();
    assertExecution(error, { error_type: "pytest_internal", exit_code: 3 });
    assert.match(error.message, /broken hook/);
  },
);

row(
  "any other exit code: -32000 unknown",
  {
    files: {
      "conftest.py": "def pytest_sessionfinish(session):\n    session.exitstatus = 77\n",
      "test_a.py": "def test_a():\n    pass\n",
    },
  },
  async (call) => {
    const error = await call();
    assertExecution(error, { error_type: "unknown", exit_code: 77 });
    assert.match(error.message, /77/);
  },
);

row(
  "an exit code that comes after the session's end: -32000 unknown, with all results",
  {
    files: {
      "conftest.py": "import os\n\ndef pytest_unconfigure(config):\n    os._exit(7)\n",
      "test_a.py": "def test_a():\n    pass\n",
    },
  },
  async (call) => {
    const error = await call();
    assertExecution(error, { error_type: "unknown", exit_code: 7 });
    assert.equal(error.data.summary.passed, 1);
  },
);

row(
  "an exception after the session's end: -32000 crash, with all results and what raised",
  {
    files: {
      "conftest.py": "def pytest_unconfigure(config):\n    raise RuntimeError('too late')\n",
      "test_a.py": "def test_a():\n    pass\n",
    },
  },
  async (call) => {
    const error = await call();
    assertExecution(error, { error_type: "crash", exit_code: 1, signal: null });
    assert.match(error.message, /RuntimeError: too late/);
    assert.equal(error.data.summary.passed, 1);
  },
);

row(
  "a signal: -32000 crash, with the test that was running",
  { fixture: "crashing" },
  async (call) => {
    const error = await call();
    assertExecution(error, {
      error_type: "crash",
      ...(IS_WINDOWS ? {} : { exit_code: null, signal: "SIGABRT" }),
      running: ["test_crashing.py::test_aborts"],
    });
    if (!IS_WINDOWS) assert.match(error.message, /SIGABRT/);
    assert.match(error.message, /test_crashing.py::test_aborts/);
    assert.equal(error.data.summary.passed, 1);
    assert.equal(error.data.tests[0].node_id, "test_crashing.py::test_fails_before");
  },
);

row("gone with exit code 0: -32000 crash all the same", { fixture: "exiting" }, async (call) => {
  const error = await call();
  assertExecution(error, {
    error_type: "crash",
    signal: null,
    running: ["test_exiting.py::test_leaves_with_success"],
  });
});

row(
  "a timeout: -32000 timeout, with the test that hung and its stack",
  { fixture: "slow" },
  async (call) => {
    const error = await call({ timeout: 8 });
    assertExecution(error, {
      error_type: "timeout",
      timeout_exceeded: true,
      running: ["test_slow.py::test_waits_for_an_hour"],
    });
    assert.match(error.message, /^pytest execution exceeded timeout of 8 seconds/);
    assert.match(error.message, /test_waits_for_an_hour/);
    assert.match(error.message, /wait_for_the_server/);
    assert.equal(error.data.summary.failed, 1);
  },
);

Deno.test(
  "no interpreter: -32000 spawn_failure, with what was tried and how to fix it",
  OF_THE_CLIENT,
  async () => {
    await using project = await e2eProject({ fixture: "passing", environment: null });
    await withClient({ ...project, env: { PATH: "/nowhere" } }, async (client) => {
      const error = await failing(client);
      assertExecution(error, { error_type: "spawn_failure", exit_code: null, duration: 0 });
      assert.match(error.message, /python3/);
      assert.match(error.message, /--python|virtual environment|\.venv/);
    });
  },
);

row(
  "an interpreter without pytest: -32000 spawn_failure, with how to install it",
  { fixture: "passing", environment: "bare" },
  async (call) => {
    const error = await call();
    assertExecution(error, { error_type: "spawn_failure" });
    assert.match(error.message, /pytest is not installed/);
    assert.match(error.message, /pip install pytest/);
  },
);

Deno.test(
  "an interpreter that Deno may not start: -32000 spawn_failure, with the flag",
  OF_THE_CLIENT,
  async () => {
    await using project = await e2eProject({ fixture: "passing" });
    await using elsewhere = await e2eProject();
    const platform = IS_WINDOWS ? "windows" : "posix";
    const python = environmentPython(join(elsewhere.root, ".venv"), platform);
    const command = serverCommand({ flags: ["--python", python] });
    await withClient({ ...project, command }, async (client) => {
      const error = await failing(client);
      assertExecution(error, { error_type: "spawn_failure" });
      assert.ok(error.message.includes("--allow-run"), error.message);
      assert.ok(error.message.includes(python), error.message);
    });
  },
);

Deno.test("more runs than may wait: -32000 busy", OF_THE_CLIENT, async () => {
  await using project = await e2eProject({ fixture: "slow" });
  const command = serverCommand({ flags: ["--max-concurrent-runs", "1"] });
  await withClient({ ...project, command }, async (client) => {
    const stop = new AbortController();
    const call = { name: "execute_tests", arguments: {} };
    const running = Array.from(
      { length: 150 },
      () => client.callTool(call, { signal: stop.signal }).catch((error) => error),
    );
    const error = await Promise.race(running);
    assert.ok(error instanceof ProtocolError);
    const { code, message, data } = error;
    assertExecution({ code, message, data }, { error_type: "busy", exit_code: null });
    assert.match(message, /wait|again/);
    stop.abort();
    await Promise.all(running);
  });
});

for (const showStacks of [false, true]) {
  Deno.test(
    `a bug of ours: -32603, ${showStacks ? "with" : "without"} its stack`,
    OF_THE_CLIENT,
    async () => {
      await using project = await e2eProject({ environment: null });
      const script = fileURLToPath(new URL("../support/buggy_server.ts", import.meta.url));
      const command = [
        Deno.execPath(),
        "run",
        "--quiet",
        script,
        ...(showStacks ? ["--show-stacks"] : []),
      ] as const;
      await withClient({ ...project, command: [...command] }, async (client) => {
        const { code, message, data } = await failing(client);
        assert.equal(code, -32603);
        assert.equal(data.detail, "TypeError: runs out of luck");
        assert.match(message, /pytest-mcp.*runs out of luck/);
        assert.equal(JSON.stringify(data).includes("buggy_server.ts"), showStacks);
      });
    },
  );
}

Deno.test("an unknown tool: -32602, with the known ones", OF_THE_CLIENT, async () => {
  await using project = await e2eProject({ environment: null });
  await withClient(project, async (client) => {
    const { code, data } = await failing(client, {}, "run_tests");
    assert.equal(code, -32602);
    assert.deepEqual(data.known_tools, ["execute_tests", "discover_tests"]);
    assert.equal(typeof data.detail, "string");
  });
});
