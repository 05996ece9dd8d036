/**
 * The paths and node ids of a request: what is accepted, and its one spelling from here on — relative
 * to the root, `/` between segments.
 *
 * @module
 */
import { nearestPaths } from "./nearest_path.ts";
import type { ProjectFiles } from "./project_files.ts";

/** A path or node id that was accepted, or why it was not. */
export type PathCheck =
  | {
    readonly ok: true;
    readonly path: string;
    readonly isDirectory: boolean;
    /** what follows the path in a node id, with its leading `::` */
    readonly rest: string;
  }
  | { readonly ok: false; readonly type: string; readonly message: string };

/** A node id in its parts: the file or directory, and what follows it with its leading `::` (or nothing). */
export interface NodeIdParts {
  readonly file: string;
  readonly rest: string;
}

/** A path with `::` in it is rare; a parameter id with hundreds must not cost hundreds of file accesses. */
const MAX_SPLITS = 5;

const WINDOWS_DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\..*)?$/i;

function refuse(type: string, message: string): PathCheck {
  return { ok: false, type, message };
}

/** Checks a path: existing, inside the root in name and in fact, and nothing that pytest could take for a flag. */
export function checkPath(path: string, files: ProjectFiles): PathCheck {
  if (path === "") return refuse("invalid_path", "must not be empty; the root itself is '.'");
  if (/[\0\r\n]/.test(path)) return refuse("invalid_path", "must not hold a NUL or a newline");
  const relative = relativeToRoot(path, files);
  if (typeof relative !== "string") return relative;
  const found = files.inspect(relative);
  if (found === null) {
    const advice = path.includes("::")
      ? "a single test goes into node_ids"
      : pathAdvice(relative, files);
    return refuse(
      "path_not_found",
      `Path not found: paths are relative to ${files.root}; ${advice}`,
    );
  }
  if (!isInside(found.realPath, files)) {
    return refuse("outside_root", `leads outside the root ${files.root} through a symbolic link`);
  }
  return { ok: true, path: relative, isDirectory: found.isDirectory, rest: "" };
}

function pathAdvice(relative: string, files: ProjectFiles): string {
  const found = nearestPaths(relative, files);
  return found.length > 0 ? `nearest: ${found.join(", ")}` : "discover_tests shows where tests are";
}

/** Checks what coverage is to measure: another file would be taken for the name of a module, and imported. */
export function checkMeasuredPath(path: string, files: ProjectFiles): PathCheck {
  const checked = checkPath(path, files);
  if (!checked.ok || checked.isDirectory || checked.path.endsWith(".py")) return checked;
  return refuse("invalid_path", "must be a directory or a .py file");
}

/** Checks a node id; only its file part is a path, a parameter id may hold anything. */
export function checkNodeId(nodeId: string, files: ProjectFiles): PathCheck {
  const { file, rest } = splitNodeId(nodeId, files);
  if (file === "" && rest !== "") {
    return refuse("invalid_path", "must start with a file: tests/test_user.py::test_login");
  }
  const bracket = rest.indexOf("[");
  if (/[\0\r\n]/.test(bracket < 0 ? rest : rest.slice(0, bracket))) {
    return refuse("invalid_path", "must not hold a NUL or a newline outside of its parameter id");
  }
  const checked = checkPath(file, files);
  if (!checked.ok) return checked;
  if (checked.isDirectory && rest !== "") {
    return refuse(
      "invalid_path",
      `${checked.path} is a directory: only a file is followed by '::'`,
    );
  }
  return { ...checked, rest };
}

/** Splits at the first `::` that follows an existing file: directories and parameter ids may hold `::` too. */
export function splitNodeId(nodeId: string, files: ProjectFiles): NodeIdParts {
  const first = nodeId.indexOf("::");
  if (first <= 0) return first < 0 ? { file: nodeId, rest: "" } : { file: "", rest: nodeId };
  let at = first;
  for (let tried = 0; at >= 0 && tried < MAX_SPLITS; tried++) {
    const file = nodeId.slice(0, at);
    if (inspect(file, files)?.isDirectory === false) return { file, rest: nodeId.slice(at) };
    at = nodeId.indexOf("::", at + 1);
  }
  if (inspect(nodeId, files) !== null) return { file: nodeId, rest: "" };
  return { file: nodeId.slice(0, first), rest: nodeId.slice(first) };
}

function inspect(path: string, files: ProjectFiles): ReturnType<ProjectFiles["inspect"]> {
  const relative = /[\0\r\n]/.test(path) ? null : relativeToRoot(path, files);
  return typeof relative === "string" ? files.inspect(relative) : null;
}

/** The path from the root, in one spelling; purely by name. */
function relativeToRoot(path: string, files: ProjectFiles): string | PathCheck {
  const windows = files.platform === "windows";
  if (/^[-@]/.test(path)) return refuse("invalid_path", "must not start with '-' or '@'");
  // `..` behind a backslash is refused everywhere: no test lives there, and the other system splits it.
  if (path.split(/[\\/]/).includes("..")) {
    return refuse("invalid_path", "must not hold '..'; name it from the root");
  }
  let text = windows ? path.replaceAll("\\", "/") : path;
  if (text.startsWith("/") || (windows && /^[a-z]:/i.test(text))) {
    const inside = withoutRoot(text, files);
    if (inside === null) return refuse("outside_root", `is outside the root ${files.root}`);
    text = inside;
  }
  const segments = text.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (windows && segments.some((s) => s.includes(":") || WINDOWS_DEVICE.test(s))) {
    return refuse("invalid_path", "must not hold ':' or name a device");
  }
  const relative = segments.join("/");
  if (/^[-@]/.test(relative)) return refuse("invalid_path", "must not start with '-' or '@'");
  return relative === "" ? "." : relative;
}

function withoutRoot(path: string, files: ProjectFiles): string | null {
  for (const root of [files.root, files.namedRoot ?? files.root]) {
    const inside = below(path, root, files);
    if (inside !== null) return inside;
  }
  return null;
}

function isInside(realPath: string, files: ProjectFiles): boolean {
  return below(realPath, files.root, files) !== null;
}

/** What follows the root in an absolute path; null if it is not below it. */
function below(path: string, root: string, { platform }: ProjectFiles): string | null {
  const spell = (text: string) =>
    platform === "windows" ? text.replaceAll("\\", "/").toLowerCase() : text;
  const length = spell(root).endsWith("/") ? root.length - 1 : root.length;
  // Cut first: a letter can be longer in its small form.
  if (spell(path.slice(0, length)) !== spell(root.slice(0, length))) return null;
  if (path.length === length) return "";
  return spell(path.charAt(length)) === "/" ? path.slice(length + 1) : null;
}
