/**
 * The runner: chooses an interpreter, starts it, and passes on what it says.
 *
 * @module
 */
import type { PytestEvent } from "../domain/pytest_event.ts";
import type { PytestRequest, PytestRunner } from "../domain/pytest_runner.ts";
import { askPython, type Reply } from "./ask_python.ts";
import type { DriverEvent } from "./driver_event.ts";
import { denoPythonHost, mayRun } from "./deno_python_host.ts";
import { findPythons, type PythonCandidate, type PythonHost } from "./find_python.ts";
import { findGitChanges } from "./git_changes.ts";
import type { Limits } from "./limits.ts";
import { PythonProcess } from "./python_process.ts";
import { RELATED_MODULES } from "./python_modules.ts";
import { narrowRuns, type RelatedQuestion } from "./related_runs.ts";
import { Sandbox } from "./sandbox.ts";
import { explainSpawnFailure, type TriedPython } from "./spawn_failure.ts";
import { WarmProcess } from "./warm_process.ts";

/** What the person who starts the server decides about pytest. */
export interface PytestRunnerOptions {
  /** absolute */
  readonly root: string;
  /** --python */
  readonly python?: string;
  /** keep a process ready that has imported pytest; default false */
  readonly prewarm?: boolean;
  /** run the tests in a sandbox; without one they do not run */
  readonly sandbox?: boolean;
  readonly limits?: Limits;
  /** variables for its processes beyond those of this one; default none */
  readonly environment?: Readonly<Record<string, string>>;
  /** where interpreters are looked for; default: this machine */
  readonly host?: PythonHost;
  /** hears all that a process says, also what only the runner needs */
  readonly overhear?: (event: DriverEvent) => void;
}

/** A runner that owns processes. */
export interface OwnedPytestRunner extends PytestRunner, AsyncDisposable {
  /** Gets a process ready for the first run; does nothing unless `prewarm` is set. */
  prepare(): void;
}

/** Deno looks names up when it starts; one that was not on PATH then is refused like one it may not run. */
function explainRefusal(python: string): string {
  return /[\\/]/.test(python)
    ? `Deno may not run it: add ${python} to --allow-run`
    : "not found on PATH when the server started, or not in Deno's --allow-run";
}

function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** Runs pytest in processes of its own; disposing it ends them all. */
export function createPytestRunner(options: PytestRunnerOptions): OwnedPytestRunner {
  const { root, environment = {}, host = denoPythonHost, limits = {}, overhear } = options;
  const sandbox = options.sandbox ? new Sandbox({ root, environment }) : undefined;
  const processes = new Set<PythonProcess>();
  let disposed = false;
  const warm = new WarmProcess((python) => start(python, true));

  function start(python: string, prewarm: boolean): PythonProcess {
    const command = sandbox?.command(python) ?? [python];
    const process = PythonProcess.start(python, { root, environment, prewarm, limits, command });
    processes.add(process);
    // Not when it is gone: its pipes may still be open then, and disposing waits for them, too.
    process.left.then(() => processes.delete(process));
    return process;
  }

  function candidates(targets: readonly string[]): PythonCandidate[] {
    return findPythons({ ...options, targets }, host);
  }

  function prepare(python: string): void {
    if (!options.prewarm || !mayRun(python)) return;
    if (sandbox === undefined) return warm.prepare(python);
    sandbox.learn(python).then((problem) => {
      if (problem === null && !disposed) warm.prepare(python);
    }, () => {}); // the next run will say it
  }

  /** A process for one request, or why there is none. */
  async function obtain({ python }: PythonCandidate): Promise<PythonProcess | string> {
    if (!mayRun(python)) return explainRefusal(python);
    try {
      const problem = await sandbox?.learn(python);
      if (typeof problem === "string") return problem;
      return warm.take(python) ?? start(python, false);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) {
        return isDirectory(root) ? "not found" : `the root ${root} is gone`;
      }
      return error instanceof Error ? error.message : String(error);
    }
  }

  async function* runIn(
    candidate: PythonCandidate,
    request: PytestRequest,
    signal: AbortSignal,
  ): AsyncGenerator<PytestEvent, string | null, void> {
    while (true) {
      const process = await obtain(candidate);
      if (typeof process === "string") return process;
      const end = yield* converse(process, { candidate, request, signal, overhear });
      if (end.kind === "done") return null;
      sandbox?.forget(candidate.python);
      if (end.kind === "unusable") return end.problem;
    }
  }

  /** Asks the first interpreter that answers. */
  async function askRelated(
    question: RelatedQuestion,
    { request, signal }: { request: PytestRequest; signal: AbortSignal },
  ): Promise<Reply> {
    let reply: Reply = { problem: "there is no interpreter" };
    for (const { python } of candidates(request.targets)) {
      if (!mayRun(python)) continue;
      try {
        const problem = await sandbox?.learn(python);
        reply = typeof problem === "string" ? { problem } : await askPython(
          sandbox?.command(python) ?? [python],
          {
            root,
            environment,
            entry: "pytest_mcp_related",
            modules: RELATED_MODULES,
            request: { root, ...question },
            patienceMilliseconds: request.timeoutSeconds * 1000,
            signal,
          },
        );
      } catch (error) {
        reply = { problem: error instanceof Error ? error.message : String(error) };
      }
      if ("answer" in reply || signal.aborted) return reply;
    }
    return reply;
  }

  const plain: PytestRunner = {
    async *run(request, { signal }) {
      const tried: TriedPython[] = [];
      for (const candidate of candidates(request.targets)) {
        if (signal.aborted) break;
        const problem = yield* runIn(candidate, request, signal);
        if (problem === null) {
          prepare(candidate.python);
          if (signal.aborted) yield { event: "cancelled" };
          return;
        }
        tried.push({ ...candidate, problem });
      }
      yield signal.aborted ? { event: "cancelled" } : explainSpawnFailure(tried, host);
    },
  };

  return {
    ...narrowRuns(plain, {
      askRelated,
      async findGitChanges({ timeoutSeconds, ...how }) {
        const wrapper = await sandbox?.commandOfGit() ?? [];
        if ("problem" in wrapper) return { problem: `no sandbox for git: ${wrapper.problem}` };
        // git waits for ever where the project has a pipe in place of a file that it reads.
        const signal = AbortSignal.any([how.signal, AbortSignal.timeout(timeoutSeconds * 1000)]);
        return findGitChanges(root, { ...how, signal, wrapper });
      },
    }),
    prepare() {
      const [first] = candidates([]);
      if (first !== undefined) prepare(first.python);
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      warm.dismiss();
      const leaving = [...processes];
      for (const process of leaving) process.cancel();
      await Promise.all(leaving.map((process) => process.leave()));
    },
  };
}

interface Conversation {
  readonly candidate: PythonCandidate;
  readonly request: PytestRequest;
  readonly signal: AbortSignal;
  readonly overhear: PytestRunnerOptions["overhear"];
}

type ConversationEnd =
  | { readonly kind: "done" }
  | { readonly kind: "stale" }
  | { readonly kind: "unusable"; readonly problem: string };

/** Gives a process its request and passes on what it says, to its end. */
async function* converse(
  process: PythonProcess,
  { candidate, request, signal, overhear }: Conversation,
): AsyncGenerator<PytestEvent, ConversationEnd, void> {
  const cancel = () => process.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  let end: ConversationEnd = { kind: "done" };
  let said = false;
  let over = false;
  let accepted = !process.prewarmed;
  try {
    process.send(request);
    if (signal.aborted) cancel();
    for await (const event of process.events()) {
      overhear?.(event);
      // Later only a test would say these, and have itself run again and again.
      if (event.event === "stale") {
        if (!accepted) end = { kind: "stale" };
        continue;
      }
      if (event.event === "accepted") {
        accepted = true;
        continue;
      }
      if (event.event === "no_pytest") {
        if (!said) end = { kind: "unusable", problem: event.detail };
        continue;
      }
      if (event.event === "process_end") {
        over = true;
        // Whoever kills a process does not say that it is a bad one.
        if (process.failedToStart && event.signal !== "SIGKILL" && !signal.aborted) {
          const detail = event.stderr.trim() || `exit ${event.exit_code ?? event.signal}`;
          end = { kind: "unusable", problem: `did not start as Python: ${detail}` };
        }
        // It was lost while it waited: nothing of the project has run yet.
        if (!accepted && !event.timed_out && !signal.aborted) end = { kind: "stale" };
      }
      if (end.kind !== "done") continue;
      if (!said) {
        said = true;
        yield { event: "process_start", python: candidate.python, reason: candidate.origin };
      }
      yield event;
    }
    return end;
  } finally {
    signal.removeEventListener("abort", cancel);
    // The supervisor does not hear this after an end of its own telling; one that a test has forged ends so.
    process.cancel();
    // After an orderly end pytest leaves in its own time; a run that was stopped is over when all of it is gone.
    const left = process.leave();
    if (!over || signal.aborted) await left;
  }
}
