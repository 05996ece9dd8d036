import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { denoRunFlags } from "../../src/cli/permissions.ts";
import { SetupError } from "../support/base_python.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Makes one module of the server, as the binary holds it, and gives the command that starts it. */
export async function bundleServer(directory: string): Promise<[string, ...string[]]> {
  const file = join(directory, "server.js");
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--minify", "--output", file, join(ROOT, "main.ts")],
    cwd: ROOT,
    stdout: "null",
  }).output();
  if (!success) throw new SetupError(`deno bundle: ${new TextDecoder().decode(stderr)}`);
  const platform = Deno.build.os === "windows" ? "windows" : "posix";
  const flags = denoRunFlags("checkout", { platform });
  return [Deno.execPath(), "run", "--no-config", ...flags, file];
}
