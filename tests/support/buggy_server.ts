/**
 * A server whose runner has a bug, for the one row of the error table that no client can bring about.
 * `deno run tests/support/buggy_server.ts [--show-stacks]`
 *
 * @module
 */
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { serveMcp } from "../../src/mcp/serve.ts";
import { fakeRunner } from "./fake_runner.ts";
import { memoryFiles } from "./memory_files.ts";

const quiet = () => {};

await serveMcp({
  runner: fakeRunner(() => {
    throw new TypeError("runs out of luck");
  }),
  files: memoryFiles({}),
  settings: DEFAULT_SETTINGS,
  version: "0.0.0",
  log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  showStacks: Deno.args.includes("--show-stacks"),
  signal: new AbortController().signal,
  input: Deno.stdin,
  output: Deno.stdout,
});
