import { deepEqual, throws } from "node:assert/strict";
import { ratios, spreadOf } from "./statistics.ts";

Deno.test("spreadOf() gives median and quartiles whatever the order of the values", () => {
  deepEqual(spreadOf([5, 1, 3, 2, 4]), { median: 3, low: 2, high: 4 });
});

Deno.test("spreadOf() interpolates where no value stands in the middle", () => {
  deepEqual(spreadOf([10, 2, 4, 3]), { median: 3.5, low: 2.75, high: 5.5 });
  deepEqual(spreadOf([7]), { median: 7, low: 7, high: 7 });
});

Deno.test("spreadOf() refuses to speak of nothing", () => {
  throws(() => spreadOf([]), /no values/);
});

Deno.test("ratios() divides within a round and leaves out what has no partner", () => {
  deepEqual(ratios([2, 30, 5], [1, 10]), [2, 3]);
});
