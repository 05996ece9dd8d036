/**
 * Which interpreters a project may mean, in the order in which they are tried, and why each.
 *
 * @module
 */
import {
  condaPython,
  ENVIRONMENT_DIRECTORIES,
  environmentPython,
  PATH_NAMES,
  pathOf,
  type PythonPlatform,
} from "./python_layout.ts";

/** An interpreter to try. */
export interface PythonCandidate {
  /** absolute path, or a name to be found on PATH */
  readonly python: string;
  /** why it is a candidate */
  readonly origin: string;
  /** belongs to this project or was named by the person: when it is there, none on PATH takes its place */
  readonly chosen: boolean;
}

/** What the choice depends on, apart from the machine. */
export interface PythonQuery {
  /** absolute */
  readonly root: string;
  /** paths of the request, relative to the root, with `/` */
  readonly targets: readonly string[];
  /** --python */
  readonly python?: string;
}

/** The machine, as far as the choice needs it. */
export interface PythonHost {
  readonly platform: PythonPlatform;
  variable(name: string): string | undefined;
  /** "unknown" where Deno may not look */
  exists(path: string): boolean | "unknown";
}

/** Candidates in the order of the contract; what is known not to exist is left out. */
export function findPythons(query: PythonQuery, host: PythonHost): PythonCandidate[] {
  const path = pathOf(host.platform);
  if (query.python !== undefined) {
    const isPath = /[\\/]/.test(query.python);
    const python = isPath ? path.resolve(query.root, query.python) : query.python;
    return [{ python, origin: "--python", chosen: true }];
  }
  const candidates: PythonCandidate[] = [];
  const add = (python: string, origin: string, chosen: boolean) => {
    if (host.exists(python) === false) return;
    if (candidates.some((known) => known.python === python)) return;
    candidates.push({ python, origin, chosen });
  };
  const active = host.variable("VIRTUAL_ENV");
  if (active) add(environmentPython(active, host.platform), "VIRTUAL_ENV", false);
  const conda = host.variable("CONDA_PREFIX");
  if (conda) add(condaPython(conda, host.platform), "CONDA_PREFIX", false);
  for (const directory of directoriesAbove(query.targets)) {
    for (const name of ENVIRONMENT_DIRECTORIES) {
      const place = directory === "" ? name : `${directory}/${name}`;
      add(environmentPython(path.join(query.root, place), host.platform), place, true);
    }
  }
  if (!candidates.some((candidate) => candidate.chosen)) {
    for (const name of PATH_NAMES[host.platform]) {
      candidates.push({ python: name, origin: `${name} on PATH`, chosen: false });
    }
  }
  return candidates;
}

/** Every directory from what the targets have in common up to the root, nearest first. */
function directoriesAbove(targets: readonly string[]): string[] {
  const [first = [], ...rest] = targets.map((target) =>
    target.split("/").filter((part) => part !== "" && part !== ".")
  );
  let common = first.length;
  for (const parts of rest) {
    let same = 0;
    while (same < common && parts[same] === first[same]) same++;
    common = same;
  }
  return Array.from({ length: common + 1 }, (_, up) => first.slice(0, common - up).join("/"));
}
