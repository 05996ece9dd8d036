/**
 * What a sandbox must know of the file system beyond the project, which this program may not read. The
 * system's own shell looks, in a sandbox that can change nothing, and its words are all here: an interpreter
 * or anything else that a test may have put in place has no say in what is hidden from it.
 *
 * @module
 */
import { runProgram } from "./run_program.ts";

/** What was seen. */
export interface HostDirectories {
  /** the interpreter, as a path; empty: there is none */
  readonly python: string;
  /** temporary files, and the sockets through which other programs can be told what to do */
  readonly shared: readonly string[];
  /** homes, and the directory of homes */
  readonly homes: readonly string[];
  /** those of the directories asked for from which Python could import or start: where each is, and its name */
  readonly ofPython: readonly (readonly [source: string, name: string])[];
}

/** A file system that has not answered by then will not run any test. */
const PATIENCE_MILLISECONDS = 10_000;

/** `cd -P` goes only where it may, and says where that really is. */
const LOOK = `
printf 'python %s\\0' "$(command -v "$1")"
for place in /run /tmp /var/tmp; do cd -P "$place" && printf 'shared %s\\0' "$PWD"; done
for place in /root /home /home/* "\${HOME:-/}"; do cd -P "$place" && printf 'home %s\\0' "$PWD"; done
shift
for name; do
  cd -P "$name" || continue
  for sign in bin/python* pyvenv.cfg lib*/python*/os.py *.py */__init__.py *.so *.dist-info; do
    [ -e "$sign" ] && printf 'source %s\\0name %s\\0' "$PWD" "$name" && break
  done
done
exit 0
`;

/** Looks; `sandbox` starts a program that can change nothing. Returns why it could not as a problem. */
export async function findHostDirectories(
  sandbox: readonly string[],
  { root, python, directories = [] }: {
    readonly root: string;
    readonly python: string;
    readonly directories?: readonly string[];
  },
): Promise<HostDirectories | { readonly problem: string }> {
  const names = [...new Set(directories)].filter((name) => name.startsWith("/")).sort();
  const { code, stdout, stderr } = await runProgram(
    [...sandbox, "/bin/sh", "-c", LOOK, "sh", python, ...names],
    { root, signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) },
  );
  if (code !== 0) return { problem: stderr.trim().split("\n").at(-1) || `exit ${code}` };
  const items = (kind: string) =>
    stdout.split("\0").filter((item) => item.startsWith(`${kind} `))
      .map((item) => item.slice(kind.length + 1));
  const sources = items("source");
  return {
    python: items("python")[0] ?? "",
    shared: items("shared"),
    homes: items("home").filter((path) => path !== "/"),
    ofPython: items("name").map((name, index) => [sources[index] ?? name, name]),
  };
}
