import { withoutColors } from "./style.ts";

/** Where a command writes, and what can be shown there; tests pass their own. */
export interface Terminal {
  /** stdout is a terminal: lines can be rewritten */
  readonly interactive: boolean;
  /** colours are welcome: a terminal, and no NO_COLOR */
  readonly color: boolean;
  /** characters in a line, asked anew each time: windows are resized */
  columns(): number;
  /** writes to stdout */
  out(text: string): void;
  /** writes to stderr; what cannot be written there is lost, and nothing else with it */
  err(text: string): void;
}

/** As wide as a terminal is when nobody can say; some say 0. */
const USUAL_COLUMNS = 80;

/** What a shell reports for a program that lost its reader (128 + SIGPIPE). */
const BROKEN_PIPE_EXIT = 141;

/** A full disk: pytest's code for an internal error, because 1 would mean that tests failed. */
const CANNOT_WRITE_EXIT = 3;

/** The real terminal, or the pipe that takes its place. */
export function openTerminal(): Terminal {
  const interactive = Deno.stdout.isTerminal();
  return {
    interactive,
    color: interactive && !Deno.noColor,
    columns: () => (interactive && Deno.consoleSize().columns) || USUAL_COLUMNS,
    out: writeOut,
    err: writeErr,
  };
}

function writeOut(text: string): void {
  try {
    writeAll(Deno.stdout, text);
  } catch (error) {
    // `pytest-mcp discover | head`: nobody reads the rest, and children end with their parent.
    if (error instanceof Deno.errors.BrokenPipe) Deno.exit(BROKEN_PIPE_EXIT);
    const why = error instanceof Error ? error.message : String(error);
    writeErr(`pytest-mcp: cannot write: ${why}\n`);
    Deno.exit(CANNOT_WRITE_EXIT);
  }
}

function writeErr(text: string): void {
  try {
    // Colours were chosen by stdout: `pytest-mcp run 2>errors` wants none in the file.
    writeAll(Deno.stderr, Deno.stderr.isTerminal() ? text : withoutColors(text));
  } catch {
    // A full disk or a reader that is gone must not take an answer of the server with it.
  }
}

function writeAll(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) at += stream.writeSync(bytes.subarray(at));
}
