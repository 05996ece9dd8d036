import type { ProjectFiles } from "./project_files.ts";
import type { PytestRunner } from "./pytest_runner.ts";
import type { Settings } from "./settings.ts";

/** How far a run is; `total` is null until collection is over. */
export interface RunProgress {
  readonly finished: number;
  readonly total: number | null;
  readonly passed: number;
  readonly failed: number;
  /** the test that began last */
  readonly current: string | null;
}

/** What every use case needs from outside, and how its caller watches and stops it. */
export interface UseCaseContext {
  readonly runner: PytestRunner;
  readonly files: ProjectFiles;
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
}
