import assert from "node:assert/strict";
import type { RunProgress } from "../../src/domain/use_case.ts";
import { type Clock, ProgressReporter, toMcpProgress } from "../../src/mcp/progress.ts";

function progress(finished: number, more: Partial<RunProgress> = {}): RunProgress {
  return { finished, total: 2000, passed: finished, failed: 0, current: null, ...more };
}

/** A clock that the test moves. */
class ManualClock implements Clock {
  #now = 0;
  #timers = new Map<() => void, number>();

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    this.#timers.set(callback, this.#now + milliseconds);
    return () => void this.#timers.delete(callback);
  }

  async move(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    for (const [callback, due] of [...this.#timers]) {
      if (due > this.#now) continue;
      this.#timers.delete(callback);
      callback();
    }
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  }
}

function reporting() {
  const clock = new ManualClock();
  const sent: number[] = [];
  const reporter = new ProgressReporter(({ progress }) => {
    sent.push(progress);
    return Promise.resolve();
  }, clock);
  return { clock, sent, reporter };
}

Deno.test("toMcpProgress() words progress as the contract does", () => {
  const done = progress(812, { passed: 810, failed: 2, current: "tests/test_x.py::test_y" });
  assert.deepEqual(toMcpProgress(done), {
    progress: 812,
    total: 2000,
    message: "812/2000 passed 810 failed 2 — tests/test_x.py::test_y",
  });
});

Deno.test("toMcpProgress() has no total before collection is over", () => {
  assert.deepEqual(toMcpProgress(progress(0, { total: null })), {
    progress: 0,
    message: "0/? passed 0 failed 0",
  });
});

Deno.test("ProgressReporter.report() sends at most ten a second, the newest state each time", async () => {
  const { clock, sent, reporter } = reporting();
  for (let finished = 0; finished < 1000; finished++) {
    reporter.report(progress(finished));
    await clock.move(1);
  }
  await reporter.stop();
  assert.equal(sent.length, 10);
  assert.deepEqual(sent.slice(0, 3), [0, 109, 219]);
});

Deno.test("ProgressReporter.report() sends the last state though no other follows", async () => {
  const { clock, sent, reporter } = reporting();
  reporter.report(progress(1));
  reporter.report(progress(2));
  reporter.report(progress(3));
  await clock.move(110);
  assert.deepEqual(sent, [1, 3]);
  await reporter.stop();
});

Deno.test("ProgressReporter.report() sends nothing that does not grow", async () => {
  const { clock, sent, reporter } = reporting();
  for (const finished of [5, 5, 4, 6]) {
    reporter.report(progress(finished));
    await clock.move(200);
  }
  await reporter.stop();
  assert.deepEqual(sent, [5, 6]);
});

Deno.test("ProgressReporter.stop() drops what waits and lets nothing follow", async () => {
  const { clock, sent, reporter } = reporting();
  reporter.report(progress(1));
  reporter.report(progress(2));
  await reporter.stop();
  reporter.report(progress(3));
  await clock.move(1000);
  assert.deepEqual(sent, [1]);
});

Deno.test("ProgressReporter.report() waits for a client that does not read", async () => {
  const clock = new ManualClock();
  const pending: (() => void)[] = [];
  const reporter = new ProgressReporter(
    () => new Promise((resolve) => void pending.push(resolve)),
    clock,
  );
  for (let finished = 0; finished < 10; finished++) {
    reporter.report(progress(finished));
    await clock.move(200);
  }
  assert.equal(pending.length, 1);
  const stopped = reporter.stop();
  pending[0]?.();
  await stopped;
});
