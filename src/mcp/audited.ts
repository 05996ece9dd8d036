import type { PytestRunner } from "../domain/pytest_runner.ts";
import type { Outcome } from "../domain/run_failure.ts";
import type { AuditEntry } from "./audit_log.ts";
import type { ServeMcpOptions } from "./serve_options.ts";

type Seen = Pick<
  AuditEntry,
  "argv" | "select" | "interpreter" | "interpreter_reason" | "exit" | "signal"
>;

/** Runs one call, and notes what it did; without a log it only runs it. */
export async function audited<T extends object>(
  call: { readonly tool: string; readonly parameters: unknown },
  options: Pick<ServeMcpOptions, "auditLog" | "log" | "runner">,
  run: (runner: PytestRunner) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const { auditLog, log } = options;
  if (auditLog === undefined) return await run(options.runner);
  const time = new Date();
  const start = performance.now();
  const observed = observeRunner(options.runner);
  const note = (end: Pick<AuditEntry, "counts" | "error">) => {
    const duration = Math.round(performance.now() - start) / 1000;
    try {
      auditLog.append({ time: time.toISOString(), ...call, ...observed.seen, duration, ...end });
    } catch (error) {
      // A full disk must not take the answer with it.
      log.error("audit log", { error: String(error) });
    }
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

function observeRunner(runner: PytestRunner): { runner: PytestRunner; readonly seen: Seen } {
  let seen: Seen = {
    argv: null,
    select: null,
    interpreter: null,
    interpreter_reason: null,
    exit: null,
    signal: null,
  };
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
