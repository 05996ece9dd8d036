import assert from "node:assert/strict";
import fc from "fast-check";
import { parseExecuteParams } from "../../src/domain/execute_params.ts";
import { hashRun, readResumePoint, writeResumePoint } from "../../src/domain/resume_point.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { memoryFiles } from "../support/memory_files.ts";

const files = memoryFiles({ "tests": "directory", "other": "directory" });
const options = { settings: DEFAULT_SETTINGS, files };

function hashOf(input: Record<string, unknown>): string {
  const outcome = parseExecuteParams(input, options);
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return hashRun(outcome.result);
}

const word = fc.stringMatching(/^[0-9a-z]{1,12}$/);

Deno.test("readResumePoint() reads what writeResumePoint() wrote, and nothing else", () => {
  const point = fc.record({
    offset: fc.nat(),
    count: fc.nat(),
    order: word,
    request: word,
    seed: fc.option(fc.nat(), { nil: null }),
  });
  fc.assert(fc.property(point, (one) => {
    assert.deepEqual(readResumePoint(writeResumePoint(one)), { ...one });
  }));
  for (const text of ["", "1-2-3", "1-2-3-4-5-6", "1-2-3-4 ", "A-2-3-4", "1-2-../x-4"]) {
    assert.equal(readResumePoint(text), null);
  }
});

Deno.test("hashRun() differs for every parameter that selects, and for no other", () => {
  const selecting = [
    { node_ids: ["tests"] },
    { path: "tests" },
    { path: "other" },
    { pattern: "a_*.py" },
    { markers: "a" },
    { keywords: "a" },
    { related_to: ["tests"] },
    { changed: true },
    { shard: { index: 1, total: 2 } },
    { shard: { index: 2, total: 2 } },
  ];
  const hashes = selecting.map(hashOf);
  assert.equal(new Set([...hashes, hashOf({})]).size, selecting.length + 1);
  for (const other of [{ timeout: 9 }, { verbosity: 1 }, { time_budget: 3 }, { failfast: true }]) {
    assert.equal(hashOf(other), hashOf({}));
  }
});

Deno.test("parseExecuteParams() takes a point of the same request only", () => {
  const point = { offset: 3, count: 9, order: "abc", seed: null };
  const resume_after = writeResumePoint({ ...point, request: hashOf({ path: "tests" }) });
  assert.ok(parseExecuteParams({ path: "tests", resume_after, timeout: 9 }, options).ok);
  assert.ok(!parseExecuteParams({ path: "other", resume_after }, options).ok);
  const garbled = parseExecuteParams({ resume_after: "garbled", verbosity: 9 }, options);
  assert.ok(!garbled.ok && garbled.failure.kind === "invalid_parameters");
  assert.deepEqual(garbled.failure.issues.map(({ field }) => field), ["verbosity", "resume_after"]);
});
