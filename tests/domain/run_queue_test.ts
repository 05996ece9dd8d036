import assert from "node:assert/strict";
import type { PytestEvent } from "../../src/domain/pytest_event.ts";
import type { PytestRequest, PytestRunner } from "../../src/domain/pytest_runner.ts";
import { limitRuns } from "../../src/domain/run_queue.ts";

const REQUEST: PytestRequest = {
  args: [],
  select: null,
  targets: [],
  timeoutSeconds: 1,
  report: { items: false, locals: false, text: false, hideTerminalTracebacks: false, json: false },
  related: null,
  session: {},
};

/** A runner whose runs end when they are told to. */
function gatedRunner(): PytestRunner & { readonly gates: (() => void)[] } {
  const gates: (() => void)[] = [];
  return {
    gates,
    async *run() {
      await new Promise<void>((resolve) => gates.push(resolve));
      yield { event: "session_end", exit_status: 0 };
    },
  };
}

async function collect(runner: PytestRunner, signal = new AbortController().signal) {
  const events: PytestEvent["event"][] = [];
  for await (const { event } of runner.run(REQUEST, { signal })) events.push(event);
  return events;
}

/** Lets everything that is ready to go on, go on. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("limitRuns() starts no more runs than its limit, the others in order", async () => {
  const inner = gatedRunner();
  const runner = limitRuns(inner, { maxConcurrent: 2, maxWaiting: 10 });
  const runs = [1, 2, 3, 4].map(() => collect(runner));
  for (const started of [2, 3, 4]) {
    await settle();
    assert.equal(inner.gates.length, started);
    inner.gates[started - 2]?.();
  }
  inner.gates[3]?.();
  assert.deepEqual(await Promise.all(runs), Array(4).fill(["session_end"]));
});

Deno.test("limitRuns() is busy when nobody more may wait", async () => {
  const inner = gatedRunner();
  const runner = limitRuns(inner, { maxConcurrent: 1, maxWaiting: 1 });
  const runs = [collect(runner), collect(runner)];
  await settle();
  assert.deepEqual(await collect(runner), ["busy"]);
  inner.gates[0]?.();
  await settle();
  inner.gates[1]?.();
  await Promise.all(runs);
});

Deno.test("limitRuns() cancels a run that waits, and gives its place to the next", async () => {
  const inner = gatedRunner();
  const runner = limitRuns(inner, { maxConcurrent: 1, maxWaiting: 2 });
  const cancel = new AbortController();
  const first = collect(runner);
  const second = collect(runner, cancel.signal);
  const third = collect(runner);
  await settle();
  cancel.abort();
  assert.deepEqual(await second, ["cancelled"]);
  inner.gates[0]?.();
  await settle();
  inner.gates[1]?.();
  assert.deepEqual(await Promise.all([first, third]), [["session_end"], ["session_end"]]);
  assert.equal(inner.gates.length, 2);
});

Deno.test("limitRuns() does not start a run that is cancelled already", async () => {
  const inner = gatedRunner();
  const runner = limitRuns(inner, { maxConcurrent: 1, maxWaiting: 1 });
  assert.deepEqual(await collect(runner, AbortSignal.abort()), ["cancelled"]);
  assert.equal(inner.gates.length, 0);
});

Deno.test("limitRuns() frees the place of a run that fails or is left early", async () => {
  let calls = 0;
  const failing: PytestRunner = {
    async *run() {
      calls++;
      await settle();
      yield { event: "cancelled" };
      if (calls === 1) throw new Error("a bug");
    },
  };
  const runner = limitRuns(failing, { maxConcurrent: 1, maxWaiting: 0 });
  await assert.rejects(collect(runner), /a bug/);
  const signal = new AbortController().signal;
  for await (const _ of runner.run(REQUEST, { signal })) break;
  assert.deepEqual(await collect(runner), ["cancelled"]);
});
