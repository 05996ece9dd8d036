import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseExecuteParams } from "../../src/domain/execute_params.ts";
import { executeTests } from "../../src/domain/execute_tests.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { openProjectFiles } from "../../src/pytest/deno_project_files.ts";
import { createPytestRunner, type PytestRunnerOptions } from "../../src/pytest/pytest_process.ts";
import { chosenEnvironments, environment } from "../support/environments.ts";

const PROJECT = fileURLToPath(new URL("../../fixtures/probe", import.meta.url));

type Facts = Record<string, unknown> & { modules: string[]; argv: string[]; invocation: string[] };

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
  assert.equal(warm, options.prewarm, "the process that was started ahead has served the run");
  return outcome.result;
}

/** Ours are in the list by design; whatever else a project could see must be named here, with its reason. */
const OUR_ARGUMENTS = ["-p", "pytest_mcp_plugin"];
const ALLOWED_MODULES = [
  /^pytest_mcp_/, // our own, under a name that no project has
  // of the standard library: what the supervisor and our plugin need before pytest starts
  /^(json|mmap|queue|_queue|runpy|select|fcntl|difflib|faulthandler|signal|_json|heapq|_heapq)\b/,
  /^(pkgutil|zipimport|linecache|reprlib|sysconfig|_sysconfigdata.*|ctypes|_ctypes)\b/,
];
/** Imported ahead of a request by a warm worker: the standard library and pytest itself, nothing else. */
const WARM_MODULES = [...ALLOWED_MODULES, /^_?pytest\b/];

if (Deno.build.os !== "windows") {
  for (const name of chosenEnvironments()) {
    Deno.test(`a test sees what it would see in a bare run with ${name}`, async () => {
      const { python } = await environment(name);
      const expected = await bare(python);
      for (const prewarm of [false, true]) {
        const seen = await ours(python, prewarm);
        const stdlib = await standardLibrary(python);
        const extra = seen.modules.filter((module) => !expected.modules.includes(module));
        const allowed = prewarm ? WARM_MODULES : ALLOWED_MODULES;
        const strange = extra.filter((module) =>
          !allowed.some((pattern) => pattern.test(module)) &&
          !(prewarm && stdlib.has(module.split(".")[0] ?? ""))
        );
        assert.deepEqual(strange, [], "modules");
        assert.deepEqual(comparable(seen), comparable(expected), prewarm ? "warm" : "cold");
      }
    });
  }
}

/** Everything but what differs by design. */
function comparable({ modules: _, ...facts }: Facts): Record<string, unknown> {
  const without = (args: unknown) =>
    Array.isArray(args) ? args.filter((arg) => !OUR_ARGUMENTS.includes(arg)) : args;
  return {
    ...facts,
    argv: without(facts.argv),
    orig_argv: without(facts["orig_argv"]),
    invocation: without(facts.invocation),
  };
}

async function standardLibrary(python: string): Promise<Set<string>> {
  const code = "import sys; print(*getattr(sys, 'stdlib_module_names', []))";
  const { stdout } = await new Deno.Command(python, { args: ["-c", code] }).output();
  return new Set(new TextDecoder().decode(stdout).split(/\s+/));
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
