/**
 * What `doctor` makes of the facts it has gathered.
 *
 * @module
 */
import type { ProjectEnvironment } from "../domain/inspect_project.ts";
import type { PytestEvent } from "../domain/pytest_event.ts";
import type { Form } from "./permissions.ts";
import { printable, type Style } from "./style.ts";

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly state: "ok" | "warning" | "problem";
  readonly detail: string;
  /** what to do about it, if anything */
  readonly fix: string | null;
}

/** An interpreter that the project may mean. */
export interface CandidateFact {
  readonly python: string;
  readonly origin: string;
  readonly mayRun: boolean;
}

/** Everything that the checks are made from. */
export interface DoctorFacts {
  readonly form: Form;
  readonly root: string;
  readonly candidates: readonly CandidateFact[];
  readonly environment: ProjectEnvironment | null;
  /** the interpreter that was started, whether or not pytest came to life in it */
  readonly started: { readonly python: string; readonly reason: string } | null;
  readonly spawnFailure: Extract<PytestEvent, { event: "spawn_failure" }> | null;
  /** why there is no environment, when it is not a matter of the interpreter */
  readonly failure: string | null;
  /** rights that Deno has given beyond those that are needed: "write", "net" */
  readonly extraRights: readonly string[];
}

/** The oldest pytest that the plugin understands. */
const OLDEST_PYTEST = [6, 2] as const;

/** All checks, in the order in which problems should be mended. */
export function checkFacts(facts: DoctorFacts): Check[] {
  const { environment } = facts;
  return [
    { name: "root", state: "ok", detail: facts.root, fix: null },
    checkInterpreter(facts),
    ...(environment === null
      ? checkStart(facts)
      : [checkPytest(environment), ...describeSettings(environment, facts)]),
    checkRunRights(facts),
    checkExtraRights(facts),
  ];
}

/** Each check with a tick or a cross, and below it the command that mends it. */
export function renderChecks(checks: readonly Check[], style: Style): string {
  const marks = { ok: style.green("✓"), warning: style.yellow("!"), problem: style.red("✗") };
  const width = Math.max(...checks.map((check) => check.name.length));
  return checks.map(({ name, state, detail, fix }) => {
    const gap = " ".repeat(width + 4);
    const lines = printable(detail).split("\n").join(`\n${gap}`);
    const mend = fix === null ? "" : `\n${gap}${style.cyan(`→ ${printable(fix)}`)}`;
    return `${marks[state]} ${style.bold(name.padEnd(width))}  ${lines}${mend}\n`;
  }).join("");
}

function checkInterpreter({ environment, started, spawnFailure }: DoctorFacts): Check {
  const name = "interpreter";
  if (environment !== null) {
    const { executable, python, reason } = environment;
    return { name, state: "ok", detail: `${executable} (Python ${python}; ${reason})`, fix: null };
  }
  if (spawnFailure !== null) {
    const tried = spawnFailure.tried.map(({ python, origin, problem }) =>
      `${python} (${origin}): ${problem}`
    );
    const detail = [spawnFailure.message, ...tried].join("\n");
    return { name, state: "problem", detail, fix: spawnFailure.fix };
  }
  return started === null
    ? { name, state: "problem", detail: "none was started", fix: null }
    : { name, state: "ok", detail: `${started.python} (${started.reason})`, fix: null };
}

/** A broken conftest.py or ini file: pytest could be started, and did not come so far as to say who it is. */
function checkStart({ spawnFailure, started, failure }: DoctorFacts): Check[] {
  if (spawnFailure !== null) return [];
  return [{
    name: "pytest",
    state: "problem",
    detail: failure ?? "pytest did not say who it is",
    fix: `${
      started?.python ?? "python"
    } -m pytest --collect-only shows the same without pytest-mcp`,
  }];
}

function checkPytest({ pytest, executable, plugins }: ProjectEnvironment): Check {
  const [major = 0, minor = 0] = pytest.split(".").map(Number);
  const [oldest, oldestMinor] = OLDEST_PYTEST;
  const old = major < oldest || (major === oldest && minor < oldestMinor);
  const others = plugins.length === 0 ? "no plugins" : plugins.join(", ");
  return {
    name: "pytest",
    state: old ? "problem" : "ok",
    detail: `${pytest}; ${others}`,
    fix: old ? `${executable} -m pip install --upgrade "pytest>=${OLDEST_PYTEST.join(".")}"` : null,
  };
}

function describeSettings(
  { rootdir, inifile }: ProjectEnvironment,
  { root }: DoctorFacts,
): Check[] {
  const same = rootdir === root;
  return [
    {
      name: "rootdir",
      state: same ? "ok" : "warning",
      detail: same ? rootdir : `${rootdir}, not the root: node ids are relative to it`,
      fix: same ? null : `start pytest-mcp in ${rootdir}, or give this project its own pytest.ini`,
    },
    { name: "ini file", state: "ok", detail: inifile ?? "none; pytest's defaults hold", fix: null },
  ];
}

function checkRunRights({ candidates, form }: DoctorFacts): Check {
  const name = "permissions";
  const show = (list: readonly CandidateFact[]) => list.map(({ python }) => python).join(", ");
  const held = candidates.filter((candidate) => candidate.mayRun);
  const missing = candidates.filter((candidate) => !candidate.mayRun);
  // a name that is not on PATH is refused like one without the right: what to do stands above
  const places = missing.filter(({ python }) => /[\\/]/.test(python));
  if (places.length === 0) {
    const detail = held.length > 0
      ? `may start ${show(held)}`
      : missing.length > 0
      ? `${show(missing)}: not on PATH, or not in --allow-run`
      : "no interpreter to start";
    const stuck = held.length === 0 && missing.length > 0;
    return { name, state: stuck ? "problem" : "ok", detail, fix: null };
  }
  return {
    name,
    state: held.length === 0 ? "problem" : "warning",
    detail: `may not start ${show(places)}${held.length === 0 ? "" : `; may start ${show(held)}`}`,
    fix: form === "binary"
      ? "the binary starts interpreters on PATH and in the root's .venv only: activate that environment, or use pytest-mcp config CLIENT --form jsr"
      : `add them to --allow-run (pytest-mcp config prints the flags)`,
  };
}

function checkExtraRights({ extraRights }: DoctorFacts): Check {
  return extraRights.length === 0
    ? {
      name: "confinement",
      state: "ok",
      detail: "Deno grants nothing beyond what is needed",
      fix: null,
    }
    : {
      name: "confinement",
      state: "warning",
      detail: `Deno grants more than is needed: ${extraRights.join(", ")}`,
      fix: "start it with the flags that pytest-mcp config prints",
    };
}
