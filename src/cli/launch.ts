/**
 * How a client starts the server, for each form: the command line with its permissions.
 *
 * @module
 */
import type { PythonPlatform } from "../pytest/python_layout.ts";
import { denoRunFlags, type Form, type PermissionOptions } from "./permissions.ts";

/** A program with its arguments, never passed through a shell by us. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a launch depends on. */
export interface LaunchOptions {
  readonly form: Form;
  readonly platform: PythonPlatform;
  /** of the package on JSR */
  readonly version: string;
  /** the program: `pytest-mcp` or `deno`, by name or by path */
  readonly program: string;
  /** main.ts of a checkout */
  readonly entry: string;
  /** the project, where the client does not start the server in it */
  readonly enter?: string | undefined;
  /** interpreters beyond the usual places */
  readonly pythons?: readonly string[];
  /** --python */
  readonly python?: string | undefined;
  /** --sandbox */
  readonly sandbox?: boolean;
}

/** The command that starts the server with the rights it needs and no others. */
export function buildLaunch(options: LaunchOptions): Launch {
  const { form, platform, program, enter, python, pythons = [], sandbox = false } = options;
  const chosen = [
    ...(python === undefined ? [] : ["--python", python]),
    ...(sandbox ? ["--sandbox"] : []),
  ];
  if (form === "binary") {
    return enter === undefined
      ? { command: program, args: chosen }
      : startIn(enter, [program, ...chosen], platform);
  }
  const permissions: PermissionOptions = {
    platform,
    ...(enter === undefined ? {} : { root: enter }),
    pythons: python === undefined ? pythons : [...pythons, python],
    sandbox,
  };
  const source = form === "jsr" ? `jsr:@pytest-mcp/server@${options.version}` : options.entry;
  const root = enter === undefined ? [] : ["--root", enter];
  return {
    command: program,
    args: ["run", ...denoRunFlags(form, permissions), source, ...root, ...chosen],
  };
}

/** The binary's rights begin where it is started, so a client that cannot say where needs a `cd`. */
function startIn(directory: string, command: readonly string[], platform: PythonPlatform): Launch {
  return platform === "windows"
    ? { command: "cmd", args: ["/d", "/c", "cd", "/d", directory, "&&", ...command] }
    : { command: "sh", args: ["-c", 'cd "$0" && exec "$@"', directory, ...command] };
}

/**
 * Whether `cmd` can be told to enter a directory. A client puts quotes around what holds a blank, and only
 * around that; nothing protects a percent sign.
 */
export function fitsCmd(directory: string): boolean {
  return !directory.includes("%") && (/\s/.test(directory) || !/[&|<>^,;=()]/.test(directory));
}
