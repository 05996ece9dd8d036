import assert from "node:assert/strict";
import type { ExecuteResult } from "../../src/domain/execute_result.ts";
import { e2eProject } from "../support/e2e_project.ts";
import { environment } from "../support/environments.ts";
import { runProject } from "../support/run_project.ts";

const TESTS = `import pytest
def half(number):
    rest = number % 2
    assert rest == 0
    return number // 2
def test_odd():
    print("to stdout")
    half(3)
@pytest.mark.slow
def test_even(): assert half(4) == 2
def test_other(): assert False, "other"
`;

const FILES = {
  "test_it.py": TESTS,
  "pytest.ini": "[pytest]\nmarkers = slow\naddopts = -p no:randomly\n",
};

interface Effect {
  readonly params: Record<string, unknown>;
  /** what the parameter does that the run without it does not */
  readonly seen: (result: ExecuteResult) => boolean;
}

const traceback = ({ tests }: ExecuteResult) => tests[0]?.traceback ?? "";

/** Every parameter that shows in the result of a real run. */
const EFFECTS: readonly Effect[] = [
  { params: { node_ids: ["test_it.py::test_even"] }, seen: ({ summary }) => summary.total === 1 },
  { params: { markers: "slow" }, seen: ({ summary }) => summary.deselected === 2 },
  { params: { keywords: "not even" }, seen: ({ summary }) => summary.deselected === 1 },
  { params: { pattern: "check_*.py" }, seen: ({ exit_code }) => exit_code === 5 },
  { params: { failfast: true }, seen: ({ summary }) => summary.not_run === 2 },
  { params: { maxfail: 1 }, seen: ({ summary }) => summary.not_run === 2 },
  { params: { verbosity: 1 }, seen: ({ tests }) => tests.length === 3 },
  {
    params: { verbosity: 2 },
    seen: ({ text_output }) => /E +assert 1 == 0/.test(text_output ?? ""),
  },
  { params: { verbosity: -1 }, seen: (result) => !traceback(result).includes("to stdout") },
  { params: { verbosity: -2 }, seen: (result) => traceback(result).split("\n").length === 1 },
  { params: { show_capture: false }, seen: (result) => !traceback(result).includes("to stdout") },
  {
    params: { traceback: "long" },
    seen: (result) => traceback(result).includes("def half(number):"),
  },
  {
    params: { traceback: "short" },
    seen: (result) => /test_it\.py:4: in half/.test(traceback(result)),
  },
  {
    params: { traceback: "native" },
    seen: (result) => traceback(result).includes("Traceback (most"),
  },
  { params: { show_locals: true }, seen: (result) => /rest = 1/.test(traceback(result)) },
  {
    params: { verbosity: 2, color: true },
    seen: ({ text_output }) => (text_output ?? "").includes("\u001b["),
  },
  {
    params: { include_json_report: true },
    seen: ({ json_report }) => json_report !== null && "summary" in json_report,
  },
];

Deno.test("every parameter of execute_tests has an effect in a real run", async () => {
  const { python } = await environment("rich");
  await using files = await e2eProject({ files: FILES });
  const run = async (params: Record<string, unknown>) => {
    // Room for pytest-json-report, which takes thousands of characters for three tests.
    const settings = { maxResponseChars: 100_000 };
    const { outcome } = await runProject({ root: files.root, python, params, settings });
    assert(outcome.ok, JSON.stringify(outcome));
    return outcome.result;
  };
  const without = await run({});
  for (const { params, seen } of EFFECTS) {
    assert(!seen(without), `${JSON.stringify(params)} shows without being asked for`);
    const result = await run(params);
    assert(seen(result), `${JSON.stringify(params)}: ${JSON.stringify(result)}`);
  }
});

Deno.test("json_report is null where the project has no pytest-json-report", async () => {
  const { python } = await environment("pytest9");
  await using files = await e2eProject({ files: { "test_it.py": "def test_it(): pass\n" } });
  const params = { include_json_report: true };
  const { outcome } = await runProject({ root: files.root, python, params });
  assert(outcome.ok);
  assert.equal(outcome.result.json_report, null);
});
