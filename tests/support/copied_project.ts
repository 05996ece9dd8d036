import { join } from "node:path";
import { copyTree } from "./copy_tree.ts";

/** A copy of a fixture project that is gone after its use. */
export interface CopiedProject extends AsyncDisposable {
  readonly directory: string;
}

/** Copies a project and adds options to the `addopts` of its settings file. */
export async function copyProjectWithOptions(
  source: string,
  options: string,
): Promise<CopiedProject> {
  const directory = await Deno.makeTempDir({ prefix: "pytest-mcp-" });
  await copyTree(source, directory);
  for (const name of ["pytest.ini", "pyproject.toml"]) {
    const file = join(directory, name);
    const settings = await Deno.readTextFile(file).catch(() => null);
    if (settings !== null) await Deno.writeTextFile(file, addOptions(settings, options));
  }
  return {
    directory,
    [Symbol.asyncDispose]: () => Deno.remove(directory, { recursive: true }),
  };
}

/** The settings of pytest come last in every fixture, so that a line at the end belongs to them. */
function addOptions(settings: string, options: string): string {
  const quote = settings.includes("[tool.pytest") ? '"' : "";
  const [, before = ""] = settings.match(/^addopts = "?(.*?)"?$/m) ?? [];
  const rest = settings.replace(/^addopts = .*\n/m, "");
  return `${rest}addopts = ${quote}${before} ${options}${quote}\n`;
}
