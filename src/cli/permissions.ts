/**
 * The exact rights that pytest-mcp asks of Deno: the one place from which the compiled binary, the
 * client configurations, the documents and the tests take them.
 *
 * @module
 */
import {
  ENVIRONMENT_DIRECTORIES,
  environmentPython,
  PATH_NAMES,
  pathOf,
  type PythonPlatform,
} from "../pytest/python_layout.ts";
import { BUBBLEWRAP } from "../pytest/bubblewrap.ts";
import { GIT } from "../pytest/git.ts";

/** How the program was installed: decides who passes the flags. */
export const FORMS = ["binary", "jsr", "checkout"] as const;
export type Form = (typeof FORMS)[number];

/** What the flags depend on. */
export interface PermissionOptions {
  readonly platform: PythonPlatform;
  /** default ".": wherever the program is started */
  readonly root?: string;
  /** interpreters beyond the usual places: --python, environments of a monorepo's parts */
  readonly pythons?: readonly string[];
  /** the file of --audit-log */
  readonly auditLog?: string;
  /** --sandbox: the program that makes it */
  readonly sandbox?: boolean;
}

/**
 * The only variables that can be read: two that choose the interpreter, and those that Deno will not
 * pass on to a child by itself.
 */
export const READABLE_VARIABLES: Readonly<Record<PythonPlatform, readonly string[]>> = {
  posix: ["VIRTUAL_ENV", "CONDA_PREFIX", "LD_*", "DYLD_*"],
  windows: ["VIRTUAL_ENV", "CONDA_PREFIX"],
};

/** The interpreters that every form may start, in the order in which they are looked for. */
export function usualPythons(platform: PythonPlatform, root = "."): string[] {
  const own = ENVIRONMENT_DIRECTORIES.map((directory) =>
    environmentPython(pathOf(platform).join(root, directory), platform)
  );
  return [...PATH_NAMES[platform], ...own];
}

/** Deno's permission flags: read the root, start Python and git, see a few variables, and nothing else. */
export function permissionFlags(options: PermissionOptions): string[] {
  const { platform, root = ".", pythons = [], auditLog, sandbox = false } = options;
  const wrapper = sandbox ? [BUBBLEWRAP] : [];
  const runnable = [
    ...new Set([...usualPythons(platform, root), GIT, ...pythons, ...wrapper]),
  ];
  return [
    "--no-prompt",
    `--allow-read=${list([root])}`,
    `--allow-run=${list(runnable)}`,
    `--allow-env=${list(READABLE_VARIABLES[platform])}`,
    ...(auditLog === undefined ? [] : [`--allow-write=${list([auditLog])}`]),
  ];
}

/**
 * Garbage is collected before there is much of it: a server that waits most of its life should be small,
 * and V8 by itself lets it grow to several times its need under load.
 */
export const MEMORY_FLAG = "--v8-flags=--max-semi-space-size=4";

/** The MCP SDK as for a browser: without Node's process and a JSON Schema validator, a sixth of the start. */
const SDK_FLAG = "--conditions=browser";

/**
 * What stands between `deno run` and the arguments of pytest-mcp in a form that runs from source.
 * Neither may read or write the settings, lock file or packages of the project where it is started,
 * nor load code from anywhere but its own package.
 */
export function denoRunFlags(form: Exclude<Form, "binary">, options: PermissionOptions): string[] {
  const source = form === "jsr"
    ? ["--no-config", "--allow-import=jsr.io:443"]
    : ["--no-remote", SDK_FLAG];
  return ["--quiet", ...source, MEMORY_FLAG, ...permissionFlags(options)];
}

/** Deno separates the items of a flag by commas and has no way to write one within an item. */
export function fitsFlag(item: string): boolean {
  return !item.includes(",");
}

function list(items: readonly string[]): string {
  const broken = items.find((item) => !fitsFlag(item));
  if (broken !== undefined) throw new Error(`A permission flag cannot hold a comma: ${broken}`);
  return items.join(",");
}
