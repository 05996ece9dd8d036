import type { PytestEvent } from "../domain/pytest_event.ts";
import type { PythonCandidate, PythonHost } from "./find_python.ts";

/** An interpreter that could not be used. */
export interface TriedPython extends PythonCandidate {
  readonly problem: string;
}

/** Says what was tried and the command that mends it. */
export function explainSpawnFailure(
  tried: readonly TriedPython[],
  host: Pick<PythonHost, "platform">,
): Extract<PytestEvent, { event: "spawn_failure" }> {
  const list = tried.map(({ python, origin, problem }) => ({ python, origin, problem }));
  return {
    event: "spawn_failure",
    message: list.length === 0
      ? "No Python interpreter was found."
      : "No interpreter can run pytest.",
    tried: list,
    fix: fixFor(tried, host),
  };
}

function fixFor(tried: readonly TriedPython[], host: Pick<PythonHost, "platform">): string {
  // The first that exists is the one that was meant.
  const meant = tried.find(({ problem }) => !problem.startsWith("not found"));
  if (meant === undefined) {
    const named = tried.find(({ origin }) => origin === "--python");
    if (named !== undefined) return `Correct --python: there is no ${named.python}.`;
    const name = host.platform === "windows" ? "py" : "python3";
    // As after an upgrade of the Python that it was made from.
    const broken = tried.find(({ chosen }) => chosen)?.origin;
    if (broken !== undefined) {
      return `The Python of ${broken} is gone. Make it again: "uv sync" if the project uses uv, else ` +
        `"${name} -m venv --clear ${broken}", then install the project and pytest there.`;
    }
    return `Install Python so that ${name} is on PATH, or start the server with --python PATH.`;
  }
  if (meant.problem.startsWith("Deno may not run it")) {
    // The binary takes no rights: what its user can do comes first.
    const first = meant.origin === "--python" ? "Leave --python out and make" : "Make";
    // an environment of the project is found; named, it would run the tests of every other part as well
    const isPart = meant.chosen && meant.origin !== "--python";
    const config = `pytest-mcp config CLIENT${
      isPart ? "" : ` --python ${meant.python}`
    } --form jsr`;
    return `${first} the environment the project's .venv, or activate it so that python3 on PATH is its own, ` +
      `and start the server again; or give it the right to ${meant.python} in --allow-run, which ` +
      `"${config}"${isPart ? ", started in the root," : ""} prints.`;
  }
  if (meant.problem.startsWith("no sandbox")) {
    return "Let bubblewrap make user namespaces on this machine, or start the server without --sandbox.";
  }
  if (meant.problem.startsWith("limits cannot be set")) {
    return "Start the server as another user, or without the --max-… flag that cannot be held.";
  }
  if (meant.problem.startsWith("the root ")) {
    return "Start the server again in a directory that exists, or with --root DIR.";
  }
  // Python read our first line, and did not understand the next ones.
  if (/^did not start as Python: [^]*File "<(?:string|pytest_mcp_)/.test(meant.problem)) {
    return "Python 3.8 or newer is needed: make the project's environment with one, or start the server " +
      "with --python PATH.";
  }
  if (meant.problem.includes("hides pytest")) return "Rename what hides it.";
  const quoted = /\s/.test(meant.python) ? `"${meant.python}"` : meant.python;
  const install = `${quoted} -m pip install pytest`;
  if (meant.problem.startsWith("pytest does not import")) {
    return "Rename what the error names if it is a file of the project, else repair the installation: " +
      `${quoted} -m pip install --force-reinstall pytest`;
  }
  return meant.chosen && meant.origin !== "--python"
    ? `Run "uv sync" if the project uses uv, else: ${install}`
    : `Run: ${install}`;
}
