import assert from "node:assert/strict";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { readServeFlags } from "../../src/cli/settings_flags.ts";

Deno.test("readServeFlags() takes the contract's defaults when nothing is given", () => {
  assert.deepEqual(readServeFlags({}, 4), {
    ok: true,
    value: {
      root: ".",
      python: undefined,
      settings: DEFAULT_SETTINGS,
      maxConcurrentRuns: 4,
      prewarm: true,
      auditLog: undefined,
      logLevel: "warn",
      sandbox: false,
      limits: { memoryMegabytes: undefined, processes: undefined, cpuSeconds: undefined },
    },
  });
});

Deno.test("readServeFlags() reads every flag", () => {
  const values = {
    root: "a",
    python: "/p",
    timeout: "5",
    "max-timeout": "50",
    "max-response-chars": "2000",
    "max-concurrent-runs": "3",
    "no-prewarm": true,
    "audit-log": "audit.jsonl",
    "log-level": "debug",
    sandbox: true,
    "max-memory": "512",
    "max-processes": "20",
    "max-cpu-seconds": "60",
  };
  assert.deepEqual(readServeFlags(values, 1), {
    ok: true,
    value: {
      root: "a",
      python: "/p",
      settings: { defaultTimeout: 5, maxTimeout: 50, maxResponseChars: 2000 },
      maxConcurrentRuns: 3,
      prewarm: false,
      auditLog: "audit.jsonl",
      logLevel: "debug",
      sandbox: true,
      limits: { memoryMegabytes: 512, processes: 20, cpuSeconds: 60 },
    },
  });
});

Deno.test("readServeFlags() lowers the default timeout when --max-timeout is below it", () => {
  const read = readServeFlags({ "max-timeout": "60" }, 1);
  assert.ok(read.ok && read.value.settings.defaultTimeout === 60);
});

Deno.test("readServeFlags() names every bad value at once", () => {
  for (const bad of ["0", "-1", "1.5", "", "x", "1e3", "999", "99999999999"]) {
    assert.equal(readServeFlags({ "max-response-chars": bad }, 1).ok, false, bad);
  }
  const read = readServeFlags({ timeout: "zero", "log-level": "loud" }, 1);
  assert.deepEqual(read, {
    ok: false,
    message: "--log-level must be one of debug, info, warn, error: current value is 'loud'; " +
      "--timeout must be an integer of at least 1: current value is 'zero'",
  });
  assert.deepEqual(readServeFlags({ timeout: "70", "max-timeout": "60" }, 1), {
    ok: false,
    message: "--timeout must not exceed --max-timeout: 70 is more than 60",
  });
});
