/**
 * A question to a short-lived interpreter: one of our modules, a request, an answer as JSON.
 *
 * @module
 */
import { PYTHON_SOURCES } from "./python_sources.ts";
import { readText } from "./read_text.ts";
import { type SpawnOptions, spawnPython } from "./spawn_python.ts";

type ModuleName = keyof typeof PYTHON_SOURCES;

/** What is asked, and how long anybody waits for the answer. */
export interface Question extends SpawnOptions {
  readonly entry: ModuleName;
  /** modules that the entry may import, itself included */
  readonly modules: readonly ModuleName[];
  readonly request?: unknown;
  /** in the first line, for entries that need no request */
  readonly boot?: Readonly<Record<string, unknown>>;
  readonly patienceMilliseconds: number;
  readonly signal?: AbortSignal;
}

/** What came back; `problem` is the last line of stderr, or how it ended. */
export type Reply = { readonly answer: unknown } | { readonly problem: string };

/** Asks; the process is gone when this resolves. Its stdin stays open as long as it lives, and its end ends it. */
export async function askPython(command: readonly string[], question: Question): Promise<Reply> {
  const { entry, modules, boot, request, signal } = question;
  const child = spawnPython(command, question);
  const sources = Object.fromEntries(modules.map((name) => [name, PYTHON_SOURCES[name]]));
  const lines = [{ entry, sources, ...boot }, ...(request === undefined ? [] : [request])];
  let late = false;
  let tooLong = false;
  const kill = () => {
    try {
      child.kill("SIGKILL");
    } catch {
      // It has just ended by itself.
    }
  };
  const tooMuch = () => {
    tooLong = true;
    kill();
  };
  const patience = setTimeout(() => {
    late = true;
    kill();
  }, question.patienceMilliseconds);
  signal?.addEventListener("abort", kill, { once: true });
  if (signal?.aborted) kill();
  const stdin = child.stdin.getWriter();
  // A program that ends without reading shows in its output.
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const written = stdin.write(new TextEncoder().encode(text)).catch(() => {});
  const [stdout, stderr, status] = await Promise.all([
    readText(child.stdout, tooMuch),
    readText(child.stderr, tooMuch),
    child.status,
    written,
  ]);
  clearTimeout(patience);
  signal?.removeEventListener("abort", kill);
  await stdin.close().catch(() => {});
  if (late) return { problem: "it did not answer in time" };
  if (tooLong) return { problem: "its answer has no end" };
  if (status.success) return { answer: JSON.parse(stdout) };
  return { problem: stderr.trim().split("\n").at(-1) || `exit ${status.signal ?? status.code}` };
}
