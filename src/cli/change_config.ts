/**
 * The file in which a client keeps the servers of a project: shows the change, and makes it.
 *
 * @module
 */
import { dirname, join } from "node:path";
import { applyPatch } from "../pytest/git.ts";
import type { Client, ConfigObject } from "./clients.ts";
import { renderConfig } from "./config_text.ts";
import { mergeConfig } from "./merge_config.ts";
import type { Terminal } from "./terminal.ts";
import { unifiedDiff } from "./unified_diff.ts";

/** What a change needs beside the entry. */
export interface ChangeOptions {
  /** absolute */
  readonly root: string;
  /** false: only show it */
  readonly write: boolean;
  /** of the client */
  readonly name: string;
  readonly terminal: Terminal;
}

/** Where a person pastes the entry. */
export function placement({ projectFile, userFile, documentation }: Client): string {
  const file = projectFile === null ? userFile : `${projectFile} in the project, or ${userFile}`;
  return `# goes into ${file}; see ${documentation}`;
}

/** Shows what `entry` changes in the project's file, and changes it when `write` says so; gives the exit code. */
export async function changeProjectFile(
  client: Client,
  entry: ConfigObject,
  options: ChangeOptions,
): Promise<number> {
  const { root, write, name, terminal } = options;
  if (client.projectFile === null) {
    terminal.err(`pytest-mcp: ${name} has no file in the project\n${placement(client)}\n`);
    terminal.out(renderConfig(client, entry));
    return 1;
  }
  if (Deno.permissions.querySync({ name: "read", path: root }).state !== "granted") {
    const file = join(root, client.projectFile);
    terminal.err(`pytest-mcp: may not read ${file}: start it in that project\n`);
    return 1;
  }
  const { otherProjectFile = client.projectFile } = client;
  const projectFile =
    isThere(join(root, client.projectFile)) || !isThere(join(root, otherProjectFile))
      ? client.projectFile
      : otherProjectFile;
  const file = join(root, projectFile);
  const before = await readIfThere(file);
  const leave = (why: string) => {
    terminal.err(`pytest-mcp: ${projectFile} was left as it is: ${why}\n# what to paste:\n`);
    terminal.out(renderConfig(client, entry));
    return 1;
  };
  if (!before.ok) return leave(before.message);
  const merged = mergeConfig(client, entry, before.text);
  if (!merged.ok) return leave(merged.message);
  const diff = unifiedDiff(projectFile, before.text, merged.text);
  terminal.out(diff);
  if (diff === "") terminal.err(`${projectFile} is up to date\n`);
  if (!write || diff === "") return 0;
  const problem = await writeFile(file, merged.text)
    ? null
    : modeThatGitLoses(file) ?? await applyPatch(root, diff);
  const after = await readIfThere(file);
  if (problem !== null || !after.ok || after.text !== merged.text) {
    terminal.err(
      `pytest-mcp may not write files, by design, and git did not: ${
        problem ?? "nothing changed"
      }\n` +
        `Make the change above by hand in ${projectFile}\n`,
    );
    return 1;
  }
  terminal.err(`${projectFile} was written\n`);
  return 0;
}

function isThere(file: string): boolean {
  try {
    Deno.lstatSync(file);
    return true;
  } catch {
    return false;
  }
}

/** False where Deno, or the file's mode, does not let us. */
async function writeFile(file: string, text: string): Promise<boolean> {
  try {
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, text);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return false;
    if (error instanceof Deno.errors.PermissionDenied) return false;
    throw error;
  }
}

/** git puts a new file in place of the old one, which everybody may read and its owner may write. */
function modeThatGitLoses(file: string): string | null {
  try {
    const mode = Deno.statSync(file).mode ?? 0o644; // null on Windows
    return (mode & 0o644) === 0o644
      ? null
      : `it would not keep the mode of the file, ${(mode & 0o777).toString(8).padStart(4, "0")}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

type FileText =
  | { readonly ok: true; readonly text: string | null }
  | { readonly ok: false; readonly message: string };

/** null where there is no file yet. */
async function readIfThere(file: string): Promise<FileText> {
  try {
    return { ok: true, text: await Deno.readTextFile(file) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { ok: true, text: null };
    // a directory, or nothing that this user may read
    if (error instanceof Error) {
      return { ok: false, message: `it cannot be read: ${error.message}` };
    }
    throw error;
  }
}
