import { jsonText, TOO_DEEP } from "../domain/json_text.ts";

/** One call, as one line of the log. */
export interface AuditEntry {
  /** when the call came in */
  readonly time: string;
  /** the tool, or what else made pytest run: "completion/complete", a resource */
  readonly tool: string;
  readonly parameters: unknown;
  /** null: nothing was started */
  readonly argv: readonly string[] | null;
  /** exact tests that were kept of what `argv` collects; null: all */
  readonly select: readonly string[] | null;
  readonly interpreter: string | null;
  readonly interpreter_reason: string | null;
  readonly exit: number | null;
  readonly signal: string | null;
  /** seconds, with waiting */
  readonly duration: number;
  readonly counts: Readonly<Record<string, unknown>> | null;
  /** null: answered with a result */
  readonly error: string | null;
}

/** Where the entries go. */
export interface AuditLog {
  append(entry: AuditEntry): void;
}

/** Opens the file for appending; a failure is explained for the person who named it. */
export async function openAuditLog(path: string): Promise<AuditLog & Disposable> {
  const file = await Deno.open(path, { append: true, create: true }).catch((error) => {
    throw new Error(explainOpen(path, error), { cause: error });
  });
  const append = auditLines((bytes) => file.writeSync(bytes));
  return { append, [Symbol.dispose]: () => file.close() };
}

/** Appends entries through `write`, which says how many of the bytes it took. */
export function auditLines(write: (bytes: Uint8Array) => number): AuditLog["append"] {
  const encoder = new TextEncoder();
  let cutOff = false;
  return (entry) => {
    const bytes = encoder.encode(`${cutOff ? "\n" : ""}${toAuditLine(entry)}`);
    // One write a line, as long as there is room: lines of several servers do not mix.
    let written = write(bytes);
    cutOff = written < bytes.length;
    while (written < bytes.length) written += write(bytes.subarray(written));
    cutOff = false;
  };
}

/** The entry as JSON; parameters that JSON cannot write are what was refused, and the rest still counts. */
export function toAuditLine(entry: AuditEntry): string {
  const parameters = jsonText(entry.parameters);
  const written = parameters === TOO_DEEP ? { ...entry, parameters } : entry;
  return `${JSON.stringify(written)}\n`;
}

function explainOpen(path: string, error: unknown): string {
  const start = `Cannot open the audit log '${path}'`;
  if (error instanceof Deno.errors.NotCapable && /^\/(dev|proc|sys)\//.test(path)) {
    return `${start}: Deno writes nothing there. Choose an ordinary file, or - for stderr`;
  }
  if (error instanceof Deno.errors.NotCapable) {
    return `${start}: Deno may not write it. Add --allow-write=${path} to the flags of deno`;
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return `${start}: the operating system denies it. Choose a file that this user may write`;
  }
  if (error instanceof Deno.errors.NotFound) {
    return `${start}: its directory does not exist. Create it first`;
  }
  return `${start}: ${error instanceof Error ? error.message : String(error)}`;
}
