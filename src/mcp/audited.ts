import type { PytestRunner } from "../domain/pytest_runner.ts";
import type { Outcome } from "../domain/run_failure.ts";
import type { AuditEntry } from "./audit_log.ts";
import type { ServeMcpOptions } from "./serve_options.ts";

type Seen = Pick<
  AuditEntry,
  "argv" | "select" | "interpreter" | "interpreter_reason" | "exit" | "signal"
>;

/** What the log says about who asked for what. */
interface AuditedCall {
  /** the tool, or what else made pytest run */
  readonly tool: string;
  readonly parameters: unknown;
}

type AuditOptions = Pick<ServeMcpOptions, "auditLog" | "log">;

const NOTHING_STARTED: Seen = {
  argv: null,
  select: null,
  interpreter: null,
  interpreter_reason: null,
  exit: null,
  signal: null,
};

/** Runs one call, and notes what it did; without a log it only runs it. */
export async function audited<T extends object>(
  call: AuditedCall,
  options: AuditOptions & Pick<ServeMcpOptions, "runner">,
  run: (runner: PytestRunner) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  if (options.auditLog === undefined) return await run(options.runner);
  const time = new Date();
  const start = performance.now();
  const observed = observeRunner(options.runner);
  const note = (end: Pick<AuditEntry, "counts" | "error">) => {
    const duration = Math.round(performance.now() - start) / 1000;
    append({ time: time.toISOString(), ...call, ...observed.seen, duration, ...end }, options);
  };
  try {
    const outcome = await run(observed.runner);
    note({ counts: countsOf(outcome), error: errorOf(outcome) });
    return outcome;
  } catch (bug) {
    note({ counts: null, error: "bug" });
    throw bug;
  }
}

/** Notes a call that was refused before anything was started for it. */
export function auditRefusal(call: AuditedCall, error: string, options: AuditOptions): void {
  const time = new Date().toISOString();
  const parameters = call.parameters ?? null;
  append(
    { time, ...call, parameters, ...NOTHING_STARTED, duration: 0, counts: null, error },
    options,
  );
}

function append(entry: AuditEntry, { auditLog, log }: AuditOptions): void {
  try {
    auditLog?.append(entry);
  } catch (error) {
    // A full disk must not take the answer with it.
    log.error("audit log", { error: String(error) });
  }
}

function observeRunner(runner: PytestRunner): { runner: PytestRunner; readonly seen: Seen } {
  let seen = NOTHING_STARTED;
  const watching: PytestRunner = {
    async *run(request, options) {
      const argv = ["python", "-m", "pytest", ...request.args];
      seen = { ...seen, argv, select: request.select };
      for await (const event of runner.run(request, options)) {
        if (event.event === "process_start") {
          const { python, reason, narrowed = request } = event;
          seen = {
            ...seen,
            argv: [python, "-m", "pytest", ...narrowed.args],
            select: narrowed.select,
            interpreter: python,
            interpreter_reason: reason,
          };
        } else if (event.event === "process_end") {
          seen = { ...seen, exit: event.exit_code, signal: event.signal };
        }
        yield event;
      }
    },
  };
  return {
    runner: watching,
    get seen() {
      return seen;
    },
  };
}

function countsOf(outcome: Outcome<object>): Readonly<Record<string, unknown>> | null {
  const data = outcome.ok
    ? outcome.result
    : outcome.failure.kind === "execution_failure"
    ? outcome.failure.data
    : {};
  if ("summary" in data && typeof data.summary === "object") return { ...data.summary };
  return "count" in data ? { tests: data.count } : null;
}

function errorOf(outcome: Outcome<object>): string | null {
  if (outcome.ok) return null;
  return outcome.failure.kind === "execution_failure"
    ? outcome.failure.data.error_type
    : outcome.failure.kind;
}
