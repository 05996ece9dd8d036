/** The port to the project's file tree: just enough to check the paths of a request. */
export interface ProjectFiles {
  /** absolute path of the root, symlinks resolved */
  readonly root: string;
  /** the root as it was named, when that differs: absolute paths may start with either */
  readonly namedRoot?: string;
  /** "windows" also accepts backslashes and rejects device names */
  readonly platform: "posix" | "windows";
  /** What is at this path (relative to the root, `/` between segments), symlinks resolved; null if nothing. */
  inspect(path: string): { readonly realPath: string; readonly isDirectory: boolean } | null;
}
