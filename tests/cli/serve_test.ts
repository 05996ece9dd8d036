import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { e2eProject } from "../support/e2e_project.ts";
import { environment } from "../support/environments.ts";
import { cliCommand, PROJECTS, runCli } from "../support/run_cli.ts";
import { runInTerminal } from "../support/run_in_terminal.ts";
import { MARK, survivors } from "../support/survivors.ts";

const { python } = await environment("pytest9");
const SLOW = join(PROJECTS, "slow");
const onPosix = { ignore: Deno.build.os === "windows" };

const HELLO = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
];

Deno.test("serve tells a person at a terminal what it waits for", onPosix, async () => {
  const { code, stdout } = await runInTerminal([], {
    cwd: SLOW,
    python,
    columns: 200,
    interruptAt: "--help",
  });
  assert.equal(code, 0, stdout);
  assert.match(
    stdout,
    /^pytest-mcp waits for an MCP client on stdin; Ctrl-D ends it\. .*--help\.\r\n/,
  );
});

/** A server in the middle of a test that would run for an hour; `end` is to make it stop. */
async function endWhileRunning(
  end: (server: Deno.ChildProcess, stdin: WritableStreamDefaultWriter) => void,
): Promise<void> {
  const mark = crypto.randomUUID();
  const [program = "", ...args] = cliCommand(["--python", python], { cwd: SLOW, python });
  const server = new Deno.Command(program, {
    args,
    cwd: SLOW,
    env: { [MARK]: mark, VIRTUAL_ENV: "", CONDA_PREFIX: "" },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const stdin = server.stdin.getWriter();
  const call = {
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "execute_tests", arguments: {}, _meta: { progressToken: "p" } },
  };
  for (const message of [...HELLO, call]) {
    await stdin.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  }
  let hangs = false;
  for await (const line of readLines(server.stdout)) {
    // Its name may never come: a report has to tell of more tests that have finished than the one before.
    if (hangs || !line.includes('"progress":2')) continue;
    hangs = true;
    end(server, stdin);
  }
  assert.ok(hangs, "the tests before the one that waits never finished");
  const { code, signal } = await server.status;
  assert.deepEqual({ code, signal }, { code: 0, signal: null });
  assert.deepEqual(await survivors(mark), []);
  await stdin.close().catch(() => {});
}

Deno.test("serve exits 0 and leaves no child when stdin closes during a run", async () => {
  await endWhileRunning((_, stdin) => void stdin.close());
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  Deno.test({
    name: `serve exits 0 and leaves no child on ${signal} during a run`,
    ignore: Deno.build.os === "windows",
    fn: () => endWhileRunning((server) => server.kill(signal)),
  });
}

Deno.test("serve exits 0 without a word when nobody speaks to it", async () => {
  assert.deepEqual(await runCli([], { cwd: SLOW, python }), { code: 0, stdout: "", stderr: "" });
});

/** Calls execute_tests once; gives what the server wrote to stderr. */
async function stderrOfCall(
  flags: readonly string[],
  { cwd, parameters }: { cwd: string; parameters: Record<string, unknown> },
): Promise<string> {
  const [program = "", ...args] = cliCommand(["--python", python, ...flags], { cwd, python });
  const server = new Deno.Command(program, {
    args,
    cwd,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stdin = server.stdin.getWriter();
  const call = {
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "execute_tests", arguments: parameters },
  };
  for (const message of [...HELLO, call]) {
    await stdin.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  }
  const stderr = new Response(server.stderr).text();
  for await (const line of readLines(server.stdout)) {
    if (JSON.parse(line).id === 2) await stdin.close();
  }
  assert.equal((await server.status).code, 0);
  return await stderr;
}

Deno.test("serve writes the audit log to stderr when it is named -", async () => {
  const stderr = await stderrOfCall(["--audit-log", "-"], {
    cwd: SLOW,
    parameters: { nothing: 1 },
  });
  const { tool, parameters, error } = JSON.parse(stderr);
  assert.deepEqual([tool, parameters, error], [
    "execute_tests",
    { nothing: 1 },
    "invalid_parameters",
  ]);
});

Deno.test("serve logs what our plugin could not do, because no result shows it", async () => {
  const source = "import builtins\n" +
    "def test_it(monkeypatch):\n    monkeypatch.setattr(builtins, 'round', None)\n    assert 0\n";
  await using project = await e2eProject({ files: { "test_it.py": source }, environment: null });
  const { level, message, error } = JSON.parse(
    await stderrOfCall([], { cwd: project.root, parameters: {} }),
  );
  assert.deepEqual([level, message], ["warn", "plugin error"]);
  assert.match(error, /^logreport: TypeError: /);
});

/** Calls once with the audit log on a stderr that cannot be written; `spoil` makes it so. */
async function callWithoutStderr(
  wrapper: readonly string[],
  spoil: (server: Deno.ChildProcess) => Promise<void>,
): Promise<void> {
  const flags = ["--python", python, "--audit-log", "-"];
  const [program = "", ...args] = [...wrapper, ...cliCommand(flags, { cwd: SLOW, python })];
  const server = new Deno.Command(program, {
    args,
    cwd: SLOW,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await spoil(server);
  const stdin = server.stdin.getWriter();
  const call = {
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "discover_tests", arguments: {} },
  };
  for (const message of [...HELLO, call]) {
    await stdin.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  }
  let count: unknown;
  for await (const line of readLines(server.stdout)) {
    const { id, result } = JSON.parse(line);
    if (id !== 2) continue;
    count = result?.structuredContent.count;
    await stdin.close();
  }
  await stdin.close().catch(() => {});
  assert.deepEqual([count, (await server.status).code], [4, 0]);
}

Deno.test("serve answers and lives on when nobody reads the stderr of its audit log", async () => {
  await callWithoutStderr([], (server) => server.stderr.cancel());
});

Deno.test({
  name: "serve answers when the stderr of its audit log is full",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    callWithoutStderr(
      ["sh", "-c", 'exec "$@" 2>/dev/full', "sh"],
      async (server) => {
        assert.equal(await new Response(server.stderr).text(), "");
      },
    ),
});

Deno.test("serve answers a wrong command line with one line and exit code 2", async () => {
  const wrong: [string[], RegExp][] = [
    [["--frobnicate"], /^pytest-mcp: Unknown option '--frobnicate' \(see pytest-mcp --help\)$/],
    [["serve", "here"], /^pytest-mcp: Unexpected argument 'here' /],
    [["surf"], /^pytest-mcp: Unknown command 'surf': the commands are serve, run, /],
    [["--timeout", "soon"], /^pytest-mcp: --timeout must be an integer of at least 1/],
    [["--root", "nowhere"], /^pytest-mcp: Cannot use .*nowhere as the root: it does not exist/],
    [["--audit-log", "a.jsonl"], /^pytest-mcp: Cannot open the audit log 'a\.jsonl': Deno may not/],
  ];
  for (const [args, message] of wrong) {
    const { code, stdout, stderr } = await runCli(args, { cwd: SLOW });
    assert.equal(code, 2, args.join(" "));
    assert.equal(stdout, "");
    assert.match(stderr.trimEnd(), message);
    assert.equal(stderr.indexOf("\n"), stderr.length - 1, stderr);
  }
});

Deno.test("--help and --version answer without looking at the project", async () => {
  const version = await runCli(["--version"], { cwd: SLOW });
  assert.match(version.stdout, /^pytest-mcp \d+\.\d+\.\d+\n$/);
  const help = await runCli(["--help"], { cwd: SLOW });
  assert.match(help.stdout, /\nFlags of serve:\n {2}--root DIR /);
  for (const command of ["serve", "run", "discover", "doctor", "config"]) {
    const { code, stdout, stderr } = await runCli([command, "--help"], { cwd: SLOW });
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, new RegExp(`^pytest-mcp \\[?${command}`));
  }
});

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

Deno.test("serve loads nothing before initialize that only a run needs", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", fileURLToPath(new URL("../../main.ts", import.meta.url))],
  }).output();
  const { modules }: { modules: Module[] } = JSON.parse(new TextDecoder().decode(stdout));
  const byName = new Map(modules.map((module) => [module.specifier, module]));
  const loaded = new Set(
    ["cli/serve.ts", "mcp/serve.ts"].map((path) =>
      new URL(`../../src/${path}`, import.meta.url).href
    ),
  );
  // a set visits what is added to it on the way
  for (const name of loaded) {
    for (const { code, isDynamic } of byName.get(name)?.dependencies ?? []) {
      if (code?.specifier !== undefined && isDynamic !== true) loaded.add(code.specifier);
    }
  }
  assert.ok(loaded.size > 20);
  const late =
    /^node:|\/(python_sources|pytest_process|pytest_event|call_tool|list_tools|resources)\.ts$/;
  assert.deepEqual([...loaded].filter((name) => late.test(name)), []);
});

/** As `deno info` describes it. */
interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly code?: { readonly specifier?: string };
    readonly isDynamic?: boolean;
  }[];
}
