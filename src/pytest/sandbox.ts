/**
 * bubblewrap around the tests: the file system read-only but for the project, a /tmp and a home of their own,
 * no network, no other process in sight.
 *
 * @module
 */
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { askPython } from "./ask_python.ts";
import { BUBBLEWRAP } from "./bubblewrap.ts";
import { isWithin } from "./is_within.ts";
import { frozenPaths } from "./frozen_paths.ts";
import { findHostDirectories, type HostDirectories } from "./host_directories.ts";
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
const BASE = [BUBBLEWRAP, ...APART, ...READ_ONLY] as const;

/** An interpreter that has not even said where it lives by then will not run any test. */
const ANSWER_MILLISECONDS = 10_000;

/** What an interpreter says of itself, which may be a lie. */
const answerSchema = z.object({
  /** the interpreter itself, whatever shim stood for it */
  executable: z.string(),
  /** where it is, and what it imports from */
  directories: z.array(z.string()),
});

/** What one interpreter gets. */
export interface SandboxFacts {
  readonly executable: string;
  /** directories that are empty inside: homes, temporary files, sockets */
  readonly hidden: readonly string[];
  /** what Python needs of them: where it is, and where it is to be seen */
  readonly needed: readonly (readonly [source: string, target: string])[];
}

/** What stands before the arguments of Python; `frozen` are parts of the project that cannot be changed inside. */
export function sandboxCommand(
  { executable, hidden, needed }: SandboxFacts,
  { root, frozen }: { readonly root: string; readonly frozen: readonly string[] },
): string[] {
  return [
    ...BASE,
    ...hide(hidden),
    ...show(needed),
    ...["--bind", root, root],
    // A mount cannot be renamed: without this, a test could move what holds a frozen part and put another in its place.
    ...directoriesAbove(frozen, root).flatMap((path) => ["--bind-try", path, path]),
    // A person may have removed one just now.
    ...frozen.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["--chdir", root, "--", executable],
  ];
}

/** The sandboxes of one project: each interpreter needs its own. */
export class Sandbox {
  readonly #options: SpawnOptions;
  readonly #facts = new Map<string, SandboxFacts>();

  constructor(options: SpawnOptions) {
    this.#options = options;
  }

  /** What starts this interpreter inside; only after it was learnt. */
  command(python: string): readonly string[] {
    const facts = this.#facts.get(python);
    if (facts === undefined) throw new Error(`there is no sandbox for ${python}`);
    const { root } = this.#options;
    return sandboxCommand(facts, { root, frozen: frozenPaths(root, python) });
  }

  /** Finds out what an interpreter needs; returns why that cannot be. */
  async learn(python: string): Promise<string | null> {
    if (this.#facts.has(python)) return null;
    const answer = await learnFacts(python, this.#options);
    if ("problem" in answer) return answer.problem;
    this.#facts.set(python, answer);
    return null;
  }

  /** The interpreter has changed, or is gone. */
  forget(python: string): void {
    this.#facts.delete(python);
  }

  /** What starts git, which may be in a repository that begins above the root. */
  async commandOfGit(): Promise<readonly string[] | { readonly problem: string }> {
    const { root } = this.#options;
    const outside = await findHostDirectories([...BASE, "--"], { root, python: "" });
    if ("problem" in outside) return outside;
    const hidden = outside.shared.filter((path) => !isWithin(root, path));
    return [...BASE, ...hide(hidden), "--chdir", root, "--"];
  }
}

/**
 * Asks an interpreter where it lives. It is asked within a sandbox that can change nothing and, where it
 * belongs to the project, that shows nothing private: tests of an earlier run may have put it there.
 */
async function learnFacts(
  name: string,
  options: SpawnOptions,
): Promise<SandboxFacts | { problem: string }> {
  const { root } = options;
  const look = (directories: readonly string[]) =>
    findHostDirectories([...BASE, "--"], { root, python: name, directories });
  const places = placesOf(name);
  const before = await look(places);
  if ("problem" in before) return { problem: `no sandbox: ${before.problem}` };
  if (before.python === "") return { problem: "not found" };
  const python = resolve(root, before.python);
  const hidden = isWithin(python, root)
    ? outermost(privateOf(before))
    : before.shared.filter((path) => !isWithin(python, path));
  const asking = [
    ...[...BASE, ...hide(hidden), ...show(neededOf(before, root))],
    ...["--ro-bind", root, root, "--chdir", root, "--", python],
  ];
  const reply = await askPython(asking, {
    ...options,
    entry: "pytest_mcp_sandbox_facts",
    modules: ["pytest_mcp_sandbox_facts"],
    patienceMilliseconds: ANSWER_MILLISECONDS,
  });
  if ("problem" in reply) {
    if (/execvp .*: No such file or directory$/.test(reply.problem)) {
      return { problem: "not found" };
    }
    return { problem: `no sandbox: ${reply.problem}` };
  }
  const answer = answerSchema.safeParse(reply.answer);
  if (!answer.success) return { problem: "no sandbox: it does not answer as Python does" };
  const { executable, directories } = answer.data;
  const after = await look([...places, ...directories]);
  if ("problem" in after) return { problem: `no sandbox: ${after.problem}` };
  return { executable, hidden: outermost(privateOf(after)), needed: neededOf(after, root) };
}

/** Where an interpreter of the project may have its files: each of its names on its way through links. */
function placesOf(python: string): string[] {
  const names = [python];
  try {
    names.push(Deno.realPathSync(python));
    // the environment, where that is a link
    names.push(resolve(Deno.realPathSync(dirname(dirname(python))), "bin/python"));
    for (let name = python; names.length < 40; names.push(name)) {
      name = resolve(dirname(name), Deno.readLinkSync(name));
    }
  } catch {
    // no link, or one that Deno does not let us see
  }
  return names.map((name) => dirname(dirname(name)));
}

function privateOf({ shared, homes }: HostDirectories): string[] {
  return [...shared, ...homes];
}

/** What is hidden of Python's directories; never a private directory itself, nor what holds one. */
function neededOf(outside: HostDirectories, root: string): [string, string][] {
  const hidden = privateOf(outside);
  const needed = new Map<string, string>();
  for (const [source, name] of outside.ofPython) {
    if (hidden.some((path) => isWithin(path, source) || isWithin(path, name))) continue;
    for (const target of [name, source]) {
      if (!isWithin(target, root) && hidden.some((path) => isWithin(target, path))) {
        needed.set(target, source);
      }
    }
  }
  const targets = outermost([...needed.keys()]);
  return targets.map((target) => [needed.get(target) ?? target, target]);
}

function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)].sort();
  return all.filter((path) => !all.some((other) => other !== path && isWithin(path, other)));
}

/** The directories between the root and each of these, outermost first. */
function directoriesAbove(paths: readonly string[], root: string): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    for (let above = dirname(path); isWithin(above, root); above = dirname(above)) found.add(above);
  }
  found.delete(root);
  return [...found].filter((path) => !paths.some((other) => isWithin(path, other))).sort();
}

function hide(paths: readonly string[]): string[] {
  return paths.flatMap((path) => ["--tmpfs", path]);
}

function show(pairs: SandboxFacts["needed"]): string[] {
  return pairs.flatMap(([source, target]) => ["--ro-bind", source, target]);
}
