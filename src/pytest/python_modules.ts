/**
 * Which of our Python modules go where.
 *
 * @module
 */
import { PYTHON_SOURCES } from "./python_sources.ts";

type ModuleName = keyof typeof PYTHON_SOURCES;

function isModule(name: string): name is ModuleName {
  return Object.hasOwn(PYTHON_SOURCES, name);
}

const NAMES = Object.keys(PYTHON_SOURCES).filter(isModule);

/** The symbol graph, which has a process of its own. */
export const RELATED_MODULES: readonly ModuleName[] = NAMES.filter((name) =>
  name.startsWith("pytest_mcp_related")
);

/** What a run needs; each platform has its own way to hold a process tree together. */
export function runSources(os: string): Record<string, string> {
  const tree = `pytest_mcp_process_tree_${os === "windows" ? "windows" : "posix"}`;
  const needed = NAMES.filter((name) =>
    !RELATED_MODULES.includes(name) && !name.startsWith("pytest_mcp_process_tree")
  );
  return {
    ...Object.fromEntries(needed.map((name) => [name, PYTHON_SOURCES[name]])),
    pytest_mcp_process_tree: isModule(tree) ? PYTHON_SOURCES[tree] : "",
  };
}
