/**
 * `pytest-mcp doctor`: what would a run use, and what stands in its way?
 *
 * @module
 */
import { join } from "node:path";
import { DEFAULT_SETTINGS } from "../domain/settings.ts";
import type { PytestEvent } from "../domain/pytest_event.ts";
import { denoPythonHost, mayRun } from "../pytest/deno_python_host.ts";
import { findPythons } from "../pytest/find_python.ts";
import { readCommandLine, refuse, usageError } from "./command_line.ts";
import { checkFacts, type DoctorFacts, renderChecks } from "./doctor_checks.ts";
import { findEnvironments } from "./find_environments.ts";
import { textFlag } from "./flags.ts";
import { inspectEnvironment } from "../domain/inspect_project.ts";
import { openProject, type Project } from "./project.ts";
import { awaitEnd } from "./signals.ts";
import { createStyle } from "./style.ts";
import type { Terminal } from "./terminal.ts";
import { thisProgram } from "./this_program.ts";
import { watchRunner } from "./watch_runner.ts";

/** The command; its exit code is 1 when something stands in the way of a run. */
export async function doctor(args: readonly string[], terminal: Terminal): Promise<number> {
  const line = await readCommandLine("doctor", args, { terminal });
  if (line.kind === "exit") return line.code;
  const [unexpected] = line.positionals;
  if (unexpected !== undefined) return usageError(`Unexpected argument '${unexpected}'`, terminal);
  const python = textFlag(line.values, "python");
  const root = textFlag(line.values, "root") ?? ".";
  const project = await openProject({ root, python, prewarm: false });
  if (!project.ok) return refuse(project.message, terminal);
  await using _runner = project.value.runner;
  using end = awaitEnd();
  const facts = await gatherFacts(project.value, { python, signal: end.signal });
  const ended = end.exitCode();
  if (ended !== null) return ended;
  const checks = checkFacts(facts);
  const ok = checks.every((check) => check.state !== "problem");
  terminal.out(
    line.values["json"] === true
      ? `${JSON.stringify({ ok, checks }, null, 2)}\n`
      : renderChecks(checks, createStyle(terminal.color)),
  );
  return ok ? 0 : 1;
}

async function gatherFacts(
  { files, runner }: Project,
  { python, signal }: { python: string | undefined; signal: AbortSignal },
): Promise<DoctorFacts> {
  let spawnFailure: DoctorFacts["spawnFailure"] = null;
  let started: DoctorFacts["started"] = null;
  const look = (event: PytestEvent) => {
    if (event.event === "spawn_failure") spawnFailure = event;
    if (event.event === "process_start") started = event;
  };
  const outcome = await inspectEnvironment({
    runner: watchRunner(runner, look),
    files,
    settings: DEFAULT_SETTINGS,
    signal,
  });
  const { root } = files;
  const { form, platform } = thisProgram();
  const query = { root, targets: [], ...(python === undefined ? {} : { python }) };
  // those of a monorepo's parts are taken when only tests of that part are to run
  const parts = python === undefined ? findEnvironments(root, platform) : [];
  return {
    form,
    root,
    candidates: [
      ...findPythons(query, denoPythonHost),
      ...parts.map((path) => ({ python: join(root, path), origin: path }))
        .filter((part) => denoPythonHost.exists(part.python) !== false),
    ].map((candidate) => ({
      python: candidate.python,
      origin: candidate.origin,
      mayRun: mayRun(candidate.python),
    })),
    environment: outcome.ok ? outcome.result : null,
    started,
    spawnFailure,
    failure: outcome.ok ? null : outcome.failure.message,
    extraRights: RIGHTS.filter((name) => Deno.permissions.querySync({ name }).state === "granted"),
  };
}

/** Each would be granted as a whole only by somebody who wanted to be rid of the question. */
const RIGHTS = ["read", "write", "net", "env", "sys", "run", "ffi"] as const;
