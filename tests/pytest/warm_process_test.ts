import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { createPytestRunner } from "../../src/pytest/pytest_process.ts";
import { ticksOf } from "../bench/process_tree.ts";
import { copyTree } from "../support/copy_tree.ts";
import { environment, type PytestEnvironmentName } from "../support/environments.ts";
import { killNow } from "../support/process_tree.ts";
import { MARK, markedProcesses, survivors } from "../support/survivors.ts";

/** Fails with what a test can see of how its process was made. */
const PROBE = `import logging, pprint, sys, pytest
try:
    import added
except ImportError:
    added = None

def test_probe():
    warm = "pytest_mcp_warmth" in sys.modules
    record = logging.makeLogRecord({})
    start = str(record.created * 1000 - record.relativeCreated)
    seen = [str(warm), pytest.__version__, pprint.__file__, str(bool(added)), sys.executable, start]
    raise Exception("|".join(seen))
`;

/** A time without nanoseconds, which could not be set again. */
const OLD = new Date("2020-01-01");

/** What the probe saw. */
interface Seen {
  readonly warm: boolean;
  readonly pytest: string;
  readonly pprint: string;
  readonly added: boolean;
  readonly python: string;
  /** milliseconds since 1970, from which log records count */
  readonly start: number;
}

/** A project with environments of its own, which a test may change. */
class Project implements AsyncDisposable {
  readonly root: string;
  readonly mark: string = crypto.randomUUID();
  readonly #runner;

  private constructor(root: string) {
    this.root = root;
    this.#runner = createPytestRunner({
      root,
      prewarm: true,
      environment: { [MARK]: this.mark, PYTHONUSERBASE: join(root, "user") },
      host: { platform: "posix", variable: () => undefined, exists },
    });
  }

  static async open(environments: readonly string[] = [".venv"]): Promise<Project> {
    const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "pytest-mcp-warm-" }));
    for (const path of environments) {
      const { python } = await environment("pytest9");
      const directory = join(root, path);
      const args = ["-m", "venv", "--without-pip", directory];
      assert((await new Deno.Command(python, { args }).output()).success);
      await install(directory, "pytest9");
      await Deno.writeTextFile(
        join(packagesOf(directory), "paths.pth"),
        `/nowhere\n${root}/later\n`,
      );
      await Deno.utime(join(packagesOf(directory), "iniconfig/__init__.py"), OLD, OLD);
      await Deno.writeTextFile(join(directory, "../test_it.py"), PROBE);
    }
    return new Project(root);
  }

  /** Gets a process ready, and waits until it has nothing left to do. */
  async prepare(): Promise<number[]> {
    this.#runner.prepare();
    return await this.waiting();
  }

  /** The processes that wait for a request, once they do. */
  async waiting(): Promise<number[]> {
    let before = -1;
    for (let still = 0; still < 5; await pause(100)) {
      const pids = this.#pids();
      const ticks = ticksOf(pids);
      still = ticks === before && pids.length > 0 ? still + 1 : 0;
      before = ticks;
    }
    return this.#pids();
  }

  async run(target = "test_it.py"): Promise<Seen> {
    const report = {
      items: false,
      locals: false,
      text: false,
      hideTerminalTracebacks: false,
      json: false,
    };
    const request = {
      args: [target],
      select: null,
      targets: [target],
      timeoutSeconds: 60,
      report,
      related: null,
      session: {},
    };
    const { signal } = new AbortController();
    const events = await Array.fromAsync(this.#runner.run(request, { signal }));
    const failed = events.find((event) => event.event === "report" && event.error !== null);
    assert(failed?.event === "report", JSON.stringify(events));
    const [warm, pytest = "", pprint = "", added, python = "", start] =
      failed.error?.message.split("|") ?? [];
    return {
      warm: warm === "True",
      pytest,
      pprint,
      added: added === "True",
      python,
      start: Number(start),
    };
  }

  #pids(): number[] {
    return markedProcesses(this.mark).map((line) => Number.parseInt(line));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runner[Symbol.asyncDispose]();
    assert.deepEqual(await survivors(this.mark), []);
    await Deno.remove(this.root, { recursive: true });
  }
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function packagesOf(environment: string): string {
  const [version] = [...Deno.readDirSync(join(environment, "lib"))];
  assert(version !== undefined);
  return join(environment, "lib", version.name, "site-packages");
}

/** Puts the packages of one of our environments into another, over what is there. */
async function install(target: string, name: PytestEnvironmentName): Promise<void> {
  const { python } = await environment(name);
  const source = packagesOf(dirname(dirname(python)));
  for (const { name, isDirectory } of Deno.readDirSync(source)) {
    if (/^(pip|setuptools|pkg_resources|_distutils_hack|distutils-precedence)/i.test(name)) {
      continue;
    }
    const copy = join(packagesOf(target), name);
    if (isDirectory) await copyTree(join(source, name), copy);
    else await Deno.copyFile(join(source, name), copy);
  }
}

/** Makes a module known to pytest as a plugin. */
async function addPlugin(packages: string, module: string, files: string[] = []): Promise<void> {
  const entry = join(packages, `${module}-1.dist-info`);
  await Deno.mkdir(entry);
  const metadata = `Metadata-Version: 2.1\nName: ${module}\nVersion: 1\n`;
  await Deno.writeTextFile(join(entry, "METADATA"), metadata);
  const entryPoint = `[pytest11]\nit = ${module}\n`;
  await Deno.writeTextFile(join(entry, "entry_points.txt"), entryPoint);
  await Deno.writeTextFile(join(entry, "RECORD"), files.map((file) => `${file},,\n`).join(""));
}

function linuxTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, ignore: Deno.build.os !== "linux", fn });
}

linuxTest(
  "a process waits ahead of every run, one at most, without any work, and serves one run",
  async () => {
    await using project = await Project.open();
    const first = await project.prepare();
    assert.equal(first.length, 2, "a supervisor and its worker");
    const ticks = ticksOf(first);
    await pause(1_000);
    assert.equal(ticksOf(first), ticks);
    assert.equal((await project.run()).warm, true);
    const second = await project.waiting();
    assert.equal(second.length, 2);
    assert.deepEqual(second.filter((pid) => first.includes(pid)), []);
    assert.equal((await project.run()).warm, true);
  },
);

/** What may change while a process waits; after each, a run must be as a cold one would be. */
const CHANGES: Record<string, {
  change: (root: string) => Promise<void> | void;
  seen?: Partial<Seen> | ((seen: Seen) => void);
}> = {
  "another pytest is installed": {
    change: (root) => install(join(root, ".venv"), "pytest84"),
    seen: ({ pytest }) => assert.match(pytest, /^8\.4/),
  },
  "pyvenv.cfg changes": {
    change: (root) =>
      Deno.writeTextFileSync(join(root, ".venv/pyvenv.cfg"), "prompt = x\n", { append: true }),
  },
  "a package is installed": {
    change: (root) => Deno.writeTextFileSync(join(packagesOf(join(root, ".venv")), "added.py"), ""),
    seen: { added: true },
  },
  "a .pth file is edited": {
    change: (root) => {
      Deno.mkdirSync(join(root, "more"));
      Deno.writeTextFileSync(join(root, "more/added.py"), "");
      Deno.writeTextFileSync(join(packagesOf(join(root, ".venv")), "paths.pth"), `${root}/more\n`);
    },
    seen: { added: true },
  },
  "a directory appears that a .pth file names": {
    change: (root) => {
      Deno.mkdirSync(join(root, "later"));
      Deno.writeTextFileSync(join(root, "later/added.py"), "");
    },
    seen: { added: true },
  },
  "the root is replaced by another directory": {
    change: (root) => {
      Deno.renameSync(root, `${root}.old`);
      Deno.mkdirSync(root);
      Deno.renameSync(`${root}.old`, join(root, "old"));
      Deno.renameSync(join(root, "old/.venv"), join(root, ".venv"));
      Deno.copyFileSync(join(root, "old/test_it.py"), join(root, "test_it.py"));
      Deno.writeTextFileSync(join(root, "added.py"), "");
    },
    seen: { added: true },
  },
  "a module is replaced by one of the same size and time": {
    change: (root) => {
      const file = join(packagesOf(join(root, ".venv")), "iniconfig/__init__.py");
      Deno.copyFileSync(file, `${file}.new`);
      Deno.utimeSync(`${file}.new`, OLD, OLD);
      Deno.renameSync(`${file}.new`, file);
    },
  },
  "a file of the root takes the name of a loaded module": {
    change: (root) => {
      const copy = "import pprint, shutil, sys; shutil.copy(pprint.__file__, sys.argv[1])";
      const python = join(root, ".venv/bin/python");
      assert(new Deno.Command(python, { args: ["-I", "-c", copy, root] }).outputSync().success);
    },
    seen: ({ pprint }) => assert.match(pprint, /pytest-mcp-warm-.*pprint\.py$/),
  },
};

for (const [name, { change, seen }] of Object.entries(CHANGES)) {
  linuxTest(`a waiting process is not used when ${name}`, async () => {
    await using project = await Project.open();
    await project.prepare();
    await change(project.root);
    const run = await project.run();
    assert.equal(run.warm, false);
    if (typeof seen === "function") seen(run);
    else assert.deepEqual({ ...run, ...seen }, run);
  });
}

linuxTest("a waiting process is not used when the user's own site directory appears", async () => {
  await using project = await Project.open();
  const config = join(project.root, ".venv/pyvenv.cfg");
  const text = await Deno.readTextFile(config);
  await Deno.writeTextFile(config, text.replace(/(system-site-packages =) false/, "$1 true"));
  await project.prepare();
  const user = packagesOf(join(project.root, ".venv")).replace("/.venv/", "/user/");
  await Deno.mkdir(user, { recursive: true });
  await Deno.writeTextFile(join(user, "added.py"), "");
  const { warm, added } = await project.run();
  assert.deepEqual([warm, added], [false, true]);
});

linuxTest("a waiting process is not used when a package changed while it was loaded", async () => {
  await using project = await Project.open();
  const packages = packagesOf(join(project.root, ".venv"));
  const file = join(packages, "iniconfig/__init__.py");
  await addPlugin(packages, "upgrade");
  await Deno.writeTextFile(
    join(packages, "upgrade.py"),
    `import iniconfig, os\nos.utime(r"${file}", (1, 1))\n`,
  );
  await project.prepare();
  assert.equal((await project.run()).warm, false);
});

linuxTest(
  "a waiting process is used though directories of the root have names of modules",
  async () => {
    await using project = await Project.open();
    // what MkDocs and packagers make; no import finds a directory when there is a module
    for (const name of ["site", "packaging", "pprint"]) {
      await Deno.mkdir(join(project.root, name));
      await Deno.writeTextFile(join(project.root, name, "index.py"), "");
    }
    await project.prepare();
    const first = await project.run();
    assert.equal(first.warm, true);
    const ours = join(project.root, "pprint/__init__.py");
    await project.waiting();
    await Deno.copyFile(first.pprint, ours);
    const { warm, pprint } = await project.run();
    assert.deepEqual([warm, pprint], [false, ours]);
  },
);

linuxTest("the log records of a warm run count from its request", async () => {
  await using project = await Project.open();
  await project.prepare();
  const before = Date.now() - 1;
  const { warm, start } = await project.run();
  assert.equal(warm, true);
  assert(start >= before, `${start} is before ${before}`);
});

linuxTest("a waiting process has imported no plugin of the project, wherever that is", async () => {
  await using project = await Project.open();
  const own = join(project.root, "own-packages");
  const packages = packagesOf(join(project.root, ".venv"));
  await Deno.mkdir(own);
  await Deno.writeTextFile(join(own, "own_plugin.py"), `open(r"${own}/seen", "a").write("x")\n`);
  await Deno.writeTextFile(join(packages, "own.pth"), `${own}\n`);
  await addPlugin(packages, "own_plugin");
  await project.prepare();
  assert.equal(exists(join(own, "seen")), false);
  assert.equal((await project.run()).warm, true);
  assert.equal(await Deno.readTextFile(join(own, "seen")), "x");
});

linuxTest(
  "a warm run has none of pytest's warnings of modules that it finds imported",
  async () => {
    await using project = await Project.open();
    const packages = packagesOf(join(project.root, ".venv"));
    await Deno.writeTextFile(join(packages, "the_plugin.py"), "import its_helper\n");
    await Deno.writeTextFile(join(packages, "its_helper.py"), "");
    await addPlugin(packages, "the_plugin", ["the_plugin.py", "its_helper.py"]);
    await Deno.writeTextFile(
      join(project.root, "pytest.ini"),
      "[pytest]\nfilterwarnings = error\n",
    );
    await project.prepare();
    assert.equal((await project.run()).warm, true);
  },
);

linuxTest("a warm run finds who refers to an object of a plugin", async () => {
  await using project = await Project.open();
  const packages = packagesOf(join(project.root, ".venv"));
  // As hypothesis asks for the random generators of trio when it is imported.
  const look = "import gc\nclass Kept: pass\nkept = Kept()\n" +
    "def pytest_sessionstart(): assert gc.get_referrers(kept)\n";
  await Deno.writeTextFile(join(packages, "the_plugin.py"), look);
  await addPlugin(packages, "the_plugin", ["the_plugin.py"]);
  await project.prepare();
  assert.equal((await project.run()).warm, true);
});

linuxTest("a waiting process that is killed costs no run", async () => {
  await using project = await Project.open();
  for (const index of [0, 1]) {
    const pids = await project.prepare();
    const pid = pids[index];
    assert(pid !== undefined);
    killNow(pid);
    assert.equal((await project.run()).python, join(project.root, ".venv/bin/python"));
  }
});

linuxTest("a waiting process serves no other interpreter", async () => {
  await using project = await Project.open([".venv", "part/.venv"]);
  await project.prepare();
  const part = await project.run("part/test_it.py");
  assert.deepEqual([part.warm, part.python], [false, join(project.root, "part/.venv/bin/python")]);
  assert.equal((await project.waiting()).length, 2, "the one for the root has gone");
  assert.equal((await project.run("part/test_it.py")).warm, true);
});
