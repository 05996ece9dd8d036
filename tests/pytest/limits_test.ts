import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type Limits, whyNoLimits } from "../../src/pytest/limits.ts";
import { e2eProject } from "../support/e2e_project.ts";
import { environment } from "../support/environments.ts";
import { runProject } from "../support/run_project.ts";
import { succeeds } from "../support/succeeds.ts";
import { survivors } from "../support/survivors.ts";

const linux = Deno.build.os === "linux";
const isRoot = linux && Deno.uid() === 0;

async function runLimited(limits: Limits, test: string, params = {}) {
  const { python } = await environment("pytest9");
  await using project = await e2eProject({ files: { "test_it.py": test }, environment: null });
  const run = await runProject({ root: project.root, python, params, limits });
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

const LIFTS = `import resource, subprocess, sys
RAISE = """
import resource
for which in resource.RLIMIT_AS, resource.RLIMIT_CPU:
    soft, hard = resource.getrlimit(which)
    resource.setrlimit(which, (hard, hard))
    for amounts in (soft, hard + 1), (-1, -1):
        try:
            resource.setrlimit(which, amounts)
        except ValueError:
            continue
        raise SystemExit("lifted: %d" % which)
"""
def test_lifts():
    exec(RAISE)
    bytearray(800 << 20)
def test_lifts_in_a_program():
    subprocess.run([sys.executable, "-c", RAISE + "bytearray(800 << 20)"], check=True)
def test_still_has_what_is_its_own():
    bytearray(10**6)
`;

Deno.test({
  name: "a test cannot raise its limits, nor can a program that it starts",
  ignore: !linux,
  async fn() {
    const outcome = await runLimited({ memoryMegabytes: 512, cpuSeconds: 60 }, LIFTS);
    assert.ok(outcome.ok, JSON.stringify(outcome));
    const { summary, tests } = outcome.result;
    assert.deepEqual([summary.passed, summary.failed], [1, 2]);
    assert.match(tests[0]?.message ?? "", /^MemoryError/);
    assert.match(JSON.stringify(tests[1]), /CalledProcessError.*MemoryError/);
  },
});

const CAPABILITIES = `import limits
assert limits.apply({"cpu_seconds": 60}) is None
for line in open("/proc/self/status"):
    if line.startswith("Cap"):
        assert not int(line.split()[1], 16) & 1 << limits.CAP_SYS_RESOURCE, line
`;
/** Makes its program root, with every capability, in a namespace of its own. */
const AS_ROOT = ["--user", "--map-root-user", "--"];

Deno.test({
  name: "limits.apply() takes from root the capability to raise limits",
  ignore: !linux || !await succeeds("unshare", [...AS_ROOT, "true"]),
  async fn() {
    const { python } = await environment("pytest9");
    const { success, stderr } = await new Deno.Command("unshare", {
      args: [...AS_ROOT, python, "-B", "-c", CAPABILITIES],
      env: { PYTHONPATH: fileURLToPath(new URL("../../src/pytest", import.meta.url)) },
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
  },
});

const BUSY = `import resource, signal
def test_busy():
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))
    while True: pass
`;

Deno.test({
  name: "a test that ignores the end of its --max-cpu-seconds is killed soon after",
  ignore: Deno.build.os === "windows",
  async fn() {
    const outcome = await runLimited({ cpuSeconds: 3 }, BUSY, { timeout: 60 });
    assert.ok(!outcome.ok && outcome.failure.kind === "execution_failure");
    const { data } = outcome.failure;
    assert.deepEqual([data.error_type, data.signal], ["crash", "SIGKILL"]);
    assert.deepEqual(data.running, ["test_it.py::test_busy"]);
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
