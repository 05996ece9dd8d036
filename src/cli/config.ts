/**
 * `pytest-mcp config CLIENT`: the configuration that makes a client start this server.
 *
 * @module
 */
import { dirname, join, resolve } from "node:path";
import { applyPatch } from "../pytest/git.ts";
import { pathOf } from "../pytest/python_layout.ts";
import { type Client, CLIENT_NAMES, CLIENTS, type ConfigObject } from "./clients.ts";
import { readCommandLine, refuse, usageError } from "./command_line.ts";
import { renderConfig } from "./config_text.ts";
import { findEnvironments } from "./find_environments.ts";
import { textFlag } from "./flags.ts";
import { buildLaunch } from "./launch.ts";
import { mergeConfig } from "./merge_config.ts";
import { fitsFlag, FORMS, usualPythons } from "./permissions.ts";
import type { Terminal } from "./terminal.ts";
import { type ThisProgram, thisProgram } from "./this_program.ts";
import { unifiedDiff } from "./unified_diff.ts";

/** What an entry is made from. */
export interface EntryOptions {
  readonly program: ThisProgram;
  /** absolute */
  readonly root: string;
  readonly python?: string | undefined;
  /** interpreters of environments below the root, relative to it */
  readonly environments?: readonly string[];
  readonly sandbox?: boolean;
}

/** The entry that `client` needs, with root and permissions right for the program's form. */
export function buildEntry(client: Client, options: EntryOptions): ConfigObject {
  const { program, root, python, environments = [], sandbox = false } = options;
  const { startsIn, projectFile } = client;
  const enter = startsIn === "project"
    ? undefined
    : startsIn === "anywhere"
    ? root
    : startsIn.variable;
  // a file that a team shares names programs, every other one says where they are
  const portable = projectFile !== null && program.form !== "checkout";
  const name = program.form === "binary" ? "pytest-mcp" : "deno";
  const { isAbsolute, join } = pathOf(program.platform);
  // a name without a directory is looked for on PATH, wherever the server starts
  const fromRoot = (path: string) =>
    enter === undefined || isAbsolute(path) || !/[\\/]/.test(path) ? path : join(enter, path);
  const launch = buildLaunch({
    ...program,
    program: portable ? name : program.executable,
    enter,
    python: python === undefined ? undefined : fromRoot(python),
    sandbox,
    pythons: environments.map(fromRoot),
  });
  return client.entry(launch);
}

/** The command. */
export async function config(args: readonly string[], terminal: Terminal): Promise<number> {
  const line = readCommandLine("config", args, { terminal });
  if (line.kind === "exit") return line.code;
  const name = CLIENT_NAMES.find((known) => known === line.positionals[0]);
  if (name === undefined || line.positionals.length !== 1) {
    return usageError(`config takes one client: ${CLIENT_NAMES.join(", ")}`, terminal);
  }
  const running = thisProgram();
  const wanted = textFlag(line.values, "form") ?? running.form;
  const form = FORMS.find((known) => known === wanted);
  if (form === undefined) {
    return usageError(
      `--form must be one of ${FORMS.join(", ")}: current value is '${wanted}'`,
      terminal,
    );
  }
  const root = resolve(textFlag(line.values, "root") ?? ".");
  const python = textFlag(line.values, "python");
  const unfit = [root, python ?? ""].find((path) => !fitsFlag(path));
  if (unfit !== undefined && form !== "binary") {
    return refuse(`Deno cannot be given the rights to a path with a comma: ${unfit}`, terminal);
  }
  const problem = lookAtRoot(root, terminal);
  if (problem !== null) return refuse(`Cannot use ${root} as the root: ${problem}`, terminal);
  const client = CLIENTS[name];
  const environments = findEnvironments(root, running.platform).filter(fitsFlag);
  if (form === "checkout" && running.form !== "checkout") {
    return refuse("--form checkout works in a checkout only", terminal);
  }
  const program = form === running.form
    ? running
    : { ...running, form, executable: form === "binary" ? "pytest-mcp" : "deno" };
  const sandbox = line.values["sandbox"] === true;
  const entry = buildEntry(client, { program, root, python, environments, sandbox });
  // a name is looked for on PATH, a path from the root
  const place = (path: string) => /[\\/]/.test(path) ? resolve(root, path) : path;
  const covered = new Set(usualPythons(program.platform).map(place));
  const uncovered = (python === undefined ? environments : [python])
    .filter((path) => !covered.has(place(path)));
  if (form === "binary" && uncovered.length > 0) {
    terminal.err(
      `note: the binary may not start ${uncovered.join(", ")}; use --form jsr for that\n`,
    );
  }
  if (line.values["diff"] !== true && line.values["write"] !== true) {
    terminal.err(`${placement(client)}\n`);
    terminal.out(renderConfig(client, entry));
    return 0;
  }
  return await change(client, entry, {
    root,
    write: line.values["write"] === true,
    name,
    terminal,
  });
}

/** What is wrong with the root; where Deno may not look, that is all there is to say. */
function lookAtRoot(root: string, terminal: Terminal): string | null {
  if (Deno.permissions.querySync({ name: "read", path: root }).state !== "granted") {
    terminal.err(
      `note: Deno may not look into ${root}: an environment below it, such as services/a/.venv, ` +
        "is not in the entry; start pytest-mcp there to have it found\n",
    );
    return null;
  }
  try {
    return Deno.statSync(root).isDirectory ? null : "it is not a directory";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "it does not exist";
    throw error;
  }
}

function placement({ projectFile, userFile, documentation }: Client): string {
  const file = projectFile === null ? userFile : `${projectFile} in the project, or ${userFile}`;
  return `# goes into ${file}; see ${documentation}`;
}

async function change(
  client: Client,
  entry: ConfigObject,
  options: { root: string; write: boolean; name: string; terminal: Terminal },
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
