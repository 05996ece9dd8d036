import { join } from "node:path";

/** What running a project leaves in it. */
const LEFT_BEHIND = ["__pycache__", ".pytest_cache"];

/** Copies a project's directory, without what earlier runs have left in it. */
export async function copyTree(source: string, target: string): Promise<void> {
  await Deno.mkdir(target, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(source)) {
    if (LEFT_BEHIND.includes(name)) continue;
    if (isDirectory) await copyTree(join(source, name), join(target, name));
    else await Deno.copyFile(join(source, name), join(target, name));
  }
}
