/** The port to the project's file tree: just enough to check the paths of a request, and to complete them. */
export interface ProjectFiles {
  /** absolute path of the root, symlinks resolved */
  readonly root: string;
  /** the root as it was named, when that differs: absolute paths may start with either */
  readonly namedRoot?: string;
  /** "windows" also accepts backslashes and rejects device names */
  readonly platform: "posix" | "windows";
  /** What is at this path (relative to the root, `/` between segments), symlinks resolved; null if nothing. */
  inspect(path: string): { readonly realPath: string; readonly isDirectory: boolean } | null;
  /** What is directly within this directory ("" for the root), in order of names; empty where it leads out of the root. */
  list(directory: string): readonly ListedEntry[];
}

/** One name in a directory. */
export interface ListedEntry {
  readonly name: string;
  readonly isDirectory: boolean;
}
