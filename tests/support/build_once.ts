/**
 * Directories in the cache that are expensive to make: made once, by one process, whole or not at all.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { SetupError } from "./base_python.ts";

/** Gets a line for each thing that is done. */
export type Say = (line: string) => void;

/** Makes `directory` with `build`, unless it is there; waits when another process is making it. */
export async function buildOnce(directory: string, build: () => Promise<void>): Promise<void> {
  if (await isComplete(directory)) return;
  await Deno.mkdir(dirname(directory), { recursive: true }).catch((error) => {
    throw new SetupError(
      `${
        dirname(directory)
      } cannot be made (${error.message}): set PYTEST_MCP_CACHE to a writable directory.`,
    );
  });
  // The lock goes with its process, so one that dies while building blocks nobody.
  using lockFile = await Deno.open(`${directory}.lock`, { create: true, write: true });
  await lockFile.lock(true);
  if (await isComplete(directory)) return;
  await Deno.remove(directory, { recursive: true }).catch(ignoreNotFound);
  await build();
  await Deno.writeTextFile(stampOf(directory), "");
}

/** Written last: a directory without it is half built. */
function stampOf(directory: string): string {
  return join(directory, ".complete");
}

async function isComplete(directory: string): Promise<boolean> {
  try {
    await Deno.stat(stampOf(directory));
    return true;
  } catch (error) {
    ignoreNotFound(error);
    return false;
  }
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

/** A short name for what a directory is made from: another input, another directory. */
export function contentKey(input: unknown): string {
  return createHash("sha256").update(JSON.stringify(input)).digest("hex").slice(0, 12);
}

/** The text of a file, the same on every system. */
export async function readText(file: string): Promise<string> {
  return (await Deno.readTextFile(file)).replaceAll("\r\n", "\n");
}

/** Runs one step of a build; what pip collects and installs is its progress. */
export async function runStep(command: readonly [string, ...string[]], say: Say): Promise<void> {
  const [executable, ...args] = command;
  const child = new Deno.Command(executable, {
    args,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    env: { PIP_DISABLE_PIP_VERSION_CHECK: "1", PIP_USER: "0", PYTHONNOUSERSITE: "1" },
  }).spawn();
  const [output, errors, status] = await Promise.all([
    collect(child.stdout, (line) => {
      if (/^(Collecting|Installing) /.test(line)) say(line.replace(/ \(from .*/, ""));
    }),
    collect(child.stderr, () => {}),
    child.status,
  ]);
  if (status.success) return;
  const tail = `${output}\n${errors}`.trim().split("\n").slice(-15).join("\n");
  const advice = /ensurepip|No module named venv/.test(tail)
    ? "\nInstall Python's venv module (on Debian and Ubuntu: python3-venv) and run this again."
    : "";
  throw new SetupError(`This failed with ${status.code}: ${command.join(" ")}\n${tail}${advice}`);
}

async function collect(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onLine: (line: string) => void,
): Promise<string> {
  let text = "";
  let seen = 0;
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf("\n", seen); end >= 0; end = text.indexOf("\n", seen)) {
      onLine(text.slice(seen, end).trimEnd());
      seen = end + 1;
    }
  }
  return text;
}

/** The default way to say something: stdout may belong to somebody else. */
export function writeToStderr(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
}
