/**
 * Where interpreters are, on each platform.
 *
 * @module
 */
import { posix, win32 } from "node:path";

/** The platforms that differ in where an environment keeps its interpreter. */
export type PythonPlatform = "posix" | "windows";

/** Directories that hold a project's own environment, in the order in which they are tried. */
export const ENVIRONMENT_DIRECTORIES = [".venv", "venv", ".virtualenv"] as const;

/** Interpreters on PATH, in the order in which they are tried. */
export const PATH_NAMES: Readonly<Record<PythonPlatform, readonly string[]>> = {
  posix: ["python3", "python"],
  windows: ["python3", "python", "py"],
};

/** The path functions of a platform. */
export function pathOf(platform: PythonPlatform): typeof posix {
  return platform === "windows" ? win32 : posix;
}

/** The interpreter of a virtual environment. */
export function environmentPython(directory: string, platform: PythonPlatform): string {
  return platform === "windows"
    ? win32.join(directory, "Scripts", "python.exe")
    : posix.join(directory, "bin", "python");
}

/** The interpreter of a conda environment, which on Windows stands at its top. */
export function condaPython(prefix: string, platform: PythonPlatform): string {
  return platform === "windows"
    ? win32.join(prefix, "python.exe")
    : environmentPython(prefix, platform);
}
