import assert from "node:assert/strict";
import { createLazyRunner } from "../../src/pytest/lazy_runner.ts";

for (const prewarm of [false, true]) {
  const what = prewarm ? "looks for an interpreter" : "loads nothing";
  Deno.test(`createLazyRunner().prepare() ${what} when prewarm is ${prewarm}`, async () => {
    let asked = false;
    const host = {
      platform: "posix",
      variable: () => undefined,
      exists() {
        asked = true;
        return false;
      },
    } as const;
    await using runner = createLazyRunner({ root: "/nowhere", prewarm, host });
    runner.prepare();
    await runner[Symbol.asyncDispose]();
    assert.equal(asked, prewarm);
  });
}
