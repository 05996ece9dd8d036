/**
 * One supervisor process with its worker.
 *
 * @module
 */
import type { PytestRequest, SessionOptions } from "../domain/pytest_runner.ts";
import type { DriverEvent } from "./driver_event.ts";
import { readEvents } from "./event_stream.ts";
import { type Limits, toBootLimits } from "./limits.ts";
import { runSources } from "./python_modules.ts";
import { type SpawnOptions, spawnPython } from "./spawn_python.ts";

/** Characters of the supervisor's own stderr that are kept: it is silent unless Python itself is broken. */
const KEPT_STDERR = 4000;
/** After the deadline the supervisor acts at once, and needs at most 3 s; one that says nothing for 20 is gone. */
const LATE_SECONDS = 1;
const BACKSTOP_SECONDS = 20;
/** Of a run whose supervisor is gone, pytest's own end is not known, nor the last moment before. */
const UNATTENDED =
  "The process that watches over pytest was killed, and pytest with it, which may have come further than it " +
  "is known: did a test end its parent process?";

/** How a process is started. */
export interface StartOptions extends SpawnOptions {
  /** import pytest now, before the request is known */
  readonly prewarm: boolean;
  readonly limits: Limits;
  /** the interpreter, or a sandbox that starts it */
  readonly command: readonly string[];
}

/** A process that serves one request. */
export class PythonProcess {
  readonly python: string;
  /** has it been started ahead of its request */
  readonly prewarmed: boolean;
  /** it ended before our code in it could say anything: no Python, or a broken one */
  failedToStart = false;
  /** the process and everything below it are gone */
  readonly gone: Promise<void>;
  /** `leave()` has ended: none of its pipes is open any more */
  readonly left: Promise<void>;
  #child: Deno.ChildProcess;
  #stdin: WritableStreamDefaultWriter<Uint8Array>;
  #stderr = "";
  #stderrRead: Promise<void>;
  #events: AsyncGenerator<DriverEvent[], void, void>;
  #leaving: Promise<void> | undefined;
  #closed = Promise.withResolvers<void>();
  #backstop: ReturnType<typeof setTimeout> | undefined;

  private constructor(python: string, child: Deno.ChildProcess, prewarmed: boolean) {
    this.python = python;
    this.prewarmed = prewarmed;
    this.#child = child;
    this.#stdin = child.stdin.getWriter();
    this.#events = readEvents(child.stdout);
    this.#stderrRead = this.#keepStderr();
    this.gone = child.status.then(() => {
      clearTimeout(this.#backstop);
    });
    this.left = this.#closed.promise;
  }

  /** Starts an interpreter; throws what `Deno.Command` throws when there is none. */
  static start(python: string, options: StartOptions): PythonProcess {
    const process = new PythonProcess(
      python,
      spawnPython(options.command, options),
      options.prewarm,
    );
    process.#write({
      entry: "pytest_mcp_supervisor",
      sources: runSources(Deno.build.os),
      mailbox: `pytest-mcp-${crypto.randomUUID()}`,
      prewarm: options.prewarm,
      limits: toBootLimits(options.limits),
      cwd: options.root,
    });
    return process;
  }

  /** Hands the one request over. */
  send(request: PytestRequest): void {
    const { report } = request;
    this.#write({
      args: request.args,
      select: request.select,
      timeout: request.timeoutSeconds,
      report: {
        items: report.items,
        locals: report.locals,
        text: report.text,
        hide_terminal_tracebacks: report.hideTerminalTracebacks,
        json: report.json,
        inspect: report.inspect ?? null,
      },
      // Names that were found in the source may be no tests in the end.
      lenient: request.related !== null,
      session: toWireSession(request.session),
    });
    const late = (request.timeoutSeconds + LATE_SECONDS) * 1000;
    this.#backstop = setTimeout(() => {
      // A test may have stopped its parent: that one looks at the clock when it goes on.
      this.#signal("SIGCONT");
      this.#backstop = setTimeout(() => this.#signal("SIGKILL"), BACKSTOP_SECONDS * 1000);
    }, late);
  }

  /** Events as they come; the last is always `process_end`. */
  async *events(): AsyncGenerator<DriverEvent, void, void> {
    this.failedToStart = true;
    while (true) {
      // Not `for await`: leaving that loop would close the stream, and with it what the process still says.
      const { value: batch, done } = await this.#events.next();
      if (done) break;
      this.failedToStart = false;
      for (const event of batch) {
        yield event;
        if (event.event === "process_end") return;
      }
    }
    const status = await this.#child.status;
    await this.#stderrRead;
    yield {
      event: "process_end",
      exit_code: status.signal === null ? status.code : null,
      signal: status.signal,
      timed_out: false,
      stdout: "",
      stderr: this.#stderr || (this.failedToStart ? "" : UNATTENDED),
      duration: 0,
    };
  }

  /** Interrupts the tests; the supervisor kills what is left after its grace. */
  cancel(): void {
    this.#signal("SIGCONT");
    this.#stdin.write(new TextEncoder().encode("cancel\n")).catch(() => {});
  }

  /** Resolves when the process and all below it are gone; takes what it still says off the pipe. */
  leave(): Promise<void> {
    return this.#leaving ??= this.#leave();
  }

  async #leave(): Promise<void> {
    for await (const _ of this.#events) { /* nobody asks any more */ }
    await Promise.all([this.gone, this.#stderrRead]);
    await this.#stdin.close().catch(() => {});
    this.#closed.resolve();
  }

  #signal(signal: "SIGCONT" | "SIGKILL"): void {
    try {
      this.#child.kill(signal);
    } catch {
      // It has just ended by itself, or the system knows no such signal.
    }
  }

  #write(message: unknown): void {
    // A process that is already gone shows in its events, not here.
    this.#stdin.write(new TextEncoder().encode(JSON.stringify(message) + "\n")).catch(() => {});
  }

  async #keepStderr(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.#child.stderr) {
      this.#stderr = (this.#stderr + decoder.decode(chunk, { stream: true })).slice(-KEPT_STDERR);
    }
  }
}

/** As the Python side spells it. */
function toWireSession({ timeBudget, lastFailed, coverage, ...session }: SessionOptions): unknown {
  return {
    ...session,
    ...(timeBudget === undefined ? {} : { time_budget: timeBudget }),
    ...(lastFailed === undefined ? {} : { last_failed: lastFailed }),
    ...(coverage === undefined
      ? {}
      : { coverage: { paths: coverage.paths, changed: coverage.changed ?? null } }),
  };
}
