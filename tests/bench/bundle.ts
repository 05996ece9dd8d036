import { join } from "node:path";
import { bundle } from "../../.github/release/bundle.ts";
import { denoRunFlags } from "../../src/cli/permissions.ts";
import { SetupError } from "../support/base_python.ts";

/** Bundles the server, as the binary holds it, and gives the command that starts it. */
export async function bundleServer(directory: string): Promise<[string, ...string[]]> {
  const bundled = await bundle(join(directory, "server"));
  if ("problem" in bundled) throw new SetupError(`deno bundle: ${bundled.problem}`);
  const platform = Deno.build.os === "windows" ? "windows" : "posix";
  const flags = denoRunFlags("checkout", { platform });
  return [Deno.execPath(), "run", "--no-config", ...flags, bundled.entry];
}
