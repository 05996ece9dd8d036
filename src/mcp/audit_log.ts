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
  const encoder = new TextEncoder();
  return {
    append(entry): void {
      // One write a line: lines of several servers do not mix.
      file.writeSync(encoder.encode(`${JSON.stringify(entry)}\n`));
    },
    [Symbol.dispose](): void {
      file.close();
    },
  };
}

function explainOpen(path: string, error: unknown): string {
  const start = `Cannot open the audit log '${path}'`;
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
