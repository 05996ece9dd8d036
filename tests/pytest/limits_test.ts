import assert from "node:assert/strict";
import { type Limits, whyNoLimits } from "../../src/pytest/limits.ts";
import { e2eProject } from "../support/e2e_project.ts";
import { environment } from "../support/environments.ts";
import { runProject } from "../support/run_project.ts";
import { survivors } from "../support/survivors.ts";

const linux = Deno.build.os === "linux";
const isRoot = linux && Deno.uid() === 0;

async function runLimited(limits: Limits, test: string) {
  const { python } = await environment("pytest9");
  await using project = await e2eProject({ files: { "test_it.py": test }, environment: null });
  const run = await runProject({ root: project.root, python, limits });
  assert.deepEqual(await survivors(run.mark), []);
  return run.outcome;
}

Deno.test({
  name: "a test that takes more memory than --max-memory fails, and the run goes on",
  ignore: !linux,
  async fn() {
    const outcome = await runLimited(
      { memoryMegabytes: 512 },
      "def test_much():\n    bytearray(10**10)\ndef test_little():\n    bytearray(10**6)\n",
    );
    assert.ok(outcome.ok);
    const { summary, tests } = outcome.result;
    assert.deepEqual([summary.passed, summary.failed], [1, 1]);
    assert.match(tests[0]?.message ?? "", /^MemoryError/);
  },
});

Deno.test({
  name: "a test that computes longer than --max-cpu-seconds is named, and its run is over",
  ignore: Deno.build.os === "windows",
  async fn() {
    const outcome = await runLimited(
      { cpuSeconds: 3 },
      "def test_quick(): pass\ndef test_busy():\n    while True: pass\n",
    );
    assert.ok(!outcome.ok && outcome.failure.kind === "execution_failure");
    const { data, message } = outcome.failure;
    assert.deepEqual([data.error_type, data.signal], ["crash", "SIGXCPU"]);
    assert.deepEqual([data.summary.passed, data.running], [1, ["test_it.py::test_busy"]]);
    assert.match(message, /--max-cpu-seconds/);
  },
});

const FORKS = `import os, time
def test_forks():
    for _ in range(5): assert os.fork() or time.sleep(60)
    try:
        os.fork() or time.sleep(60)
    except BlockingIOError:
        return
    assert False
`;

Deno.test({
  name: "a test cannot start more than --max-processes",
  ignore: !linux || isRoot,
  async fn() {
    const outcome = await runLimited({ processes: 5 }, FORKS);
    assert.ok(outcome.ok, JSON.stringify(outcome));
    assert.equal(outcome.result.summary.passed, 1);
  },
});

Deno.test({
  name: "--max-processes is an error where the kernel would not hold it: for root",
  ignore: !isRoot,
  async fn() {
    const outcome = await runLimited({ processes: 5 }, "def test_it(): pass\n");
    assert.ok(!outcome.ok && outcome.failure.kind === "execution_failure");
    assert.equal(outcome.failure.data.error_type, "spawn_failure");
    assert.match(outcome.failure.message, /limits cannot be set: .*root.*without the --max-/s);
  },
});

Deno.test("whyNoLimits() names the limits that a system does not hold", () => {
  assert.equal(whyNoLimits({}, "windows"), null);
  assert.match(whyNoLimits({ cpuSeconds: 1 }, "windows") ?? "", /Windows/);
  assert.match(whyNoLimits({ memoryMegabytes: 1 }, "darwin") ?? "", /macOS .* --max-memory/);
  assert.equal(whyNoLimits({ memoryMegabytes: 1, processes: 1 }, "linux"), null);
});
