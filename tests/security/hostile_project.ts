import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { environment } from "../support/environments.ts";

const WATCH = fileURLToPath(new URL("./watch_python.py", import.meta.url));

/** A project beside a directory that nothing may touch. */
export interface HostileProject extends AsyncDisposable {
  readonly root: string;
  /** holds a test, a plugin, settings and arguments, each of which leaves a file when it is used */
  readonly outside: string;
  /** variables that make every Python process write down what it does */
  readonly env: Readonly<Record<string, string>>;
  /** a line of JSON for each thing that Python did */
  readonly watched: () => Promise<string[]>;
}

/** Made so that a successful attack shows: every file here that is used leaves a trace. */
export async function hostileProject(): Promise<HostileProject> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "pytest-mcp-hostile-" }));
  const [root, outside, watch] = [
    join(base, "project"),
    join(base, "outside"),
    join(base, "watch"),
  ];
  const log = join(base, "watched.jsonl");
  const leaveTrace = (name: string) =>
    `import pathlib\npathlib.Path(${JSON.stringify(join(outside, name))}).touch()\n`;
  const files: Record<string, string> = {
    "project/pytest.ini": "[pytest]\ntestpaths = tests\n",
    "project/tests/test_ok.py": "def test_ok(): pass\n",
    "project/evil_plugin.py": leaveTrace("plugin_was_loaded"),
    "project/args.txt": "-p\nevil_plugin\n",
    "project/@args.txt": "-p\nevil_plugin\n",
    "project/-p": leaveTrace("file_was_run"),
    "outside/canary.txt": "canary\n",
    "outside/test_evil.py": leaveTrace("test_was_imported") + "def test_evil(): pass\n",
    "outside/conftest.py": leaveTrace("conftest_was_loaded"),
    "outside/evil.ini": "[pytest]\naddopts = -p evil_plugin\n",
    "outside/args.txt": "-p\nevil_plugin\n",
    "watch/sitecustomize.py": await Deno.readTextFile(WATCH),
    "watched.jsonl": "",
  };
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(base, path)), { recursive: true });
    await Deno.writeTextFile(join(base, path), text);
  }
  const { python } = await environment("pytest9");
  await Deno.symlink(dirname(dirname(python)), join(root, ".venv"), { type: "junction" });
  await Deno.symlink(outside, join(root, "link_to_directory"), { type: "junction" });
  await Deno.symlink(join(root, "link_to_directory"), join(root, "link_to_link"), {
    type: "junction",
  });
  if (Deno.build.os !== "windows") {
    await Deno.symlink(join(outside, "test_evil.py"), join(root, "link_to_file.py"));
    await Deno.symlink("/", join(root, "link_to_root_of_disk"));
  }
  return {
    root,
    outside,
    env: { PYTHONPATH: watch, PYTEST_MCP_TEST_WATCH: log },
    watched: async () => (await Deno.readTextFile(log)).trimEnd().split("\n"),
    [Symbol.asyncDispose]: () => Deno.remove(base, { recursive: true }),
  };
}

/** Every file below a directory with its content, but for what a bare pytest leaves there too. */
export function snapshotTree(directory: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name, isDirectory, isFile } of Deno.readDirSync(directory)) {
    if (name === "__pycache__" || name === ".pytest_cache") continue;
    const path = join(directory, name);
    if (isDirectory) Object.assign(found, snapshotTree(path));
    else found[path] = isFile ? Deno.readTextFileSync(path) : Deno.readLinkSync(path);
  }
  return found;
}
