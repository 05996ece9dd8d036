/**
 * `pytest-mcp serve`: wires the project's pytest to the MCP server on stdin and stdout.
 *
 * @module
 */
import denoJson from "../../deno.json" with { type: "json" };
import { config as configureZod } from "zod";
import { limitRuns } from "../domain/run_queue.ts";
import { type AuditLog, openAuditLog, toAuditLine } from "../mcp/audit_log.ts";
import { readCommandLine, refuse, usageError } from "./command_line.ts";
import { createLog } from "./log.ts";
import { openProject } from "./project.ts";
import { type Checked, readServeFlags } from "./settings_flags.ts";
import { listenForEnd } from "./signals.ts";
import type { Terminal } from "./terminal.ts";
import { watchRunner } from "./watch_runner.ts";

/** Runs that may wait for their turn: far more than one agent asks for, and little memory. */
const MAX_WAITING = 100;

/** For a person who wonders why nothing happens; no client has a terminal there. */
const TYPED_BY_HAND = "pytest-mcp waits for an MCP client on stdin; Ctrl-D ends it. " +
  "For people: pytest-mcp run, discover, doctor, config, --help.\n";

/** Serves one client until it goes away or a signal comes. */
export async function serve(args: readonly string[], terminal: Terminal): Promise<number> {
  const line = await readCommandLine("serve", args, { terminal });
  if (line.kind === "exit") return line.code;
  const [unexpected] = line.positionals;
  if (unexpected !== undefined) return usageError(`Unexpected argument '${unexpected}'`, terminal);
  const flags = readServeFlags(line.values, navigator.hardwareConcurrency);
  if (!flags.ok) return usageError(flags.message, terminal);
  const { settings, maxConcurrentRuns, logLevel } = flags.value;
  const project = await openProject(flags.value);
  if (!project.ok) return refuse(project.message, terminal);

  const log = createLog(logLevel, terminal.err);
  const { files, runner } = project.value;
  await using _runner = runner;
  const stop = new AbortController();
  using _signals = listenForEnd((signal) => {
    log.info("signal", { signal });
    stop.abort();
  });
  if (Deno.stdin.isTerminal()) terminal.err(TYPED_BY_HAND);
  const audit = await openAudit(flags.value.auditLog, terminal);
  if (!audit.ok) return refuse(audit.message, terminal);
  using auditLog = audit.value;
  const limited = limitRuns(runner, { maxConcurrent: maxConcurrentRuns, maxWaiting: MAX_WAITING });
  const watched = watchRunner(limited, (event) => {
    if (event.event === "plugin_error") log.warn("plugin error", { error: event.message });
  });
  // Compiling a schema takes longer than a client's few messages would gain from it; schemas remember
  // what was set when they were made, so the SDK is loaded after this.
  configureZod({ jitless: true });
  const { serveMcp } = await import("../mcp/serve.ts");
  await serveMcp({
    runner: watched,
    files,
    settings,
    ...(auditLog === undefined ? {} : { auditLog }),
    version: denoJson.version,
    log,
    showStacks: logLevel === "debug",
    onClient: () => runner.prepare(),
    signal: stop.signal,
    input: Deno.stdin,
    output: Deno.stdout,
  });
  return 0;
}

/** "-" is stderr: the one place where the binary, which may write no file, can put it. */
async function openAudit(
  path: string | undefined,
  terminal: Terminal,
): Promise<Checked<(AuditLog & Disposable) | undefined>> {
  if (path === undefined) return { ok: true, value: undefined };
  if (path === "-") {
    const append: AuditLog["append"] = (entry) => terminal.err(toAuditLine(entry));
    return { ok: true, value: { append, [Symbol.dispose]() {} } };
  }
  try {
    return { ok: true, value: await openAuditLog(path) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const binary = "; the binary writes no files: use --audit-log - and keep its stderr";
    return { ok: false, message: Deno.build.standalone ? message + binary : message };
  }
}
