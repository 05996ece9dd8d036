/**
 * bubblewrap around the tests: the file system read-only but for the project, a /tmp and a home of their own,
 * no network, no other process in sight.
 *
 * @module
 */
import { z } from "zod";
import { askPython } from "./ask_python.ts";
import { BUBBLEWRAP } from "./bubblewrap.ts";
import type { SpawnOptions } from "./spawn_python.ts";

/**
 * Everything that is new for whoever is inside. The session of its own keeps it from typing into a terminal,
 * and its end comes with the end of the server.
 */
const APART = ["--die-with-parent", "--new-session", "--unshare-all", "--cap-drop", "ALL"] as const;
const READ_ONLY = [
  ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
  // The settings of the kernel belong to root by name, whatever capabilities it has left.
  ...["--ro-bind", "/proc/sys", "/proc/sys"],
] as const;

/** An interpreter that has not even said where it lives by then will not run any test. */
const ANSWER_MILLISECONDS = 10_000;

const factsSchema = z.object({
  /** the interpreter itself, whatever shim stood for it */
  executable: z.string(),
  /** directories that are empty inside: homes, temporary files, sockets */
  hidden: z.array(z.string()),
  /** what Python needs of them: where it is, and where it is to be seen */
  needed: z.array(z.tuple([z.string(), z.string()])),
  /** parts of the project that somebody outside will run: nothing inside may change them */
  frozen: z.array(z.string()),
});
export type SandboxFacts = z.infer<typeof factsSchema>;

/** What stands before the arguments of Python. */
export function sandboxCommand(facts: SandboxFacts, root: string): string[] {
  return [
    BUBBLEWRAP,
    ...APART,
    ...READ_ONLY,
    ...facts.hidden.flatMap((path) => ["--tmpfs", path]),
    ...facts.needed.flatMap(([source, target]) => ["--ro-bind", source, target]),
    "--bind",
    root,
    root,
    ...facts.frozen.flatMap((path) => ["--ro-bind", path, path]),
    "--chdir",
    root,
    "--",
    facts.executable,
  ];
}

/** The sandboxes of one project: each interpreter needs its own. */
export class Sandbox {
  readonly #options: SpawnOptions;
  readonly #commands = new Map<string, readonly string[]>();

  constructor(options: SpawnOptions) {
    this.#options = options;
  }

  /** What starts this interpreter inside; only after it was learnt. */
  command(python: string): readonly string[] {
    const known = this.#commands.get(python);
    if (known === undefined) throw new Error(`there is no sandbox for ${python}`);
    return known;
  }

  /** Finds out what an interpreter needs; returns why that cannot be. */
  async learn(python: string): Promise<string | null> {
    if (this.#commands.has(python)) return null;
    const { root } = this.#options;
    const answer = await askInterpreter(python, this.#options);
    if ("problem" in answer) return answer.problem;
    this.#commands.set(python, sandboxCommand(answer.facts, root));
    return null;
  }

  /** The interpreter has changed, or is gone. */
  forget(python: string): void {
    this.#commands.delete(python);
  }
}

/**
 * Asks an interpreter where it lives. It is asked within a sandbox that can change nothing: tests of an
 * earlier run may have had their hands on it.
 */
async function askInterpreter(
  python: string,
  options: SpawnOptions,
): Promise<{ facts: SandboxFacts } | { problem: string }> {
  const { root } = options;
  const asking = [BUBBLEWRAP, ...APART, ...READ_ONLY, "--chdir", root, "--", python];
  const reply = await askPython(asking, {
    ...options,
    entry: "pytest_mcp_sandbox_facts",
    modules: ["pytest_mcp_sandbox_facts"],
    boot: { root },
    patienceMilliseconds: ANSWER_MILLISECONDS,
  });
  if ("answer" in reply) return { facts: factsSchema.parse(reply.answer) };
  if (/execvp .*: No such file or directory$/.test(reply.problem)) return { problem: "not found" };
  return { problem: `no sandbox: ${reply.problem}` };
}
