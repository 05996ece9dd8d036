import { basename, join } from "node:path";

/** A Python of this machine. */
export interface OtherPython {
  readonly executable: string;
  /** of 3.x */
  readonly minor: number;
}

const OLDEST_MINOR = 8;
const NEWEST_MINOR = 20;

/** One interpreter of each minor version that is on PATH or that pyenv keeps. */
export async function otherPythons(): Promise<OtherPython[]> {
  const minors = Array.from(
    { length: NEWEST_MINOR - OLDEST_MINOR + 1 },
    (_, n) => n + OLDEST_MINOR,
  );
  const names = [...minors.map((minor) => `python3.${minor}`), ...pyenvPythons()];
  const found = new Map<number, OtherPython>();
  for (const name of names) {
    const minor = await minorOf(name);
    if (minor !== null && minor >= OLDEST_MINOR && !found.has(minor)) {
      found.set(minor, { executable: name, minor });
    }
  }
  return [...found.values()].toSorted((a, b) => a.minor - b.minor);
}

function pyenvPythons(): string[] {
  const root = Deno.env.get("PYENV_ROOT") ?? join(Deno.env.get("HOME") ?? "", ".pyenv");
  const versions = join(root, "versions");
  try {
    return [...Deno.readDirSync(versions)].filter(({ name }) => basename(name).startsWith("3."))
      .map(({ name }) => join(versions, name, "bin", "python3"));
  } catch {
    return [];
  }
}

async function minorOf(python: string): Promise<number | null> {
  try {
    const { success, stdout } = await new Deno.Command(python, {
      args: ["-c", "import sys; print(sys.version_info[1])"],
      stdin: "null",
      stderr: "null",
    }).output();
    return success ? Number(new TextDecoder().decode(stdout)) : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
