import assert from "node:assert/strict";
import fc from "fast-check";
import { renderProgressBar } from "../../src/cli/progress_bar.ts";
import { createStyle } from "../../src/cli/style.ts";

const PLAIN = createStyle(false);
const progress = { finished: 812, total: 2000, passed: 810, failed: 2, current: "tests/a.py::t" };

Deno.test("renderProgressBar() shows bar, counts, rate and the current test", () => {
  assert.equal(
    renderProgressBar(progress, { columns: 100, style: PLAIN, seconds: 4 }),
    "━━━━━━━━━───────────────  812/2000  810 passed  2 failed  203/s  tests/a.py::t",
  );
});

Deno.test("renderProgressBar() keeps the end of a name that is too long", () => {
  assert.equal(
    renderProgressBar({ ...progress, failed: 0, current: "tests/very/long/name.py::test_it" }, {
      columns: 70,
      style: PLAIN,
      seconds: 200,
    }),
    "━━━━━━━━━──────────────  812/2000  810 passed  4.1/s  …me.py::test_it",
  );
});

Deno.test("renderProgressBar() gives up the bar before it gives up the failures", () => {
  assert.equal(
    renderProgressBar(progress, { columns: 38, style: PLAIN, seconds: 4 }),
    "━━───  812/2000  810 passed  2 failed",
  );
});

Deno.test("renderProgressBar() says so while the number of tests is not known", () => {
  const collecting = { finished: 0, total: null, passed: 0, failed: 0, current: null };
  assert.equal(
    renderProgressBar(collecting, { columns: 80, style: PLAIN, seconds: 2.2 }),
    "collecting … 2s",
  );
});

Deno.test("renderProgressBar() colours by outcome", () => {
  const style = createStyle(true);
  const green = renderProgressBar({ ...progress, failed: 0 }, { columns: 80, style, seconds: 1 });
  assert.ok(green.startsWith("\x1b[32m━") && !green.includes("\x1b[31m"), green);
  const red = renderProgressBar(progress, { columns: 80, style, seconds: 1 });
  assert.ok(red.startsWith("\x1b[31m━") && red.includes("\x1b[31m2 failed"), red);
});

Deno.test("renderProgressBar() is one line that fits, whatever the terminal and the name", () => {
  const count = fc.nat(1_000_000);
  fc.assert(fc.property(
    fc.record({
      finished: count,
      total: fc.option(count),
      passed: count,
      failed: count,
      current: fc.option(fc.string({ unit: "binary" })),
    }),
    fc.nat(200),
    fc.double({ min: 0, max: 1e6, noNaN: true }),
    (state, columns, seconds) => {
      const line = renderProgressBar(state, { columns, style: PLAIN, seconds });
      assert.ok(!/\p{Cc}/u.test(line), JSON.stringify(line));
      assert.ok([...line].length < Math.max(1, columns) || line === "", JSON.stringify(line));
    },
  ));
});
