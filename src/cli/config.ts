/**
 * `pytest-mcp config CLIENT`: the configuration that makes a client start this server.
 *
 * @module
 */
import { resolve } from "node:path";
import { pathOf } from "../pytest/python_layout.ts";
import { changeProjectFile, placement } from "./change_config.ts";
import { type Client, CLIENT_NAMES, CLIENTS, type ConfigObject } from "./clients.ts";
import { readCommandLine, refuse, usageError } from "./command_line.ts";
import { renderConfig } from "./config_text.ts";
import { findEnvironments } from "./find_environments.ts";
import { textFlag } from "./flags.ts";
import { buildLaunch, fitsCmd } from "./launch.ts";
import { fitsFlag, FORMS, usualPythons } from "./permissions.ts";
import type { Terminal } from "./terminal.ts";
import { type ThisProgram, thisProgram } from "./this_program.ts";

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
  const line = await readCommandLine("config", args, { terminal });
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
  const client = CLIENTS[name];
  // a client that starts the server in the project does not name it
  const named = client.startsIn === "project" ? [] : [root];
  const unfit = [...named, python ?? ""].find((path) => !fitsFlag(path));
  if (unfit !== undefined && form !== "binary") {
    return refuse(`Deno cannot be given the rights to a path with a comma: ${unfit}`, terminal);
  }
  const problem = lookAtRoot(root, terminal);
  if (problem !== null) return refuse(`Cannot use ${root} as the root: ${problem}`, terminal);
  const environments = findEnvironments(root, running.platform).filter(fitsFlag);
  if (form === "checkout" && running.form !== "checkout") {
    return refuse("--form checkout works in a checkout only", terminal);
  }
  const byCmd = form === "binary" && running.platform === "windows" &&
    client.startsIn === "anywhere";
  if (byCmd && !fitsCmd(root)) {
    return refuse(`cmd cannot be told to enter ${root}; use --form jsr`, terminal);
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
  return await changeProjectFile(client, entry, {
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
