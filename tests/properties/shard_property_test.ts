import assert from "node:assert/strict";
import fc from "fast-check";
import { PYTHON_SOURCES } from "../../src/pytest/python_sources.ts";
import { findBasePython } from "../support/base_python.ts";
import { PROPERTY_RUNS } from "../support/property_runs.ts";

/** Splits every case in one process: [files, total] → the files of each shard. */
const SPLIT = `${PYTHON_SOURCES.pytest_mcp_selection}
import json, sys
cases = json.load(sys.stdin)
json.dump([[sorted(files_of_shard(files, i + 1, n)) for i in range(n)] for files, n in cases], sys.stdout)
`;

const file = fc.tuple(
  fc.constantFrom("tests", "tests/unit", "src/a/tests", "ünïcode"),
  fc.string({ minLength: 1, maxLength: 8 }),
).map(([folder, name]) => `${folder}/test_${name}.py`);
const collection = fc.tuple(
  fc.uniqueArray(file, { maxLength: 40 }),
  fc.integer({ min: 1, max: 12 }),
);

Deno.test("files_of_shard() splits any collection into parts that are disjoint, complete and even", async () => {
  const cases = fc.sample(collection, { numRuns: PROPERTY_RUNS, seed: 1 });
  const { executable } = await findBasePython();
  const child = new Deno.Command(executable, {
    args: ["-c", SPLIT],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const output = child.output();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(cases)));
  await writer.close();
  const split: string[][][] = JSON.parse(new TextDecoder().decode((await output).stdout));
  assert.equal(split.length, cases.length);
  for (const [index, [files, total]] of cases.entries()) {
    const shards = split[index] ?? [];
    assert.equal(shards.length, total);
    assert.deepEqual(shards.flat().toSorted(), files.toSorted());
    const sizes = shards.map((shard) => shard.length);
    assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1);
  }
});
