import assert from "node:assert/strict";
import type { PytestRequest, SessionOptions } from "../../src/domain/pytest_runner.ts";

/**
 * Every flag that a request may become, written down a second time on purpose: a new one has to be
 * added here by somebody who has thought about what it lets a client do.
 */
const KNOWN_FLAGS: readonly RegExp[] = [
  /^--continue-on-collection-errors$/,
  /^--no-summary$/,
  /^-vv$/,
  /^--tb=(short|long|native)$/,
  /^--showlocals$/,
  /^--show-capture=(all|no)$/,
  /^--color=(yes|no)$/,
  /^-x$/,
  /^--maxfail=[1-9]\d*$/,
  /^--collect-only$/,
  /^-q$/,
  /^--numprocesses=(auto|[1-9]|[1-5]\d|6[0-4])$/,
  /^--(last-failed|failed-first)$/,
  /^--cov(-reset|-branch|-report=|-fail-under=0)?$/,
];

/** What a request asked for, as far as its text may turn up in arguments. */
export interface AskedFor {
  readonly pattern?: string | undefined;
  readonly markers?: string | undefined;
  readonly keywords?: string | undefined;
}

/** Fails unless each argument is a known flag, a known flag with its checked value, or a path below the root. */
export function assertKnownArguments(args: readonly string[], asked: AskedFor): void {
  const rest = [...args];
  while (rest.length > 0) {
    const arg = rest.shift() ?? "";
    if (arg === "-o") {
      assert.equal(rest.shift(), `python_files=${asked.pattern}`);
      assert.match(asked.pattern ?? "", /^[A-Za-z0-9_*?.[\]-]+$/);
    } else if (arg.startsWith("-m=")) assert.equal(arg.slice(3).trim(), asked.markers?.trim());
    else if (arg.startsWith("-k=")) assert.equal(arg.slice(3).trim(), asked.keywords?.trim());
    else if (arg.startsWith("--cov=")) assertPathBelowRoot(arg.slice("--cov=".length));
    else if (!KNOWN_FLAGS.some((flag) => flag.test(arg))) assertPathBelowRoot(arg);
  }
}

/** By name alone; a backslash is an ordinary character of a name, except that none may hide a `..`. */
export function assertPathBelowRoot(path: string): void {
  assert.doesNotMatch(path, /^[-@/]|^$|[\0\r\n]/, JSON.stringify(path));
  assert.ok(!path.split("/").includes(".."), JSON.stringify(path));
  assert.ok(!path.split("\\").includes(".."), JSON.stringify(path));
}

/** Fails if a request carries anything beside what this knows to be harmless. */
export function assertNothingElse(request: PytestRequest): void {
  assert.deepEqual(Object.keys(request).sort(), [
    "args",
    "related",
    "report",
    "select",
    "session",
    "targets",
    "timeoutSeconds",
  ]);
  for (const [name, value] of Object.entries(request.report)) {
    assert.ok(["items", "locals", "text", "hideTerminalTracebacks", "json"].includes(name), name);
    assert.equal(typeof value, "boolean");
  }
  request.targets.forEach(assertPathBelowRoot);
  request.related?.paths.forEach(assertPathBelowRoot);
  request.session.coverage?.paths?.forEach(assertPathBelowRoot);
  assertHarmlessSession(request.session);
  assert.ok(Number.isSafeInteger(request.timeoutSeconds) && request.timeoutSeconds > 0);
}

/** Numbers, booleans and names that are written down here: nothing of it can be read as anything else. */
function assertHarmlessSession({ needs = {}, coverage, resume, ...numbers }: SessionOptions): void {
  for (const [plugin, parameter] of Object.entries(needs)) {
    assert.match(plugin, /^(xdist|pytest_cov|cacheprovider)$/);
    assert.match(parameter, /^(parallel|coverage|last_failed|failed_first)$/);
  }
  assert.ok(coverage === undefined || typeof coverage.changedOnly === "boolean");
  assert.match(resume?.order ?? "0", /^[0-9a-z]{1,13}$/);
  for (const [name, value] of Object.entries(numbers)) {
    assert.match(name, /^(shard|timeBudget|durations|lastFailed)$/);
    for (const each of typeof value === "object" ? Object.values(value) : [value]) {
      assert.ok(each === true || Number.isSafeInteger(each), `${name}: ${each}`);
    }
  }
}
