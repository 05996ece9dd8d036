import assert from "node:assert/strict";
import fc from "fast-check";
import { Selectors } from "../../src/domain/selectors.ts";

const FUNCTIONS = new Map([
  ["a.py::test_m", 3],
  ["a.py::T::test_x", 1],
  ["a.py::T::test_y", 2],
  ["a.py::T::U::test_z", 1],
  ["b.py::test_only", 1],
  ["we::ird/c.py::test_1", 1],
  ["we::ird/c.py::test_2", 1],
  ["d.yml::row::1", 1],
  ["d.yml::row::2 [x]", 1],
  ["d.yml::other", 1],
  ["br[0]/e.py::test_p", 2],
]);
const ALL_OF_A = [
  "a.py::test_m[1]",
  "a.py::test_m[a[0]]",
  "a.py::test_m[x::y]",
  "a.py::T::test_x",
  "a.py::T::test_y[1]",
  "a.py::T::test_y[2]",
  "a.py::T::U::test_z",
];

/** [ids, selectors] */
const CASES: [string[], string[]][] = [
  [["a.py::test_m[1]"], ["a.py::test_m[1]"]],
  [ALL_OF_A.slice(0, 3), ["a.py::test_m"]],
  [ALL_OF_A.slice(0, 2), ALL_OF_A.slice(0, 2)],
  [ALL_OF_A.slice(3), ["a.py::T"]],
  [ALL_OF_A.slice(4), ["a.py::T::test_y", "a.py::T::U::test_z"]],
  [ALL_OF_A, ["a.py"]],
  [["b.py::test_only"], ["b.py::test_only"]],
  [["b.py::test_only", ...ALL_OF_A], ["b.py::test_only", "a.py"]],
  [["we::ird/c.py::test_1", "we::ird/c.py::test_2"], ["we::ird/c.py"]],
  [["d.yml::row::1", "d.yml::row::2 [x]"], ["d.yml::row::1", "d.yml::row::2 [x]"]],
  [["br[0]/e.py::test_p[1]", "br[0]/e.py::test_p[2]"], ["br[0]/e.py::test_p"]],
  [["unknown.py::test", "unknown.py::test"], ["unknown.py::test"]],
];

Deno.test("Selectors.cover() lets a function, class or file stand for all of its tests", () => {
  const selectors = new Selectors(FUNCTIONS);
  for (const [ids, expected] of CASES) assert.deepEqual(selectors.cover(ids), expected);
});

Deno.test("Selectors.cover() runs exactly the given tests, whichever they are", () => {
  const everything = ["x.py", "y/z.py"].flatMap((file) =>
    ["test_a", "T::test_b", "T::test_c", "T::U::test_d", "V::test_e"].flatMap((name) =>
      ["", "1", "2"].map((param) => ({
        name: `${file}::${name}`,
        id: `${file}::${name}[${param}]`,
      }))
    )
  );
  const functions = new Map<string, number>();
  for (const { name } of everything) functions.set(name, (functions.get(name) ?? 0) + 1);
  const selectors = new Selectors(functions);
  fc.assert(fc.property(fc.subarray(everything.map(({ id }) => id)), (ids) => {
    const cover = selectors.cover(ids);
    const selects = (id: string) =>
      cover.some((one) => id === one || id.startsWith(`${one}::`) || id.startsWith(`${one}[`));
    assert.deepEqual(everything.map(({ id }) => id).filter(selects).sort(), [...ids].sort());
    assert.ok(cover.length <= ids.length);
  }));
});
