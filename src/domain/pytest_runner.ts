import type { PytestEvent } from "./pytest_event.ts";

/** One pytest session to be run, in terms of pytest. */
export interface PytestRequest {
  /** What follows `python -m pytest`; from `buildPytestArgs()` only. */
  readonly args: readonly string[];
  /** Exact tests, classes, files or directories to keep of what `args` collects; null keeps all. */
  readonly select: readonly string[] | null;
  /** Paths of the request, relative to the root: the interpreter nearest to them is taken. */
  readonly targets: readonly string[];
  readonly timeoutSeconds: number;
  readonly report: ReportOptions;
  /** Run only tests that these changes can affect; null runs all that `args` name. */
  readonly related: RelatedQuery | null;
  readonly session: SessionOptions;
}

/** Whose effects are looked for. */
export interface RelatedQuery {
  /** relative to the root */
  readonly paths: readonly string[];
  /** also what git shows as changed since HEAD */
  readonly git: boolean;
  /** test files, instead of what the project's settings say */
  readonly pattern: string | null;
}

/** What the plugin does besides reporting; a key that is not there costs nothing. */
export interface SessionOptions {
  /** plugins without which the arguments mean nothing, and the parameters that need them */
  readonly needs?: Readonly<Partial<Record<PluginNeed, string>>>;
  readonly shard?: { readonly index: number; readonly total: number };
  readonly timeBudget?: number;
  readonly resume?: {
    readonly offset: number;
    readonly order: string;
    readonly seed: number | null;
  };
  readonly durations?: number;
  readonly coverage?: CoverageOptions;
  /** tell what pytest's cache remembers */
  readonly lastFailed?: boolean;
}

/** Of what coverage is told. */
export interface CoverageOptions {
  /** null: all that is measured */
  readonly paths: readonly string[] | null;
  /** only lines that git shows as changed since HEAD */
  readonly changedOnly: boolean;
  /** those lines, once the runner has asked git */
  readonly changed?: ChangedLines;
}

/** File → ranges of changed lines, both ends included; `[n, n - 1]` is a deletion before line n; null: all of it. */
export type ChangedLines = Readonly<Record<string, readonly (readonly [number, number])[] | null>>;

/** Plugins by the names that pytest knows them under. */
export type PluginNeed = "xdist" | "pytest_cov" | "cacheprovider";

/** What the plugin is to report beyond outcomes. */
export interface ReportOptions {
  /** every item, for discovery */
  readonly items: boolean;
  /** local variables in frames */
  readonly locals: boolean;
  /** pytest's own rendering of each failure */
  readonly text: boolean;
  /** leave tracebacks out of pytest's terminal output */
  readonly hideTerminalTracebacks: boolean;
  /** pytest-json-report's report */
  readonly json: boolean;
  /** what pytest knows besides its tests */
  readonly inspect?: "markers" | "fixtures";
}

/**
 * The port to pytest. Every expected way to fail is an event; a rejection means a bug.
 * When `signal` aborts, the whole process tree is gone before the iteration ends.
 */
export interface PytestRunner {
  run(request: PytestRequest, options: { signal: AbortSignal }): AsyncIterable<PytestEvent>;
}
