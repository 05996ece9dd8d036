import assert from "node:assert/strict";
import { join } from "node:path";
import { environment } from "../support/environments.ts";
import { PROJECTS, runCli } from "../support/run_cli.ts";
import { runInTerminal, screen } from "../support/run_in_terminal.ts";

const { python } = await environment("rich");
const SAMPLE = join(PROJECTS, "sample");
const onPosix = { ignore: Deno.build.os === "windows" };

Deno.test("doctor names interpreter, reason, versions, plugins, rootdir and ini file", async () => {
  const { code, stdout, stderr } = await runCli(["doctor", "--python", python], {
    cwd: SAMPLE,
    python,
  });
  assert.equal(stderr, "");
  assert.equal(code, 0, stdout);
  assert.ok(stdout.includes(`✓ interpreter  ${python} (Python 3.`), stdout);
  assert.match(stdout, /\(Python 3\.[^;]+; --python\)\n✓ pytest {7}9\.\d+\.\d+; .*xdist/);
  assert.match(stdout, /\n✓ rootdir {6}.*sample\n✓ ini file {5}.*pyproject\.toml\n/);
  assert.match(stdout, /\n✓ confinement {2}Deno grants nothing beyond what is needed\n$/);
});

Deno.test("doctor --json holds every check, and exits 1 when one is a problem", async () => {
  const args = ["doctor", "--json", "--python", join(SAMPLE, "nowhere", "python")];
  const { code, stdout } = await runCli(args, { cwd: SAMPLE });
  assert.equal(code, 1);
  const { ok, checks } = JSON.parse(stdout);
  assert.equal(ok, false);
  const states = checks.map((check: { name: string; state: string }) => [check.name, check.state]);
  assert.deepEqual(states, [
    ["root", "ok"],
    ["interpreter", "problem"],
    ["permissions", "problem"],
    ["confinement", "ok"],
  ]);
  assert.match(checks[1].fix, /--allow-run/);
});

Deno.test("doctor names the interpreter in which conftest.py does not load", async () => {
  const { code, stdout } = await runCli(["doctor", "--python", python], {
    cwd: join(PROJECTS, "broken_conftest"),
    python,
  });
  assert.equal(code, 1);
  assert.ok(stdout.includes(`\n✓ interpreter  ${python} (--python)\n✗ pytest`), stdout);
  assert.ok(stdout.includes(`→ ${python} -m pytest --collect-only`), stdout);
});

Deno.test(
  "doctor warns of environments of a monorepo's parts that may not be started",
  onPosix,
  async () => {
    const root = await Deno.makeTempDir();
    try {
      const bin = join(root, "services", "a", ".venv", "bin");
      await Deno.mkdir(bin, { recursive: true });
      await Deno.symlink(python, join(bin, "python"));
      await Deno.mkdir(join(root, "services", "b", ".venv"), { recursive: true }); // without interpreter
      const own = join(root, ".venv", "bin");
      await Deno.mkdir(own, { recursive: true });
      await Deno.symlink(python, join(own, "python"));
      const { stdout } = await runCli(["doctor"], { cwd: root });
      const part = join(await Deno.realPath(root), "services", "a", ".venv", "bin", "python");
      assert.ok(stdout.includes(`\n! permissions  may not start ${part}; may start `), stdout);
      assert.match(stdout, /→ add them to --allow-run \(pytest-mcp config prints the flags\)/);
      const named = await runCli(["doctor", "--python", python], { cwd: root, python });
      assert.doesNotMatch(named.stdout, /services/);
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  },
);

Deno.test("doctor refuses a root that it cannot use, in one line", async () => {
  const cases: [string, RegExp][] = [
    ["nowhere", /as the root: it does not exist/],
    ["pyproject.toml", /as the root: it is not a directory/],
    ["..", /as the root: Deno may not read it; start pytest-mcp there/],
    ["/", /as the root: it is the whole file system/],
  ];
  for (const [root, message] of cases) {
    const { code, stderr } = await runCli(["doctor", "--root", root], { cwd: SAMPLE });
    assert.equal(code, 2, root);
    assert.match(stderr, message);
    assert.equal(stderr.indexOf("\n"), stderr.length - 1, stderr);
  }
});

Deno.test("doctor ticks in colours on a terminal", onPosix, async () => {
  const args = ["doctor", "--python", python];
  const { code, stdout } = await runInTerminal(args, { cwd: SAMPLE, python, columns: 100 });
  assert.equal(code, 0, stdout);
  const lines = screen(stdout).filter((line) => line !== "");
  assert.ok(lines.every((line) => line.startsWith("␛[32m✓␛[39m ␛[1m")), stdout);
});

Deno.test("doctor says nothing when Ctrl-C is typed", onPosix, async () => {
  const root = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(
      join(root, "conftest.py"),
      `import time

with open("/dev/tty", "w") as terminal:
    terminal.write("asleep")
time.sleep(3600)
`,
    );
    const { code, stdout } = await runInTerminal(["doctor", "--python", python], {
      cwd: root,
      python,
      columns: 100,
      interruptAt: "asleep",
    });
    assert.equal(code, 130, stdout);
    assert.doesNotMatch(stdout, /✗|cancelled/);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
