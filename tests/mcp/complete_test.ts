import assert from "node:assert/strict";
import type { PytestEvent } from "../../src/domain/pytest_event.ts";
import { passingRun } from "../support/canned_events.ts";
import { type FakeRunner, fakeRunner } from "../support/fake_runner.ts";
import { InProcessServer } from "../support/in_process_server.ts";
import { memoryFiles } from "../support/memory_files.ts";

const FILES = ["tests/test_x.py", "tests/unit/test_y.py", "tests/data.json", "tests/.hidden.py"];

const TREE = {
  tests: "directory",
  "tests/unit": "directory",
  "tests/__pycache__": "directory",
  ...Object.fromEntries(FILES.map((file) => [file, "file"])),
};

function collection(params: readonly string[]): PytestEvent[] {
  const events = passingRun(0);
  const items: PytestEvent = {
    event: "items",
    items: [{
      id: "tests/test_x.py::test_a",
      file: "tests/test_x.py",
      line: 1,
      module: "tests.test_x",
      class: null,
      function: "test_a",
      markers: [],
      params: [...params],
    }],
  };
  return events.flatMap((event): PytestEvent[] =>
    event.event === "collected" ? [items, event] : [event]
  );
}

async function complete(
  [prompt, name, value]: readonly [string, string, string],
  runner: FakeRunner = fakeRunner([]),
) {
  const server = new InProcessServer({ runner, files: memoryFiles(TREE) });
  await server.initialize();
  const answer = await server.request("completion/complete", {
    ref: { type: "ref/prompt", name: prompt },
    argument: { name, value },
  });
  await server.close();
  return answer;
}

const PATHS: readonly [typed: string, values: readonly string[]][] = [
  ["", ["tests/"]],
  ["te", ["tests/"]],
  ["tests/", ["tests/test_x.py", "tests/unit/"]],
  ["tests/.", ["tests/.hidden.py"]],
  ["tests/u", ["tests/unit/"]],
  ["tests/unit/", ["tests/unit/test_y.py"]],
  ["../", []],
  ["/etc/", []],
  ["nothing/", []],
];

for (const [typed, values] of PATHS) {
  Deno.test(`complete() offers ${values.join(", ") || "nothing"} for the path "${typed}"`, async () => {
    const { result } = await complete(["fix_failing_tests", "path", typed]);
    assert.deepEqual(result.completion, { values, total: values.length, hasMore: false });
  });
}

Deno.test("complete() offers paths for a node id until it names a file", async () => {
  const runner = fakeRunner([]);
  const { result } = await complete(["diagnose_failure", "node_id", "tests/te"], runner);
  assert.deepEqual(result.completion.values, ["tests/test_x.py"]);
  assert.equal(runner.requests.length, 0);
});

Deno.test("complete() offers the tests of a file, collecting only that file", async () => {
  const runner = fakeRunner(collection(["a", "b"]));
  const typed = "tests/test_x.py::test_a[b";
  const { result } = await complete(["diagnose_failure", "node_id", typed], runner);
  assert.deepEqual(result.completion.values, ["tests/test_x.py::test_a[b]"]);
  assert.deepEqual(runner.requests[0]?.targets, ["tests/test_x.py"]);
});

Deno.test("complete() goes on from the file as it was typed", async () => {
  for (const file of ["./tests/test_x.py", "tests//test_x.py", "/code/project/tests/test_x.py"]) {
    for (const typed of [file, `${file}:`, `${file}::test_a[`]) {
      const runner = fakeRunner(collection(["a"]));
      const { result } = await complete(["diagnose_failure", "node_id", typed], runner);
      assert.deepEqual(result.completion.values, [`${file}::test_a[a]`]);
    }
  }
});

Deno.test("complete() offers 100 of many tests, and says how many there are", async () => {
  const runner = fakeRunner(collection(Array.from({ length: 2_000 }, (_, at) => `${at}`)));
  const { result } = await complete(["diagnose_failure", "node_id", "tests/test_x.py"], runner);
  assert.equal(result.completion.values.length, 100);
  assert.equal(result.completion.total, 2_000);
  assert.equal(result.completion.hasMore, true);
});

Deno.test("complete() offers nothing where nothing can be known", async () => {
  const none = { values: [], total: 0, hasMore: false };
  const free = await complete(["tdd_cycle", "feature", "x"]);
  assert.deepEqual(free.result.completion, none);
  const missing = await complete(["diagnose_failure", "node_id", "tests/nothing.py::t"]);
  assert.deepEqual(missing.result.completion, none);
  const failed = await complete(["diagnose_failure", "node_id", "tests/test_x.py::t"]);
  assert.deepEqual(failed.result.completion, none);
});

Deno.test("complete() refuses an unknown prompt", async () => {
  assert.match((await complete(["nothing", "path", ""])).error?.message ?? "", /Unknown prompt/);
});
