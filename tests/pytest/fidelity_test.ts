import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseExecuteParams } from "../../src/domain/execute_params.ts";
import { executeTests } from "../../src/domain/execute_tests.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { openProjectFiles } from "../../src/pytest/deno_project_files.ts";
import { createPytestRunner, type PytestRunnerOptions } from "../../src/pytest/pytest_process.ts";
import { chosenEnvironments, environment } from "../support/environments.ts";

const PROJECT = fileURLToPath(new URL("../../fixtures/probe", import.meta.url));

type Facts = Record<string, unknown> & {
  /** what is loaded when the project comes to run */
  modules: string[];
  /** imports by the project: the name, what is loaded then, and the names in it */
  library: [string, string[], string[]][];
  argv: string[];
  invocation: string[];
};

/** `run` gives the number of warnings, and what else it has to say. */
async function probe(
  run: (env: Record<string, string>) => Promise<{ warnings: number; said: unknown }>,
): Promise<Facts> {
  const file = await Deno.makeTempFile({ prefix: "pytest-mcp-probe-" });
  try {
    const { warnings, said } = await run({ PYTEST_MCP_PROBE: file });
    const text = await Deno.readTextFile(file);
    assert(text !== "", `the probe did not run: ${JSON.stringify(said)}`);
    return { ...JSON.parse(text.replaceAll(file, "PROBE")), warnings };
  } finally {
    await Deno.remove(file);
  }
}

function bare(python: string): Promise<Facts> {
  // As an agent's shell would start it, with the flags that our run has by design.
  const args = ["-m", "pytest", "--continue-on-collection-errors", "--no-summary", "--tb=native"];
  return probe(async (env) => {
    const command = new Deno.Command(python, {
      args: [...args, "--color=no"],
      cwd: PROJECT,
      stdin: "null",
      env,
    });
    const { stdout } = await command.output();
    const said = new TextDecoder().decode(stdout);
    return { warnings: Number(/(\d+) warnings?/.exec(said)?.[1] ?? 0), said };
  });
}

function ours(python: string, prewarm: boolean): Promise<Facts> {
  return probe(async (environment) => {
    const said = await execute({ root: PROJECT, python, prewarm, environment });
    // pytest warns of plugins that were imported before it could rewrite their assertions.
    return { warnings: said.summary.warnings, said };
  });
}

/** Runs all tests of a project; when this resolves, the process has left too. */
async function execute(options: PytestRunnerOptions) {
  const files = openProjectFiles(options.root);
  let warm = false;
  const overhear: PytestRunnerOptions["overhear"] = ({ event }) => warm ||= event === "accepted";
  await using runner = createPytestRunner({ ...options, root: files.root, overhear });
  runner.prepare();
  const params = parseExecuteParams({}, { settings: DEFAULT_SETTINGS, files });
  assert(params.ok);
  const { signal } = new AbortController();
  const context = { runner, files, settings: DEFAULT_SETTINGS, signal };
  const outcome = await executeTests(params.result, context);
  assert(outcome.ok, JSON.stringify(outcome));
  assert.equal(warm, options.prewarm, "served by the process that was started ahead");
  return outcome.result;
}

/** Ours are in the list by design; whatever else a project could see must be named here, with its reason. */
const OUR_ARGUMENTS = ["-p", "pytest_mcp_plugin"];
const ALLOWED_MODULES = [
  /^pytest_mcp_/, // our own, under a name that no project has
  /^_sysconfigdata_/, // of sysconfig, which we use: under such a name, too
];

if (Deno.build.os !== "windows") {
  for (const name of chosenEnvironments()) {
    Deno.test(`a test sees what it would see in a bare run with ${name}`, async () => {
      const { python } = await environment(name);
      const expected = await bare(python);
      for (const prewarm of [false, true]) {
        const seen = await ours(python, prewarm);
        assert.deepEqual(comparable(seen), comparable(expected), prewarm ? "warm" : "cold");
      }
    });
  }
}

/** Everything but what differs by design. */
function comparable({ modules, library, ...facts }: Facts): Record<string, unknown> {
  const without = (args: unknown) =>
    Array.isArray(args) ? args.filter((arg) => !OUR_ARGUMENTS.includes(arg)) : args;
  return {
    ...facts,
    modules: modules.filter(isTheirs),
    library: library.map(([name, modules, names]) => [name, modules.filter(isTheirs), names]),
    argv: without(facts.argv),
    orig_argv: without(facts["orig_argv"]),
    invocation: without(facts.invocation),
  };
}

function isTheirs(module: string): boolean {
  return !ALLOWED_MODULES.some((pattern) => pattern.test(module));
}

/** Modules of a project under names of the standard library, and where pytest is to find them. */
const NAMESAKES = [
  { path: "queue.py" },
  { path: "mmap.py" },
  { path: "sysconfig.py" },
  { path: "src/queue.py", ini: "pythonpath = src" },
  { path: "src/mmap.py", ini: "pythonpath = src" },
  { path: "src/sysconfig.py", ini: "pythonpath = src" },
  { path: "src/timeit.py", ini: "pythonpath = src" },
  { path: "tests/configparser.py" },
  { path: "tests/ssl.py" },
  { path: "tests/ssl.py", first: "import asyncio" },
];

for (const { path, ini = "", first = "" } of NAMESAKES) {
  for (const prewarm of Deno.build.os === "windows" ? [] : [false, true]) {
    const what = first === "" ? path : `${path} after ${first}`;
    Deno.test(`a test imports what it would import in a bare run, ${prewarm ? "warm" : "cold"}: ${what}`, async () => {
      const { python } = await environment("pytest9");
      const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "pytest-mcp-namesake-" }));
      try {
        await Deno.mkdir(join(root, "src"));
        await Deno.mkdir(join(root, "tests"));
        await Deno.writeTextFile(join(root, "pytest.ini"), `[pytest]\n${ini}\n`);
        await Deno.writeTextFile(join(root, path), "own = True\n");
        await Deno.writeTextFile(join(root, "conftest.py"), `${first}\n`);
        const name = basename(path, ".py");
        const test = `from ${name} import own\ndef test_it(): pass\n`;
        await Deno.writeTextFile(join(root, "tests/test_it.py"), test);
        const args = ["-m", "pytest", "--continue-on-collection-errors"];
        const bare = await new Deno.Command(python, { args, cwd: root }).output();
        const { exit_code } = await execute({ root, python, prewarm });
        assert.equal(exit_code, bare.code);
        assert.equal(bare.code === 0, first === "");
      } finally {
        await Deno.remove(root, { recursive: true });
      }
    });
  }
}

const MEASURED = "def choose(flag):\n    if flag:\n        return 1\n    return 2\n";
const MEASURING = "import measured\n\ndef test_it():\n    assert measured.choose(True) == 1\n";

Deno.test("coverage that starts with Python measures the same lines, cold and warm", {
  ignore: !chosenEnvironments().includes("rich"),
}, async () => {
  const { python } = await environment("rich");
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "pytest-mcp-coverage-" }));
  try {
    await Deno.writeTextFile(join(root, "measured.py"), MEASURED);
    await Deno.writeTextFile(join(root, "test_it.py"), MEASURING);
    const settings = join(root, "coverage.ini");
    await Deno.writeTextFile(settings, "[run]\nbranch = true\ninclude = measured.py\n");
    const environment = { COVERAGE_PROCESS_START: settings };
    for (const prewarm of [false, true]) {
      await execute({ root, python, prewarm, environment });
      const args = ["-m", "coverage", "report", "--format=total"];
      const { stdout } = await new Deno.Command(python, { args, cwd: root }).output();
      assert.equal(new TextDecoder().decode(stdout).trim(), "67", prewarm ? "warm" : "cold");
      await Deno.remove(join(root, ".coverage"));
    }
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
