/**
 * The Python that the test environments are made from.
 *
 * @module
 */
import { z } from "zod";

/** A Python on this machine. */
export interface BasePython {
  /** the executable itself, not a shim or a virtual environment in front of it */
  readonly executable: string;
  /** major, minor, patch */
  readonly version: readonly [number, number, number];
}

/** Something about this machine that a person has to change; its message is one clear sentence. */
export class SetupError extends Error {
  override readonly name: string = "SetupError";
}

/** What the newest pytest needs. */
const OLDEST_MINOR = 10;

const CANDIDATES: readonly string[] = Deno.build.os === "windows"
  ? ["python", "py", "python3"]
  : ["python3", "python", ...Array.from({ length: 11 }, (_, n) => `python3.${20 - n}`)];

const DESCRIBE = "import json, sys; print(json.dumps({" +
  "'executable': getattr(sys, '_base_executable', sys.executable), 'version': sys.version_info[:3]}))";

const descriptionSchema = z.object({
  executable: z.string().min(1),
  version: z.tuple([z.int(), z.int(), z.int()]),
});

/** What a program prints in the Python of this name, or null if there is none or it fails. */
async function ask(command: string, program: string): Promise<string | null> {
  try {
    const { success, stdout } = await new Deno.Command(command, {
      args: ["-c", program],
      stdin: "null",
      stderr: "null",
    }).output();
    return success ? new TextDecoder().decode(stdout) : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** The executable of the first Python on PATH, if it has a pytest that we support. */
export async function findPythonWithPytest(): Promise<string | null> {
  for (const candidate of CANDIDATES) {
    if (await ask(candidate, "") === null) continue;
    const executable = await ask(
      candidate,
      "import sys, pytest; version = tuple(map(int, pytest.__version__.split('.')[:2])); " +
        "version >= (6, 2) and print(sys.executable)",
    );
    return executable?.trim() || null;
  }
  return null;
}

/** Which Pythons will do. */
export interface Wanted {
  /** programs to try, in this order */
  readonly candidates?: readonly string[];
  /** the last 3.x that an old pytest runs on */
  readonly newestMinor?: number | undefined;
}

/** The first Python on PATH that an environment can be made from. */
export async function findBasePython(
  { candidates = CANDIDATES, newestMinor }: Wanted = {},
): Promise<BasePython> {
  const unsuitable: string[] = [];
  for (const candidate of candidates) {
    const description = await ask(candidate, DESCRIBE);
    if (description === null) continue;
    // A start-up file may have printed something first.
    const python = descriptionSchema.parse(JSON.parse(description.trim().split("\n").at(-1) ?? ""));
    const [major, minor] = python.version;
    if (major === 3 && minor >= OLDEST_MINOR && minor <= (newestMinor ?? minor)) return python;
    unsuitable.push(`${python.executable} is ${python.version.join(".")}`);
  }
  const to = newestMinor === undefined ? "or newer" : `to 3.${newestMinor}`;
  const range = `Python 3.${OLDEST_MINOR} ${to}`;
  throw new SetupError(
    unsuitable.length === 0
      ? `${range} is needed and no Python was found on PATH: install one and run this again.`
      : `${range} is needed on PATH, but ${
        unsuitable.join(" and ")
      }: install one and run this again.`,
  );
}
