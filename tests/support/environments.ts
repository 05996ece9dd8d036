/**
 * The Python environments of the tests: each is a pinned requirement file in `fixtures/environments`,
 * built on first use into the cache directory.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BasePython, findBasePython, SetupError } from "./base_python.ts";
import { buildOnce, contentKey, readText, runStep, type Say, writeToStderr } from "./build_once.ts";
import { cacheDirectory } from "./cache_directory.ts";

/** Environments with a pytest, oldest first; `rich` is the newest with plugins. */
export const PYTEST_ENVIRONMENTS = ["pytest62", "pytest74", "pytest84", "pytest9", "rich"] as const;
export type PytestEnvironmentName = typeof PYTEST_ENVIRONMENTS[number];
/** `lint` has mypy and vermin, for our own Python files; `packages` what fixtures/packages.txt needs. */
export type EnvironmentName = PytestEnvironmentName | "lint" | "packages";

/** A virtual environment that is ready for use. */
export interface PythonEnvironment {
  readonly name: string;
  /** absolute path of its interpreter */
  readonly python: string;
}

/** How and where an environment is built; the defaults are those of the tests. */
export interface BuildOptions {
  readonly requirementsFile?: string;
  readonly cache?: string;
  readonly base?: BasePython;
  /** gets a line for each thing that is built; by default they go to stderr */
  readonly say?: Say;
}

/** The last 3.x that an old pytest runs on, where there is one. */
const NEWEST_MINOR: ReadonlyMap<string, number> = new Map([["pytest62", 13]]);

const ready = new Map<EnvironmentName, Promise<PythonEnvironment>>();

/** The environment of this name, built if it is missing or its requirement file has changed. */
export function environment(name: EnvironmentName): Promise<PythonEnvironment> {
  const known = ready.get(name);
  if (known !== undefined) return known;
  const built = buildEnvironment(name);
  ready.set(name, built);
  return built;
}

/**
 * The environments that this run of the tests is about: all, or those that
 * PYTEST_MCP_TEST_ENVIRONMENTS names (a comma between two).
 */
export function chosenEnvironments(
  chosen = Deno.env.get("PYTEST_MCP_TEST_ENVIRONMENTS"),
): PytestEnvironmentName[] {
  if (!chosen) return [...PYTEST_ENVIRONMENTS];
  const names = chosen.split(",").map((name) => name.trim());
  for (const name of names) {
    if (!PYTEST_ENVIRONMENTS.some((known) => known === name)) {
      throw new SetupError(
        `PYTEST_MCP_TEST_ENVIRONMENTS names "${name}": known are ${
          PYTEST_ENVIRONMENTS.join(", ")
        }.`,
      );
    }
  }
  return PYTEST_ENVIRONMENTS.filter((name) => names.includes(name));
}

/** Whether a Python of this machine can run the pytest of this environment. */
export async function isPossible(name: PytestEnvironmentName): Promise<boolean> {
  try {
    await findBasePython({ newestMinor: NEWEST_MINOR.get(name) });
    return true;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    return false;
  }
}

/** The chosen environments, less those that no Python of this machine can run. */
export async function possibleEnvironments(
  names: readonly PytestEnvironmentName[] = chosenEnvironments(),
  { possible = isPossible, say = writeToStderr }: {
    readonly possible?: typeof isPossible;
    readonly say?: Say;
  } = {},
): Promise<PytestEnvironmentName[]> {
  const found: PytestEnvironmentName[] = [];
  for (const name of names) {
    if (await possible(name)) found.push(name);
    else say(`environment ${name}: left out, because no Python on PATH is old enough for it`);
  }
  if (found.length === 0) {
    throw new SetupError(`No Python on PATH can run ${names.join(" or ")}: install an older one.`);
  }
  return found;
}

/** Builds one environment, or waits for the process that is building it, or takes what is there. */
export async function buildEnvironment(
  name: string,
  options: BuildOptions = {},
): Promise<PythonEnvironment> {
  const requirementsFile = options.requirementsFile ??
    fileURLToPath(new URL(`../../fixtures/environments/${name}.txt`, import.meta.url));
  const base = options.base ?? await findBasePython({ newestMinor: NEWEST_MINOR.get(name) });
  const key = contentKey([await readText(requirementsFile), base.executable, base.version]);
  const directory = join(options.cache ?? cacheDirectory(), "environments", `${name}-${key}`);
  const python = Deno.build.os === "windows"
    ? join(directory, "Scripts", "python.exe")
    : join(directory, "bin", "python");
  const say = (line: string) => (options.say ?? writeToStderr)(`environment ${name}: ${line}`);
  await buildOnce(directory, async () => {
    const started = performance.now();
    say(`building in ${directory} (Python ${base.version.join(".")})`);
    await runStep([base.executable, "-m", "venv", directory], say);
    const pip = [python, "-m", "pip"] as const;
    await runStep([...pip, "install", "--no-deps", "--no-input", "-r", requirementsFile], say);
    await runStep([...pip, "check"], say);
    say(`ready after ${Math.round((performance.now() - started) / 1000)} s`);
  });
  return { name, python };
}
