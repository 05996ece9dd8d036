import assert from "node:assert/strict";
import { discoverInputJsonSchema, parseDiscoverParams } from "../../src/domain/discover_params.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { memoryFiles } from "../support/memory_files.ts";

const options = { settings: DEFAULT_SETTINGS, files: memoryFiles({ "tests": "directory" }) };

Deno.test("parseDiscoverParams() fills every default when nothing is given", () => {
  assert.deepEqual(parseDiscoverParams({}, options), {
    ok: true,
    result: { timeout: 300, view: "tests", limit: 10_000, changed: false, targets: [] },
  });
});

Deno.test("parseDiscoverParams() takes a path as its target", () => {
  const outcome = parseDiscoverParams({ path: "./tests/", view: "tree", limit: 1 }, options);
  assert.ok(outcome.ok);
  assert.equal(outcome.result.path, "tests");
  assert.deepEqual(outcome.result.targets, ["tests"]);
});

Deno.test("parseDiscoverParams() refuses what only execute_tests knows", () => {
  const outcome = parseDiscoverParams(
    { node_ids: ["tests"], limit: 10_001, view: "flat" },
    options,
  );
  assert.ok(!outcome.ok && outcome.failure.kind === "invalid_parameters");
  assert.equal(
    outcome.failure.message,
    "Invalid parameters for discover_tests, 3 problems:\n" +
      '- view: must be one of "tests", "tree", received "flat"\n' +
      "- limit: must be an integer from 1 to 10000, received 10001\n" +
      "- node_ids: unknown parameter (known: path, pattern, markers, keywords, timeout, view, limit, cursor, " +
      "related_to, changed, shard)\n" +
      "Nothing was run.",
  );
});

Deno.test("parseDiscoverParams() reports a garbled cursor beside everything else", () => {
  const outcome = parseDiscoverParams({ cursor: "garbled", limit: 0, view: "x" }, options);
  assert.ok(!outcome.ok && outcome.failure.kind === "invalid_parameters");
  assert.deepEqual(outcome.failure.issues.map(({ field }) => field), ["view", "limit", "cursor"]);
  const long = parseDiscoverParams({ cursor: "x".repeat(201) }, options);
  assert.ok(!long.ok && long.failure.kind === "invalid_parameters");
  assert.deepEqual(long.failure.issues.map(({ type }) => type), ["too_big"]);
});

Deno.test("discoverInputJsonSchema() is one flat object whose every field is described", () => {
  const schema = discoverInputJsonSchema(DEFAULT_SETTINGS);
  assert.equal(schema.additionalProperties, false);
  assert.deepEqual(Object.keys(schema.properties ?? {}), [
    "path",
    "pattern",
    "markers",
    "keywords",
    "timeout",
    "view",
    "limit",
    "cursor",
    "related_to",
    "changed",
    "shard",
  ]);
  for (const property of Object.values(schema.properties ?? {})) {
    assert.ok(typeof property === "object" && property.description);
  }
});
