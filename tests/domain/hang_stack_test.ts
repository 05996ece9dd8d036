import assert from "node:assert/strict";
import { tidyStacks } from "../../src/domain/hang_stack.ts";

Deno.test("tidyStacks() keeps what the test did and counts what called it", () => {
  const dump = `Thread 0x00007f1b2c (most recent call first):
  File "/lib/python3.11/site-packages/execnet/gateway_base.py", line 411 in read
  File "/lib/python3.11/threading.py", line 982 in run

Current thread 0x00007f1b2c4d6740 (most recent call first):
  File "app/pool.py", line 31 in acquire
  File "tests/test_pool.py", line 12 in test_acquire
  File "/lib/python3.11/site-packages/_pytest/python.py", line 195 in pytest_pyfunc_call
  File "/lib/python3.11/site-packages/pluggy/_callers.py", line 103 in _multicall
Thread 0x00007f1b2d (most recent call first):
  File "/lib/python3.11/asyncio/locks.py", line 213 in wait
  File "app/worker.py", line 3 in work
  File "/lib/python3.11/threading.py", line 982 in run
  File "/lib/python3.11/threading.py", line 1045 in _bootstrap_inner
asyncio task Task-1
  File "app/client.py", line 7 in wait
`;
  assert.equal(
    tidyStacks(dump),
    `Current thread:
  app/pool.py:31 acquire
  tests/test_pool.py:12 test_acquire
  … 2 frames of pytest
Thread:
  asyncio/locks.py:213 wait
  app/worker.py:3 work
asyncio task Task-1
  app/client.py:7 wait`,
  );
});

Deno.test("tidyStacks() leaves out what plugins wait for where the project's own line is known", () => {
  const packages = "/v/lib/python3.11/site-packages";
  const waiting = `Current thread 0x1 (most recent call first):
  File "/usr/lib/python3.11/threading.py", line 327 in wait
  File "${packages}/execnet/gateway_base.py", line 411 in join
Thread 0x2 (most recent call first):
  File "/usr/lib/python3.11/socket.py", line 294 in accept
  File "${packages}/pytest_rerunfailures.py", line 921 in run_server
`;
  const test =
    `Thread 0x3 (most recent call first):\n  File "tests/test_it.py", line 3 in test_b\n`;
  assert.equal(tidyStacks(waiting + test), "Thread:\n  tests/test_it.py:3 test_b");
  assert.match(tidyStacks(waiting), /threading\.py:327 wait/);
});

Deno.test("tidyStacks() counts the frames of a recursion", () => {
  const down = '  File "t.py", line 3 in down\n';
  const dump = `Current thread 0x1 (most recent call first):\n${
    down.repeat(3)
  }  File "t.py", line 5 in test\n`;
  assert.equal(tidyStacks(dump), "Current thread:\n  t.py:3 down (3 times)\n  t.py:5 test");
});

Deno.test("tidyStacks() has nothing to say about nothing", () => {
  assert.equal(tidyStacks(""), "");
  assert.equal(tidyStacks("\n\n"), "");
});
