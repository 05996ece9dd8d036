import type { ProjectFiles } from "../domain/project_files.ts";
import type { PytestRunner } from "../domain/pytest_runner.ts";
import type { Settings } from "../domain/settings.ts";
import type { AuditLog } from "./audit_log.ts";
import type { Era } from "./known_methods.ts";
import type { ByteOutput } from "./output_lines.ts";
import type { ByteInput } from "./transport.ts";

/** Where the server says what no client must see: stderr, in the end. */
export type ServerLog = Readonly<
  Record<
    "debug" | "info" | "warn" | "error",
    (message: string, fields?: Readonly<Record<string, unknown>>) => void
  >
>;

/** Everything that the server needs from outside. */
export interface ServeMcpOptions {
  readonly runner: PytestRunner;
  readonly files: ProjectFiles;
  readonly settings: Settings;
  /** of pytest-mcp */
  readonly version: string;
  readonly log: ServerLog;
  /** stacks of our own bugs go to the client, too: --log-level debug */
  readonly showStacks: boolean;
  /** one line a call; only when asked for */
  readonly auditLog?: AuditLog;
  /** a client has its first answer: the time to get ready for the first run */
  readonly onClient?: () => void;
  /** ends the server as the end of its input does */
  readonly signal: AbortSignal;
  readonly input: ByteInput;
  readonly output: ByteOutput;
}

/** One client's connection. */
export interface Connection extends ServeMcpOptions {
  readonly era: Era;
  /** aborts when the connection ends, and every run with it */
  readonly closing: AbortSignal;
  /** what has begun and not ended; the server ends after it */
  readonly work: Set<Promise<unknown>>;
}
