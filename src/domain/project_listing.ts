/** The port to the names within a directory of the project, for completion of paths. */
export interface ProjectListing {
  /** What is directly within this directory (relative to the root, "" for the root); empty if it is none. */
  list(directory: string): Promise<readonly ListedEntry[]>;
}

/** One name in a directory. */
export interface ListedEntry {
  readonly name: string;
  readonly isDirectory: boolean;
}
