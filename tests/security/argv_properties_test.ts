import fc from "fast-check";
import assert from "node:assert/strict";
import { parseDiscoverParams } from "../../src/domain/discover_params.ts";
import { parseExecuteParams } from "../../src/domain/execute_params.ts";
import { buildDiscoverArgs, buildPytestArgs } from "../../src/domain/pytest_args.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { PROPERTY_RUNS } from "../support/property_runs.ts";
import { assertKnownArguments, assertNothingElse } from "./argv_grammar.ts";
import { anyJson, discoverInput, everythingExists, executeInput } from "./parameters.ts";

const RUNS = { numRuns: PROPERTY_RUNS };

for (const platform of ["posix", "windows"] as const) {
  const options = { settings: DEFAULT_SETTINGS, files: everythingExists(platform) };

  Deno.test(`buildPytestArgs() makes nothing but known flags and paths below a ${platform} root`, () => {
    let accepted = 0;
    fc.assert(
      fc.property(executeInput, (input) => {
        const params = parseExecuteParams(input, options);
        if (!params.ok) return;
        accepted++;
        const request = buildPytestArgs(params.result);
        assertKnownArguments(request.args, params.result);
        assertNothingElse(request);
      }),
      RUNS,
    );
    assert.ok(accepted > PROPERTY_RUNS / 10, `only ${accepted} requests were accepted`);
  });

  Deno.test(`buildDiscoverArgs() makes nothing but known flags and paths below a ${platform} root`, () => {
    let accepted = 0;
    fc.assert(
      fc.property(discoverInput, (input) => {
        const params = parseDiscoverParams(input, options);
        if (!params.ok) return;
        accepted++;
        const request = buildDiscoverArgs(params.result);
        assertKnownArguments(request.args, params.result);
        assertNothingElse(request);
      }),
      RUNS,
    );
    assert.ok(accepted > PROPERTY_RUNS / 10, `only ${accepted} requests were accepted`);
  });
}

Deno.test("parseExecuteParams() and parseDiscoverParams() answer any JSON and leave no trace in it", () => {
  const options = { settings: DEFAULT_SETTINGS, files: everythingExists("posix") };
  const before = Object.getOwnPropertyNames(Object.prototype);
  fc.assert(
    fc.property(anyJson, (input) => {
      const sent = JSON.stringify(input);
      for (const parse of [parseExecuteParams, parseDiscoverParams]) {
        const params = parse(input, options);
        if (!params.ok) assert.ok(JSON.stringify(params.failure).length < 2_000_000);
      }
      assert.equal(JSON.stringify(input), sent);
    }),
    RUNS,
  );
  assert.deepEqual(Object.getOwnPropertyNames(Object.prototype), before);
});
