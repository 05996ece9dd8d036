import { fileURLToPath } from "node:url";
import { z } from "zod";
import { denoRunFlags } from "../../src/cli/permissions.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

/** How one test wants the server started. */
export interface ServerCommandOptions {
  /** flags of `serve` */
  readonly flags?: readonly string[];
  /** the file of --audit-log, which needs a permission of its own */
  readonly auditLog?: string;
  /** a program that starts the server, with its arguments */
  readonly wrapper?: readonly string[];
}

/**
 * The server under test: the command in PYTEST_MCP_SERVER_COMMAND (a JSON list: a compiled binary, an
 * installed package), or this checkout, each under its real permissions.
 */
export function serverCommand(options: ServerCommandOptions = {}): [string, ...string[]] {
  const [program, ...args] = bareCommand(options);
  const [wrapper, ...rest] = options.wrapper ?? [];
  return wrapper === undefined ? [program, ...args] : [wrapper, ...rest, program, ...args];
}

function bareCommand(options: ServerCommandOptions): [string, ...string[]] {
  const { flags = [], auditLog } = options;
  const all = auditLog === undefined ? flags : [...flags, "--audit-log", auditLog];
  const given = Deno.env.get("PYTEST_MCP_SERVER_COMMAND");
  if (given !== undefined) {
    const [program, ...args] = z.tuple([z.string()], z.string()).parse(JSON.parse(given));
    return [program, ...args, ...all];
  }
  const permissions = denoRunFlags("checkout", {
    platform: Deno.build.os === "windows" ? "windows" : "posix",
    ...(auditLog === undefined ? {} : { auditLog }),
    sandbox: flags.includes("--sandbox"),
  });
  return [Deno.execPath(), "run", ...permissions, MAIN, ...all];
}

/** What the server's process sees of the environment: as a client would start it, nothing chosen by chance. */
export function serverEnvironment(): Record<string, string> {
  const names = [
    "PATH",
    "HOME",
    "USER",
    "TMPDIR",
    "DENO_DIR",
    "XDG_CACHE_HOME",
    "LOCALAPPDATA",
    "SystemRoot",
    "TEMP",
    "USERPROFILE",
  ];
  return Object.fromEntries(names.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
}
