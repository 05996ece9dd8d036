/**
 * The program as a few JavaScript files: what a command does not need is not read when it starts.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import denoJson from "../../deno.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Writes the files, and a configuration that names the version; gives main.js, or what went wrong. */
export async function bundle(directory: string): Promise<{ entry: string } | { problem: string }> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      "--minify",
      // The SDK then brings neither Node's process nor a JSON Schema validator that nothing here asks for.
      "--platform=browser",
      "--code-splitting",
      "--outdir",
      directory,
      "main.ts",
    ],
    cwd: ROOT,
    stdout: "null",
  }).output();
  if (!success) return { problem: new TextDecoder().decode(stderr) };
  const { version } = denoJson;
  await Deno.writeTextFile(join(directory, "deno.json"), JSON.stringify({ version }));
  return { entry: join(directory, "main.js") };
}
