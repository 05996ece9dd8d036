import assert from "node:assert/strict";
import { hasTooManyValues, MAX_VALUES } from "../../src/mcp/too_many_values.ts";

Deno.test("hasTooManyValues() counts objects, arrays and what commas separate", () => {
  for (const value of ["{},", "[],", "1,", '"a",', '{"k":1},', "[[[]]],"]) {
    assert.equal(hasTooManyValues(`[${value.repeat(MAX_VALUES)}0]`), true, value);
    assert.equal(hasTooManyValues(`[${value.repeat(MAX_VALUES / 10)}0]`), false, value);
  }
  assert.equal(hasTooManyValues("[".repeat(MAX_VALUES)), false);
  assert.equal(hasTooManyValues("[".repeat(MAX_VALUES + 1)), true);
});

Deno.test("hasTooManyValues() does not look into strings", () => {
  const text = JSON.stringify("[{,\\".repeat(MAX_VALUES));
  assert.equal(hasTooManyValues(`{"id":${text},"k":[${text},${text}]}`), false);
});
