import assert from "node:assert/strict";
import { join } from "node:path";
import { config } from "../../src/cli/config.ts";
import { environmentPython } from "../../src/pytest/python_layout.ts";
import { thisProgram } from "../../src/cli/this_program.ts";
import { runCli } from "../support/run_cli.ts";
import { fakeTerminal } from "../support/fake_terminal.ts";
import { git, NEEDS_GIT } from "../support/git_repository.ts";

async function inProject(test: (root: string) => Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir();
  try {
    await test(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("config() prints what can be pasted, and where it goes on stderr", async () => {
  const terminal = fakeTerminal();
  assert.equal(await config(["gemini", "--form", "binary"], terminal), 0);
  assert.deepEqual(JSON.parse(terminal.stdout()), {
    mcpServers: { pytest: { command: "pytest-mcp", args: [] } },
  });
  assert.match(terminal.stderr(), /^# goes into \.gemini\/settings\.json in the project, or ~/);
});

Deno.test("config() answers a wrong command line with one line and exit code 2", async () => {
  const wrong = [
    [],
    ["emacs"],
    ["cursor", "zed"],
    ["cursor", "--form", "deb"],
    ["cursor", "--form", "jsr", "--root", "/a,b"],
    ["cursor", "--form", "jsr", "--python", "/a,b"],
    ["cursor", "--root", "/no/such/directory"],
    ["cursor", "--root", "deno.json"],
  ];
  for (const args of wrong) {
    const terminal = fakeTerminal();
    assert.equal(await config(args, terminal), 2, args.join(" "));
    assert.equal(terminal.stdout(), "");
    assert.match(terminal.stderr(), /^pytest-mcp: [^\n]+\n$/);
  }
});

Deno.test("config() --write shows the change, makes it, and then finds nothing to do", async () => {
  await inProject(async (root) => {
    await Deno.writeTextFile(join(root, ".mcp.json"), '{\n  "mcpServers": {} // none yet\n}\n');
    const args = ["claude-code", "--form", "binary", "--root", root, "--write"];
    const first = fakeTerminal();
    assert.equal(await config(args, first), 0);
    assert.match(first.stdout(), /^--- a\/\.mcp\.json\n\+\+\+ b\/\.mcp\.json\n@@ /);
    const written = await Deno.readTextFile(join(root, ".mcp.json"));
    assert.ok(written.includes('"command": "pytest-mcp"') && written.includes("// none yet"));
    const second = fakeTerminal();
    assert.equal(await config(args, second), 0);
    assert.equal(second.stdout(), "");
    assert.equal(second.stderr(), ".mcp.json is up to date\n");
  });
});

Deno.test("config() --diff changes nothing", async () => {
  await inProject(async (root) => {
    const terminal = fakeTerminal();
    assert.equal(await config(["vscode", "--root", root, "--diff"], terminal), 0);
    assert.match(terminal.stdout(), /^--- \/dev\/null\n\+\+\+ b\/\.vscode\/mcp\.json\n/);
    assert.deepEqual([...Deno.readDirSync(root)], []);
  });
});

Deno.test(
  "config --write lets git make the change when it may not write itself",
  NEEDS_GIT,
  async () => {
    const before = '{\n  "theme": "dark" // mine\n}\n';
    for (const place of ["", "part of/a repository"]) {
      await inProject(async (top) => {
        const root = join(top, place);
        await Deno.mkdir(join(root, ".gemini"), { recursive: true });
        await Deno.writeTextFile(join(root, ".gemini/settings.json"), before);
        if (place !== "") await git(top, "init", "--quiet");
        for (const client of ["gemini", "vscode"]) {
          const { code, stdout, stderr } = await runCli(["config", client, "--write"], {
            cwd: root,
          });
          assert.equal(code, 0, stderr);
          assert.match(stdout, /^--- (a\/|\/dev\/null)/);
          assert.match(stderr, /(settings|mcp)\.json was written\n$/);
        }
        const gemini = await Deno.readTextFile(join(root, ".gemini/settings.json"));
        assert.ok(
          gemini.includes('"theme": "dark", // mine') && gemini.includes('"mcpServers"'),
          gemini,
        );
        const vscode = await Deno.readTextFile(join(root, ".vscode/mcp.json"));
        assert.ok(JSON.parse(vscode).servers.pytest);
      });
    }
  },
);

Deno.test("config --write runs no filter of the repository when git makes the change", async () => {
  await inProject(async (root) => {
    await git(root, "init", "--quiet");
    for (const key of ["clean", "smudge"]) {
      await git(root, "config", `filter.evil.${key}`, "sh -c 'echo >> ran; cat'");
    }
    await Deno.writeTextFile(join(root, ".gitattributes"), "*.json filter=evil\n");
    await Deno.mkdir(join(root, ".gemini"));
    await Deno.writeTextFile(join(root, ".gemini/settings.json"), "{}\n");
    const { code, stderr } = await runCli(["config", "gemini", "--write"], { cwd: root });
    assert.equal(code, 0, stderr);
    await assert.rejects(Deno.stat(join(root, "ran")), Deno.errors.NotFound);
  });
});

Deno.test({
  name: "config --write says what to do when neither it nor git may write",
  ignore: Deno.build.os === "windows",
  async fn() {
    await inProject(async (root) => {
      const options = { cwd: root, env: { PATH: "/nowhere" } };
      const { code, stdout, stderr } = await runCli(["config", "gemini", "--write"], options);
      assert.equal(code, 1);
      assert.match(stdout, /^--- \/dev\/null\n\+\+\+ b\/\.gemini\/settings\.json\n/);
      assert.match(stderr, /may not write files, by design, and git did not: git is not there/);
      assert.match(stderr, /by hand in \.gemini\/settings\.json\n$/);
      assert.deepEqual([...Deno.readDirSync(root)], []);
    });
  },
});

Deno.test({
  name: "config --write leaves a file alone whose mode git would not keep",
  ignore: Deno.build.os === "windows" || NEEDS_GIT.ignore,
  async fn() {
    for (const mode of [0o600, 0o444]) {
      await inProject(async (root) => {
        const file = join(root, ".mcp.json");
        await Deno.writeTextFile(file, "{}\n");
        await Deno.chmod(file, mode);
        const { code, stderr } = await runCli(["config", "claude-code", "--write"], { cwd: root });
        assert.equal(code, 1);
        assert.ok(stderr.includes(`it would not keep the mode of the file, 0${mode.toString(8)}`));
        assert.equal(await Deno.readTextFile(file), "{}\n");
        assert.equal(((await Deno.stat(file)).mode ?? 0) & 0o777, mode);
      });
    }
  },
});

Deno.test("config --write keeps the line ends of a file from Windows", NEEDS_GIT, async () => {
  await inProject(async (root) => {
    const file = join(root, ".mcp.json");
    await Deno.writeTextFile(file, '{\r\n  "a": 1\r\n}\r\n');
    const { code, stderr } = await runCli(["config", "claude-code", "--write"], { cwd: root });
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(await Deno.readTextFile(file), /(?<!\r)\n/);
  });
});

Deno.test("config() --write prints what to paste where the client has no file in the project", async () => {
  await inProject(async (root) => {
    for (const client of ["claude-desktop", "goose"]) {
      const terminal = fakeTerminal();
      assert.equal(await config([client, "--root", root, "--write"], terminal), 1);
      assert.match(terminal.stderr(), /has no file in the project\n# goes into .*config/);
      assert.match(terminal.stdout(), /pytest-mcp|main\.ts/);
    }
  });
});

Deno.test("config() does not mind a comma in a path that the entry does not name", async () => {
  await inProject(async (top) => {
    const root = join(top, "a,b");
    await Deno.mkdir(root);
    const terminal = fakeTerminal();
    assert.equal(await config(["zed", "--form", "jsr", "--root", root], terminal), 0);
    assert.ok(!terminal.stdout().includes("a,b"));
  });
});

Deno.test("config() warns of an interpreter that the binary may not start, and of no other", async () => {
  await inProject(async (root) => {
    const { platform } = thisProgram();
    const own = environmentPython(".venv", platform);
    const part = environmentPython(join("services", "a", ".venv"), platform);
    await Deno.mkdir(join(root, "services", "a", ".venv"), { recursive: true });
    const warns = async (...args: string[]) => {
      const terminal = fakeTerminal();
      await config(["claude-code", "--form", "binary", "--root", root, ...args], terminal);
      return /^note: the binary may not start (.+); use/.exec(terminal.stderr())?.[1] ?? null;
    };
    assert.equal(await warns(), part);
    for (const python of [own, join(root, own), "python"]) {
      assert.equal(await warns("--python", python), null, python);
    }
    assert.equal(await warns("--python", "python3.9"), "python3.9");
    assert.equal(await warns("--python", part), part);
  });
});

Deno.test("config() says so in one line when the file is a directory", async () => {
  await inProject(async (root) => {
    await Deno.mkdir(join(root, ".mcp.json"));
    const terminal = fakeTerminal();
    assert.equal(await config(["claude-code", "--root", root, "--write"], terminal), 1);
    assert.match(
      terminal.stderr(),
      /^pytest-mcp: \.mcp\.json was left as it is: it cannot be read/,
    );
  });
});

Deno.test("config() leaves a file alone that it cannot read as JSON", async () => {
  await inProject(async (root) => {
    await Deno.writeTextFile(join(root, "opencode.json"), "{ broken");
    const terminal = fakeTerminal();
    assert.equal(await config(["opencode", "--root", root, "--write"], terminal), 1);
    assert.match(terminal.stderr(), /opencode\.json was left as it is: not valid JSON/);
    assert.equal(await Deno.readTextFile(join(root, "opencode.json")), "{ broken");
    assert.ok(JSON.parse(terminal.stdout()).mcp.pytest, "nothing to paste");
  });
});

Deno.test("config() --write takes the file that is there, by either of its names", async () => {
  await inProject(async (root) => {
    const args = ["opencode", "--root", root, "--write"];
    const file = join(root, "opencode.jsonc");
    await Deno.writeTextFile(file, '{\n  "theme": "system" // mine\n}\n');
    assert.equal(await config(args, fakeTerminal()), 0);
    const written = await Deno.readTextFile(file);
    assert.ok(written.includes("// mine") && written.includes('"type": "local"'), written);
    assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name), ["opencode.jsonc"]);
    await Deno.remove(file);
    assert.equal(await config(args, fakeTerminal()), 0);
    assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name), ["opencode.json"]);
  });
});

Deno.test("config() finds the environments of a monorepo's parts", async () => {
  await inProject(async (root) => {
    await Deno.mkdir(join(root, "services", "a", ".venv", "bin"), { recursive: true });
    await Deno.mkdir(join(root, ".venv"));
    const terminal = fakeTerminal();
    assert.equal(await config(["claude-code", "--form", "jsr", "--root", root], terminal), 0);
    const python = environmentPython(join("services", "a", ".venv"), thisProgram().platform);
    assert.ok(terminal.stdout().includes(`,${JSON.stringify(python).slice(1)}`), terminal.stdout());
  });
});
