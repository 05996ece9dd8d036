/**
 * The project that a command works on: its files, and a runner for its pytest.
 *
 * @module
 */
import type { ProjectFiles } from "../domain/project_files.ts";
import { whyNoSandbox } from "../pytest/bubblewrap.ts";
import { openProjectFiles } from "../pytest/deno_project_files.ts";
import { createLazyRunner } from "../pytest/lazy_runner.ts";
import { whyNoLimits } from "../pytest/limits.ts";
import type { OwnedPytestRunner } from "../pytest/pytest_process.ts";
import type { Checked, ServeFlags } from "./settings_flags.ts";

/** A project, ready to be worked on. */
export interface Project {
  readonly files: ProjectFiles;
  /** to be disposed of: it owns processes */
  readonly runner: OwnedPytestRunner;
}

/** `/`, a drive, or what another computer shares. */
const WHOLE_FILE_SYSTEM = /^([a-z]:|\\\\[^\\]+\\[^\\]+)?[\\/]?$/i;

/** Looks at the root before anything else does, so that a wrong one is explained in one sentence. */
export async function openProject(
  flags:
    & Pick<ServeFlags, "root" | "python" | "prewarm">
    & Partial<Pick<ServeFlags, "sandbox" | "limits">>,
): Promise<Checked<Project>> {
  const { root, python, prewarm, sandbox = false, limits = {} } = flags;
  // Node's path module takes a tenth of the start, and most servers are started where they shall work.
  const directory = root === "." ? Deno.cwd() : (await import("node:path")).resolve(root);
  const refuse = (
    why: string,
  ) => ({ ok: false, message: `Cannot use ${directory} as the root: ${why}` } as const);
  if (WHOLE_FILE_SYSTEM.test(directory)) {
    return refuse(
      "it is the whole file system; start pytest-mcp in a project, or name one with --root",
    );
  }
  if (Deno.permissions.querySync({ name: "read", path: directory }).state !== "granted") {
    return refuse("Deno may not read it; start pytest-mcp there (see pytest-mcp config)");
  }
  const noSandbox = sandbox ? whyNoSandbox() : null;
  if (noSandbox !== null) return { ok: false, message: `There is no --sandbox: ${noSandbox}` };
  const noLimits = whyNoLimits(limits, Deno.build.os);
  if (noLimits !== null) return { ok: false, message: noLimits };
  try {
    const files = openProjectFiles(directory);
    const named = python === undefined ? {} : { python };
    const options = { root: files.root, prewarm, sandbox, limits, ...named };
    return { ok: true, value: { files, runner: createLazyRunner(options) } };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return refuse("it does not exist");
    if (error instanceof Deno.errors.NotADirectory) return refuse("it is not a directory");
    if (error instanceof Deno.errors.PermissionDenied) return refuse("this user may not read it");
    throw error;
  }
}
