import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBasePython } from "./base_python.ts";
import { copyTree } from "./copy_tree.ts";
import { environment, type PytestEnvironmentName } from "./environments.ts";

const PROJECTS = fileURLToPath(new URL("../../fixtures/projects", import.meta.url));

/** A project of its own for one test, with an environment in `.venv` as users have it. */
export interface E2eProject extends AsyncDisposable {
  readonly root: string;
}

/** What is in it. */
export interface E2eProjectOptions {
  /** a directory of fixtures/projects */
  readonly fixture?: string;
  /** path → text, added to it */
  readonly files?: Readonly<Record<string, string>>;
  /** what `.venv` is; default: the newest pytest; "bare" has none; null: there is no `.venv` */
  readonly environment?: PytestEnvironmentName | "bare" | null;
}

/** Makes the project; disposing it removes it. */
export async function e2eProject(options: E2eProjectOptions = {}): Promise<E2eProject> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "pytest-mcp-e2e-" }));
  if (options.fixture !== undefined) await copyTree(join(PROJECTS, options.fixture), root);
  for (const [path, text] of Object.entries(options.files ?? {})) {
    await Deno.mkdir(dirname(join(root, path)), { recursive: true });
    await Deno.writeTextFile(join(root, path), text);
  }
  if (options.environment === "bare") await makeBareEnvironment(join(root, ".venv"));
  else if (options.environment !== null) {
    const { python } = await environment(options.environment ?? "pytest9");
    await Deno.symlink(dirname(dirname(python)), join(root, ".venv"), { type: "junction" });
  }
  return {
    root,
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

async function makeBareEnvironment(directory: string): Promise<void> {
  const { executable } = await findBasePython();
  const { success } = await new Deno.Command(executable, {
    args: ["-m", "venv", "--without-pip", directory],
    stdin: "null",
  }).output();
  if (!success) throw new Error(`no environment could be made in ${directory}`);
}
