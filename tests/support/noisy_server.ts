/**
 * A server that logs to the console while it works, as a dependency might.
 * `deno run tests/support/noisy_server.ts`
 *
 * @module
 */
// deno-lint-ignore-file no-console -- that is what it is for
import process from "node:process";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { serveMcp } from "../../src/mcp/serve.ts";
import { passingRun } from "./canned_events.ts";
import { fakeRunner } from "./fake_runner.ts";
import { memoryFiles } from "./memory_files.ts";

const quiet = () => {};

await serveMcp({
  runner: fakeRunner(() => {
    console.log("noise of console.log");
    process.stdout.write("noise of process.stdout\n");
    return passingRun(1);
  }),
  files: memoryFiles({}),
  settings: DEFAULT_SETTINGS,
  version: "0.0.0",
  log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  showStacks: false,
  signal: new AbortController().signal,
  input: Deno.stdin,
  output: Deno.stdout,
});
