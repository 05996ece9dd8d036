/**
 * The systems that a release has a binary for.
 *
 * @module
 */
import { dirname, join } from "node:path";
import { MEMORY_FLAG, permissionFlags } from "../../src/cli/permissions.ts";

/** A system, and the name of its binary: what the install scripts ask for. */
export interface Target {
  /** as Deno names it */
  readonly triple: string;
  readonly platform: "posix" | "windows";
  readonly file: string;
}

/** All of them. */
export const TARGETS: readonly Target[] = [
  { triple: "x86_64-unknown-linux-gnu", platform: "posix", file: "pytest-mcp-linux-x86_64" },
  { triple: "aarch64-unknown-linux-gnu", platform: "posix", file: "pytest-mcp-linux-aarch64" },
  { triple: "x86_64-apple-darwin", platform: "posix", file: "pytest-mcp-macos-x86_64" },
  { triple: "aarch64-apple-darwin", platform: "posix", file: "pytest-mcp-macos-aarch64" },
  { triple: "x86_64-pc-windows-msvc", platform: "windows", file: "pytest-mcp-windows-x86_64.exe" },
  {
    triple: "aarch64-pc-windows-msvc",
    platform: "windows",
    file: "pytest-mcp-windows-aarch64.exe",
  },
];

/** A bundle and the binary to make of it. */
export interface Build {
  /** main.js, as `bundle()` gives it */
  readonly entry: string;
  readonly output: string;
}

/**
 * The arguments of `deno` that build one binary: the files of the bundle, and the permissions as they are
 * written, so that "." means wherever the binary is started.
 */
export function compileArguments(target: Target, { entry, output }: Build): string[] {
  return [
    "compile",
    "--quiet", // also for the binary: Deno would remark on each interpreter that is not there
    "--config", // beside the bundle: no path of this machine then is in the binary
    join(dirname(entry), "deno.json"),
    MEMORY_FLAG,
    "--target",
    target.triple,
    "--app-name",
    "pytest-mcp",
    // Deno lets code come from seven hosts unless told another; nothing answers at this one
    "--allow-import=0.0.0.0:1",
    ...binaryPermissions(target),
    "--output",
    output,
    entry,
  ];
}

/** A binary cannot be given rights later: where there can be a sandbox, it may make one. */
export function binaryPermissions({ platform, triple }: Target): string[] {
  return permissionFlags({ platform, sandbox: triple.includes("linux") });
}
