import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { WAYS_TO_END } from "../../fixtures/ways_to_end.ts";
import { sandboxCommand } from "../../src/pytest/sandbox.ts";
import { e2eProject } from "../support/e2e_project.ts";
import { environment } from "../support/environments.ts";
import { git } from "../support/git_repository.ts";
import { RawServer } from "../support/raw_server.ts";
import { runProject } from "../support/run_project.ts";
import { succeeds } from "../support/succeeds.ts";
import { MARK, markedProcesses, survivors } from "../support/survivors.ts";
import { endOfOutcome, expectedEnd, seenEnd } from "../support/way_to_end.ts";

const PROJECTS = fileURLToPath(new URL("../../fixtures/ways_to_end/", import.meta.url));
const linux = Deno.build.os === "linux";

/** Whether this machine lets anybody make a sandbox: containers often do not. */
const works = linux &&
  await succeeds("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "--", "true"]);

/** Each passes only inside. `outside` is a directory that nobody inside can see. */
function testsOfTheSandbox(outside: string): string {
  return `
import ctypes, os, pathlib, socket, subprocess, sys, tempfile
import pytest

OUTSIDE = ${JSON.stringify(outside)}

def test_the_rest_of_the_disk_is_read_only():
    for place in ("/usr", "/etc", "/var", sys.prefix, os.path.dirname(os.path.realpath(sys.executable))):
        with pytest.raises(OSError):
            tempfile.TemporaryFile(dir=place)

def test_the_project_can_be_written():
    pathlib.Path("written").write_text("by a test")

def test_what_runs_outside_cannot_be_written():
    parts = ("services/a/.venv/bin/python", "services/b/env/pyvenv.cfg", "services/b/.git")
    for place in (".git/hooks/post-checkout", ".git/config", "venv/bin/python", *parts):
        with pytest.raises(OSError):
            pathlib.Path(place).write_text("#!/bin/sh")
    for place in ("venv", ".git", "services/a/.venv", "services/a", "services"):
        with pytest.raises(OSError):
            os.rename(place, "elsewhere")
    os.makedirs("services/c", exist_ok=True)
    os.rename("services/c", "services/d")
    os.rmdir("services/d")

def test_other_temporary_files_are_not_there():
    assert not os.path.exists(OUTSIDE)
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"mine")

def test_there_is_no_home():
    home = os.path.expanduser("~")
    assert not any(os.path.exists(os.path.join(home, name)) for name in (".bashrc", ".profile", ".ssh"))
    for below in pathlib.Path(home).iterdir():
        assert any(path.startswith(str(below)) for path in map(os.path.realpath, [sys.prefix, sys.base_prefix, os.getcwd()])), below

def test_there_are_no_sockets_of_other_programs():
    assert os.listdir("/run") == []

def test_there_is_no_network():
    assert [name for _, name in socket.if_nameindex()] == ["lo"]
    with pytest.raises(OSError):
        socket.create_connection(("192.0.2.1", 80), timeout=1)

def test_there_are_no_other_processes():
    commands = [pathlib.Path("/proc", name, "cmdline").read_bytes() for name in os.listdir("/proc") if name.isdigit()]
    assert all(b"bwrap" in command or b"-c" in command for command in commands), commands

def test_what_holds_the_sandbox_cannot_be_undone():
    libc = ctypes.CDLL(None)
    MS_REMOUNT, MS_BIND, MNT_DETACH = 32, 4096, 2
    # A namespace of one's own brings capabilities again, for what is made within it.
    for own in (False, True):
        if os.fork() == 0:
            if own and libc.unshare(0x10000000 | 0x00020000) != 0:
                os._exit(0)
            done = [libc.mount(None, b"/", None, MS_REMOUNT | MS_BIND, None)]
            done += [libc.umount2(place, MNT_DETACH) for place in (b"/run", os.fsencode(os.path.expanduser("~")))]
            os._exit(0 if done == [-1, -1, -1] else 1)
        assert os.wait()[1] == 0

def test_the_settings_of_the_kernel_cannot_be_written():
    for name in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"):
        with pytest.raises(OSError):
            open(name, "ab")

def test_programs_and_processes_work():
    assert subprocess.run([sys.executable, "-c", "print(1)"], stdout=subprocess.PIPE).stdout == b"1\\n"
    import multiprocessing
    with multiprocessing.Pool(2) as pool:
        assert pool.map(abs, [-1, -2]) == [1, 2]
`;
}

Deno.test({
  name: "--sandbox leaves the tests the project and a /tmp of their own, and nothing else",
  ignore: !works,
  async fn() {
    const outside = await Deno.makeTempDir();
    await Deno.writeTextFile(join(outside, "secret.txt"), "secret");
    await using project = await e2eProject({
      files: {
        "test_box.py": testsOfTheSandbox(outside),
        ".git/config": "",
        ".git/hooks/pre-commit": "",
        "venv/bin/python": "",
        "services/a/.venv/bin/python": "",
        "services/b/env/pyvenv.cfg": "",
        "services/b/.git": "gitdir: ../../.git/modules/b\n",
      },
    });
    const server = new RawServer({ root: project.root, flags: ["--sandbox"] });
    await server.initialize();
    // The second run gets the process that was made ready.
    for (const _ of ["first", "second"]) {
      const { result, error } = await server.call("execute_tests");
      assert.equal(error, undefined);
      assert.deepEqual(result.structuredContent.tests, []);
      assert.equal(result.structuredContent.summary.passed, 11);
    }
    await server.close();
    assert.equal(await Deno.readTextFile(join(project.root, "written")), "by a test");
    await Deno.remove(outside, { recursive: true });
  },
});

const FAULTS = ["segv", "sigkill", "_exit0", "gil", "swallow_kbd", "child_setsid", "forkbombish"];

for (const name of FAULTS) {
  Deno.test({
    name: `a run in the sandbox ends as it would outside: ${name}`,
    ignore: !works,
    async fn() {
      const { python } = await environment("pytest9");
      const way = WAYS_TO_END[name] ?? assert.fail();
      const params = way.stack === undefined ? {} : { timeout: 5 };
      const root = join(PROJECTS, name);
      const run = await runProject({ root, python, params, sandbox: true });
      assert.deepEqual(seenEnd(endOfOutcome(run.outcome), way), expectedEnd(way));
      assert.deepEqual(await survivors(run.mark), []);
    },
  });
}

Deno.test({
  name: "an interpreter that a test has put in place has no say in its own sandbox",
  ignore: !works,
  async fn() {
    const outside = await Deno.makeTempDir();
    await Deno.writeTextFile(join(outside, "secret.txt"), "secret");
    const home = Deno.env.get("HOME") ?? "/root";
    const { python } = await environment("pytest9");
    const ofPython = [python, await Deno.realPath(python)].map((path) => dirname(dirname(path)));
    const wanted = ["/", "/run", "/tmp", "/home", home, outside, ...ofPython];
    const lie = JSON.stringify({
      ...{ executable: python, directories: wanted },
      ...{ hidden: [], needed: wanted.map((path) => [path, path]), frozen: [] },
    });
    await using project = await e2eProject({
      environment: null,
      files: {
        // While it is asked, it can find nothing out, either.
        ".venv/bin/python":
          `#!/bin/sh\n[ -e ${outside} ] || [ -n "$(ls /run)" ] || [ -e ${home}/.cache/pytest-mcp ] || echo '${lie}'\n`,
        "test_it.py": `import os, sys
def test_it():
    assert os.listdir("/run") == []
    seen = {path.split("/")[2] for path in (os.getcwd(), sys.prefix, sys.base_prefix) if path.startswith("/tmp/")}
    assert set(os.listdir("/tmp")) == seen
    assert not os.path.exists(${JSON.stringify(outside)})
    home = os.path.expanduser("~")
    assert not any(os.path.exists(os.path.join(home, name)) for name in (".bashrc", ".profile", ".ssh"))
`,
      },
    });
    await Deno.chmod(join(project.root, ".venv/bin/python"), 0o755);
    const server = new RawServer({ root: project.root, flags: ["--sandbox"] });
    await server.initialize();
    const { result, error } = await server.call("execute_tests");
    assert.equal(error, undefined);
    assert.deepEqual(result.structuredContent.tests, []);
    assert.equal(result.structuredContent.summary.passed, 1);
    await server.close();
    await Deno.remove(outside, { recursive: true });
  },
});

Deno.test({
  name:
    "an interpreter that answers nonsense in the sandbox is an error of each run, and the server goes on",
  ignore: !works,
  async fn() {
    await using project = await e2eProject({
      environment: null,
      files: { ".venv/bin/python": "#!/bin/sh\necho nonsense\n" },
    });
    await Deno.chmod(join(project.root, ".venv/bin/python"), 0o755);
    const server = new RawServer({ root: project.root, flags: ["--sandbox"] });
    await server.initialize();
    for (const _ of ["first", "second"]) {
      const { error } = await server.call("execute_tests");
      assert.equal(error?.data.error_type, "spawn_failure");
    }
    await server.close();
  },
});

Deno.test({
  name: "what an environment imports from elsewhere can be seen in the sandbox, read-only",
  ignore: !works,
  async fn() {
    const elsewhere = await Deno.makeTempDir();
    await Deno.writeTextFile(join(elsewhere, "sibling.py"), "");
    const { python } = await environment("pytest9");
    const [packages = ""] = await sitePackages(dirname(dirname(python)));
    await using project = await e2eProject({
      environment: "bare",
      files: {
        "test_it.py": `import pathlib, pytest, sibling
def test_it():
    with pytest.raises(OSError):
        pathlib.Path(sibling.__file__).write_text("")
`,
      },
    });
    const [own = ""] = await sitePackages(join(project.root, ".venv"));
    await Deno.writeTextFile(join(own, "more.pth"), `${packages}\n${elsewhere}\n`);
    const server = new RawServer({ root: project.root, flags: ["--sandbox"] });
    await server.initialize();
    const { result, error } = await server.call("execute_tests");
    assert.equal(error, undefined);
    assert.equal(result.structuredContent.summary.passed, 1);
    await server.close();
    await Deno.remove(elsewhere, { recursive: true });
  },
});

async function sitePackages(environment: string): Promise<string[]> {
  const versions = await Array.fromAsync(Deno.readDir(join(environment, "lib")));
  return versions.map(({ name }) => join(environment, "lib", name, "site-packages"));
}

Deno.test({
  name: "--sandbox holds git, too: it can write nothing and reach no socket",
  ignore: !works,
  async fn() {
    const path = Deno.env.get("PATH");
    await using project = await e2eProject({
      files: {
        "test_it.py": "def test_it(): pass\n",
        "bin/git": `#!/bin/sh\necho >> ran\n[ -z "$(ls /run)" ] && PATH='${path}' exec git "$@"\n`,
      },
    });
    const { root } = project;
    await git(root, "init", "--quiet");
    await Deno.chmod(join(root, "bin/git"), 0o755);
    const env = { PATH: `${join(root, "bin")}:${path}` };
    const server = new RawServer({ root, flags: ["--sandbox"], env });
    await server.initialize();
    const { result, error } = await server.call("execute_tests", { changed: true });
    assert.equal(error, undefined);
    assert.equal(result.structuredContent.summary.passed, 1);
    await server.close();
    await assert.rejects(Deno.stat(join(root, "ran")), Deno.errors.NotFound);
  },
});

Deno.test({
  name: "--max-memory holds in the sandbox, too",
  ignore: !works,
  async fn() {
    const { python } = await environment("pytest9");
    await using project = await e2eProject({
      files: {
        "test_it.py":
          "def test_much():\n    bytearray(10**10)\ndef test_little():\n    bytearray(10**6)\n",
      },
      environment: null,
    });
    const limits = { memoryMegabytes: 512 };
    const { outcome } = await runProject({ root: project.root, python, sandbox: true, limits });
    assert.ok(outcome.ok);
    const { summary, tests } = outcome.result;
    assert.deepEqual([summary.passed, summary.failed], [1, 1]);
    assert.match(tests[0]?.message ?? "", /^MemoryError/);
  },
});

for (const signal of ["SIGKILL", "SIGTERM"] as const) {
  Deno.test({
    name: `nothing in the sandbox outlives a server that ends by ${signal}`,
    ignore: !works,
    async fn() {
      const mark = crypto.randomUUID();
      await using project = await e2eProject({
        files: {
          "test_it.py": `import pathlib, subprocess, time
def test_it():
    subprocess.Popen(["sleep", "600"], start_new_session=True)
    pathlib.Path("begun").touch()
    time.sleep(600)
`,
        },
      });
      const { root } = project;
      const server = new RawServer({ root, flags: ["--sandbox"], env: { [MARK]: mark } });
      await server.initialize();
      void server.call("execute_tests");
      await appearance(join(root, "begun"));
      assert.ok(markedProcesses(mark).length >= 4);
      server.kill(signal);
      await server.close();
      assert.deepEqual(await survivors(mark), []);
    },
  });
}

async function appearance(path: string): Promise<void> {
  while (!await Deno.stat(path).then(() => true, () => false)) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

Deno.test({
  name: "--sandbox is an error at the start where bubblewrap is not there",
  async fn() {
    await using project = await e2eProject({ fixture: "passing" });
    const server = new RawServer({
      root: project.root,
      flags: ["--sandbox"],
      env: { PATH: join(project.root, "nothing") },
    });
    const { code, stderr } = await server.close();
    assert.equal(code, 2);
    assert.match(stderr, /^pytest-mcp: There is no --sandbox: .*(bwrap|Linux).*\n$/);
  },
});

Deno.test({
  name: "--sandbox is an error of each run where the kernel refuses, and nothing runs without it",
  ignore: !linux,
  async fn() {
    const refusal = "bwrap: No permissions to create new namespace";
    await using project = await e2eProject({
      files: {
        "bin/bwrap": `#!/bin/sh\necho '${refusal}' >&2\nexit 1\n`,
        "test_it.py": "import pathlib\npathlib.Path('ran').touch()\n",
      },
    });
    const { root } = project;
    await Deno.chmod(join(root, "bin/bwrap"), 0o755);
    const PATH = `${join(root, "bin")}:${Deno.env.get("PATH")}`;
    const server = new RawServer({ root, flags: ["--sandbox"], env: { PATH } });
    await server.initialize();
    const { error } = await server.call("execute_tests");
    assert.equal(error?.code, -32000);
    assert.equal(error?.data.error_type, "spawn_failure");
    assert.match(error?.message ?? "", /no sandbox: bwrap: No permissions.*without --sandbox/s);
    await server.close();
    assert.deepEqual([...Deno.readDirSync(root)].some(({ name }) => name === "ran"), false);
  },
});

Deno.test("sandboxCommand() hides before it shows, and freezes last", () => {
  const facts = {
    executable: "/home/me/.pyenv/bin/python",
    hidden: ["/home", "/tmp"],
    needed: [["/home/me/.pyenv", "/home/me/.pyenv"]] satisfies [string, string][],
  };
  const root = "/home/me/code";
  const frozen = ["/home/me/code/.git", "/home/me/code/a/b/.venv"];
  assert.equal(
    sandboxCommand(facts, { root, frozen }).join(" "),
    "bwrap --die-with-parent --new-session --unshare-all --cap-drop ALL " +
      "--ro-bind / / --dev /dev --proc /proc --ro-bind /proc/sys /proc/sys " +
      "--tmpfs /home --tmpfs /tmp --ro-bind /home/me/.pyenv /home/me/.pyenv " +
      "--bind /home/me/code /home/me/code " +
      "--bind-try /home/me/code/a /home/me/code/a --bind-try /home/me/code/a/b /home/me/code/a/b " +
      "--ro-bind-try /home/me/code/.git /home/me/code/.git " +
      "--ro-bind-try /home/me/code/a/b/.venv /home/me/code/a/b/.venv " +
      "--chdir /home/me/code -- /home/me/.pyenv/bin/python",
  );
});
