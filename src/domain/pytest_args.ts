/**
 * Parameters → the argument list of `python -m pytest`. The only file that knows pytest's flags, and the
 * only producer of argv: every element is a flag written here, a flag written here joined by `=` to a
 * checked value, or a checked path.
 *
 * @module
 */
import type { DiscoverParams } from "./discover_params.ts";
import type { ExecuteParams } from "./execute_params.ts";
import type { RelatedTests } from "./pytest_event.ts";
import type { PytestRequest, RelatedQuery, SessionOptions } from "./pytest_runner.ts";
import { readResumePoint } from "./resume_point.ts";

/** The session that answers execute_tests. */
export function buildPytestArgs(params: ExecuteParams): PytestRequest {
  return {
    args: [...runFlags(params), ...selectionFlags(params), ...pathArguments(params.targets)],
    select: params.node_ids ?? within(params),
    targets: params.targets,
    timeoutSeconds: params.timeout,
    report: {
      items: false,
      locals: params.show_locals,
      text: params.traceback !== "lean",
      hideTerminalTracebacks: params.verbosity === 1,
      json: params.include_json_report,
    },
    related: relatedQuery(params),
    session: sessionOptions(params),
  };
}

function sessionOptions(params: ExecuteParams): SessionOptions {
  const { parallel, last_failed, failed_first, coverage, shard, durations } = params;
  const needs = {
    ...(parallel === undefined ? {} : { xdist: "parallel" }),
    ...(coverage === undefined ? {} : { pytest_cov: "coverage" }),
    ...(last_failed ? { cacheprovider: "last_failed" } : {}),
    ...(failed_first ? { cacheprovider: "failed_first" } : {}),
  };
  const resume = params.resume_after === undefined ? null : readResumePoint(params.resume_after);
  return {
    ...(Object.keys(needs).length === 0 ? {} : { needs }),
    ...(shard === undefined ? {} : { shard }),
    ...(params.time_budget === undefined ? {} : { timeBudget: params.time_budget }),
    ...(resume === null ? {} : { resume }),
    ...(durations === undefined ? {} : { durations }),
    ...(coverage === undefined
      ? {}
      : { coverage: { changedOnly: coverage.changed_only, paths: coverage.paths ?? null } }),
    ...(last_failed || failed_first ? { lastFailed: true } : {}),
  };
}

/** A project's own addopts may name paths, too: nothing of them runs when the request names others. */
function within({ targets }: ExecuteParams | DiscoverParams): readonly string[] | null {
  return targets.length === 0 ? null : targets;
}

function relatedQuery(params: ExecuteParams | DiscoverParams): RelatedQuery | null {
  const { related_to, changed, pattern = null } = params;
  if (related_to === undefined && !changed) return null;
  return { paths: related_to ?? [], git: changed, pattern };
}

/** The request for these tests only; null: there are none. */
export function narrowRequest(
  request: PytestRequest,
  { files, everything }: Pick<RelatedTests, "files" | "everything">,
): PytestRequest | null {
  if (everything) return request;
  if (files.length === 0) return null;
  const before = new Set(pathArguments(request.targets));
  const targets = files.map(({ path }) => path);
  return {
    ...request,
    args: [...request.args.filter((arg) => !before.has(arg)), ...pathArguments(targets)],
    select: files.flatMap(({ path, tests }) => tests?.map((name) => `${path}::${name}`) ?? [path]),
    targets,
  };
}

/** The session that answers discover_tests. */
export function buildDiscoverArgs(params: DiscoverParams): PytestRequest {
  return {
    args: ["--collect-only", "-q", ...selectionFlags(params), ...pathArguments(params.targets)],
    select: within(params),
    targets: params.targets,
    timeoutSeconds: params.timeout,
    report: {
      items: true,
      locals: false,
      text: false,
      hideTerminalTracebacks: false,
      json: false,
    },
    related: relatedQuery(params),
    session: params.shard === undefined ? {} : { shard: params.shard },
  };
}

/** The session that answers a question about the project; asking for markers collects nothing. */
export function buildInspectArgs(
  what: "markers" | "fixtures",
  timeoutSeconds: number,
): PytestRequest {
  return {
    args: what === "markers" ? ["--markers"] : ["--collect-only", "-q"],
    select: null,
    targets: [],
    timeoutSeconds,
    report: {
      items: false,
      locals: false,
      text: false,
      hideTerminalTracebacks: false,
      json: false,
      inspect: what,
    },
    related: null,
    session: {},
  };
}

/** What a person would paste to run the same: node ids in place of files and a filter. */
export function pasteableArgs(
  request: Pick<PytestRequest, "args" | "select" | "targets">,
): string[] {
  if (request.select === null) return [...request.args];
  const paths = new Set(pathArguments(request.targets));
  return [...request.args.filter((arg) => !paths.has(arg)), ...request.select];
}

function runFlags(params: ExecuteParams): string[] {
  const flags = ["--continue-on-collection-errors"];
  // Nobody reads the terminal below 1: its summary and its rendering of tracebacks only cost time.
  if (params.verbosity <= 0) flags.push("--no-summary");
  if (params.verbosity === 2) flags.push("-vv");
  // pytest renders "native" fastest; its report for machines holds what it renders, so there "short".
  if (params.traceback !== "lean") flags.push(`--tb=${params.traceback}`);
  else if (params.include_json_report) flags.push("--tb=short");
  else if (params.verbosity < 2) flags.push("--tb=native");
  if (params.show_locals) flags.push("--showlocals");
  if (params.show_capture !== undefined) {
    flags.push(`--show-capture=${params.show_capture ? "all" : "no"}`);
  }
  flags.push(`--color=${params.color ? "yes" : "no"}`);
  if (params.failfast) flags.push("-x");
  if (params.maxfail !== undefined) flags.push(`--maxfail=${params.maxfail}`);
  if (params.parallel !== undefined) flags.push(`--numprocesses=${params.parallel}`);
  if (params.last_failed) flags.push("--last-failed");
  if (params.failed_first) flags.push("--failed-first");
  return [...flags, ...coverageFlags(params)];
}

/** pytest-cov measures directories and writes no report; what is told of them is chosen from its data. */
function coverageFlags({ coverage }: ExecuteParams): string[] {
  if (coverage === undefined) return [];
  const { paths, branch, fail_under } = coverage;
  const directories = paths?.map((path) => path.endsWith(".py") ? parentOf(path) : path);
  return [
    ...(directories === undefined
      ? ["--cov"]
      : ["--cov-reset", ...[...new Set(directories)].map((path) => `--cov=${path}`)]),
    "--cov-report=",
    ...(branch ? ["--cov-branch"] : []),
    // The limit is for what is told, which may be less than what is measured: it is held afterwards.
    ...(fail_under === undefined ? [] : ["--cov-fail-under=0"]),
  ];
}

function parentOf(path: string): string {
  return ancestors(path)[0] ?? ".";
}

function selectionFlags({ pattern, markers, keywords }: ExecuteParams | DiscoverParams): string[] {
  const flags: string[] = [];
  if (pattern !== undefined) flags.push("-o", `python_files=${pattern}`);
  // Joined by `=`, an expression that begins with a dash cannot become a flag.
  if (markers !== undefined) flags.push(`-m=${expression(markers)}`);
  if (keywords !== undefined) flags.push(`-k=${expression(keywords)}`);
  return flags;
}

/** argparse takes a value that is exactly `--` for no value at all; white space means nothing to pytest. */
function expression(text: string): string {
  return text === "--" ? " --" : text;
}

/** pytest reads `::` and `[` in an argument as parts of a node id, even within a path. */
function isAwkward(path: string): boolean {
  return path.includes("::") || path.includes("[");
}

/** Each file once, and none that a directory argument covers: older pytests run such tests twice. */
function pathArguments(targets: readonly string[]): string[] {
  const wanted = new Set(targets.map(plainPath));
  return [...wanted].filter((path) => !ancestors(path).some((ancestor) => wanted.has(ancestor)));
}

/** The path itself, or its nearest ancestor that pytest cannot misread. */
function plainPath(path: string): string {
  if (!isAwkward(path)) return path;
  return ancestors(path).find((ancestor) => !isAwkward(ancestor)) ?? ".";
}

/** Nearest first, the root (`.`) last. */
function ancestors(path: string): string[] {
  if (path === ".") return [];
  const found: string[] = [];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    found.push(path.slice(0, at));
  }
  return [...found, "."];
}
