import assert from "node:assert/strict";
import { parseDiscoverParams } from "../../src/domain/discover_params.ts";
import { parseExecuteParams } from "../../src/domain/execute_params.ts";
import { buildDiscoverArgs, buildPytestArgs, pasteableArgs } from "../../src/domain/pytest_args.ts";
import type { PytestRequest } from "../../src/domain/pytest_runner.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { memoryFiles } from "../support/memory_files.ts";

const files = memoryFiles({
  "tests": "directory",
  "tests/a.py": "file",
  "tests/unit": "directory",
  "tests/unit/b.py": "file",
  "tests/br[0]/c.py": "file",
  "we::ird.py": "file",
  "z.py": "file",
});
const options = { settings: DEFAULT_SETTINGS, files };

function request(input: Record<string, unknown>): PytestRequest {
  const outcome = parseExecuteParams(input, options);
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return buildPytestArgs(outcome.result);
}

const BASE = ["--continue-on-collection-errors"];
const LEAN = [...BASE, "--no-summary", "--tb=native", "--color=no"];

const COV = (...flags: string[]) => [...LEAN, ...flags];

/** Every parameter with its effect on argv: none is accepted and then ignored. */
const ARGS: [Record<string, unknown>, string[]][] = [
  [{}, LEAN],
  [{ parallel: "auto" }, [...LEAN, "--numprocesses=auto"]],
  [{ parallel: 4 }, [...LEAN, "--numprocesses=4"]],
  [{ last_failed: true }, [...LEAN, "--last-failed"]],
  [{ failed_first: true }, [...LEAN, "--failed-first"]],
  [{ coverage: {} }, COV("--cov", "--cov-report=")],
  [
    { coverage: { paths: ["tests", "tests/a.py", "z.py"], branch: true, fail_under: 80 } },
    COV(
      ...["--cov-reset", "--cov=tests", "--cov=.", "--cov-report=", "--cov-branch"],
      "--cov-fail-under=0",
    ),
  ],
  [{ verbosity: -2 }, LEAN],
  [{ verbosity: 1 }, [...BASE, "--tb=native", "--color=no"]],
  [{ verbosity: 2 }, [...BASE, "-vv", "--color=no"]],
  [{ traceback: "short" }, [...BASE, "--no-summary", "--tb=short", "--color=no"]],
  [{ traceback: "long", verbosity: 2 }, [...BASE, "-vv", "--tb=long", "--color=no"]],
  [{ show_locals: true }, [...BASE, "--no-summary", "--tb=native", "--showlocals", "--color=no"]],
  [{ show_capture: true }, [
    ...BASE,
    "--no-summary",
    "--tb=native",
    "--show-capture=all",
    "--color=no",
  ]],
  [{ show_capture: false }, [
    ...BASE,
    "--no-summary",
    "--tb=native",
    "--show-capture=no",
    "--color=no",
  ]],
  [{ color: true }, [...BASE, "--no-summary", "--tb=native", "--color=yes"]],
  [{ include_json_report: true }, [...BASE, "--no-summary", "--tb=short", "--color=no"]],
  [{ failfast: true }, [...LEAN, "-x"]],
  [{ maxfail: 3 }, [...LEAN, "--maxfail=3"]],
  [{ pattern: "check_*.py" }, [...LEAN, "-o", "python_files=check_*.py"]],
  [{ markers: "-x or slow" }, [...LEAN, "-m=-x or slow"]],
  [{ keywords: "--pdb" }, [...LEAN, "-k=--pdb"]],
  [{ markers: "" }, [...LEAN, "-m="]],
  [{ keywords: "--" }, [...LEAN, "-k= --"]],
  [{ path: "tests" }, [...LEAN, "tests"]],
];

Deno.test("buildPytestArgs() gives every parameter its flag", () => {
  for (const [input, args] of ARGS) assert.deepEqual(request(input).args, args);
});

Deno.test("buildPytestArgs() turns node ids into files to collect and ids to keep", () => {
  const node_ids = ["tests/a.py::test_x[a::b]", "tests/a.py::T::test_y", "z.py"];
  const { args, select, targets } = request({ node_ids });
  assert.deepEqual(args, [...LEAN, "tests/a.py", "z.py"]);
  assert.deepEqual(select, node_ids);
  assert.deepEqual(targets, ["tests/a.py", "z.py"]);
});

Deno.test("buildPytestArgs() drops files that a directory argument covers", () => {
  const { args } = request({ node_ids: ["tests/unit/b.py::t", "tests/a.py", "tests", "z.py"] });
  assert.deepEqual(args, [...LEAN, "tests", "z.py"]);
  assert.deepEqual(request({ node_ids: ["tests/unit", "."] }).args, [...LEAN, "."]);
});

Deno.test("buildPytestArgs() collects from above a path that pytest would misread", () => {
  const bracket = request({ node_ids: ["tests/br[0]/c.py::test_x"] });
  assert.deepEqual(bracket.args, [...LEAN, "tests"]);
  assert.deepEqual(bracket.select, ["tests/br[0]/c.py::test_x"]);
  const colons = request({ path: "we::ird.py" });
  assert.deepEqual(colons.args, [...LEAN, "."]);
  assert.deepEqual(colons.select, ["we::ird.py"]);
});

Deno.test("buildPytestArgs() asks the plugin for what the flags cannot give", () => {
  const none = {
    items: false,
    locals: false,
    text: false,
    hideTerminalTracebacks: false,
    json: false,
  };
  assert.deepEqual(request({}).report, none);
  assert.deepEqual(request({ show_locals: true }).report, { ...none, locals: true });
  assert.deepEqual(request({ traceback: "native" }).report, { ...none, text: true });
  assert.deepEqual(request({ verbosity: 1 }).report, { ...none, hideTerminalTracebacks: true });
  assert.deepEqual(request({ include_json_report: true }).report, { ...none, json: true });
  assert.equal(request({ timeout: 7 }).timeoutSeconds, 7);
});

Deno.test("buildDiscoverArgs() collects only, with the same selection", () => {
  const outcome = parseDiscoverParams(
    { path: "tests", pattern: "t?.py", markers: "a", keywords: "b" },
    options,
  );
  assert.ok(outcome.ok);
  const { args, select, report } = buildDiscoverArgs(outcome.result);
  assert.deepEqual(args, [
    "--collect-only",
    "-q",
    "-o",
    "python_files=t?.py",
    "-m=a",
    "-k=b",
    "tests",
  ]);
  assert.deepEqual(select, ["tests"]);
  assert.equal(report.items, true);
});

Deno.test("pasteableArgs() names the tests where the session filters them", () => {
  const node_ids = ["tests/a.py::test_x", "tests/a.py::test_y"];
  assert.deepEqual(pasteableArgs(request({ node_ids })), [...LEAN, ...node_ids]);
  assert.deepEqual(pasteableArgs(request({ path: "tests" })), [...LEAN, "tests"]);
});
