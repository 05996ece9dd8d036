/**
 * Whether there can be a sandbox; making one is in sandbox.ts.
 *
 * @module
 */
import { mayRun } from "./deno_python_host.ts";

/** The program that makes the sandbox. */
export const BUBBLEWRAP = "bwrap";

/** Why there can be no sandbox on this machine, as far as that shows before one is made. */
export function whyNoSandbox(): string | null {
  if (Deno.build.os !== "linux") return "it is made by bubblewrap, which exists on Linux only";
  if (!mayRun(BUBBLEWRAP)) {
    return `${BUBBLEWRAP} was not found, or Deno may not run it: install bubblewrap, ` +
      `and start the server with ${BUBBLEWRAP} in --allow-run (pytest-mcp config --sandbox prints the flags)`;
  }
  return null;
}
