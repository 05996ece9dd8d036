import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { PytestEvent } from "../../src/domain/pytest_event.ts";
import { denoPythonHost } from "../../src/pytest/deno_python_host.ts";
import type { PythonHost } from "../../src/pytest/find_python.ts";
import { createPytestRunner, type PytestRunnerOptions } from "../../src/pytest/pytest_process.ts";
import { environment } from "../support/environments.ts";

/** A project on disk with these files and, by name, environments. */
async function project(
  environments: Record<string, "empty" | "pytest9">,
): Promise<AsyncDisposable & { root: string }> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "pytest-mcp-interpreter-" }));
  const { python } = await environment("pytest9");
  for (const [path, kind] of Object.entries(environments)) {
    const directory = join(root, path);
    await Deno.mkdir(dirname(directory), { recursive: true });
    if (kind === "pytest9") {
      await Deno.symlink(dirname(dirname(python)), directory);
    } else {
      const { success } = await new Deno.Command(python, {
        args: ["-m", "venv", "--without-pip", directory],
      }).output();
      assert(success);
    }
  }
  for (const path of ["test_top.py", "services/a/test_a.py"]) {
    await Deno.mkdir(join(root, dirname(path)), { recursive: true });
    await Deno.writeTextFile(join(root, path), "def test_it(): pass\n");
  }
  return { root, [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }) };
}

async function run(
  options: PytestRunnerOptions,
  targets: string[] = [],
): Promise<PytestEvent[]> {
  await using runner = createPytestRunner({ host: host(), ...options });
  const request = {
    args: targets,
    select: null,
    targets,
    timeoutSeconds: 60,
    report: {
      items: false,
      locals: false,
      text: false,
      hideTerminalTracebacks: false,
      json: false,
    },
    related: null,
    session: {},
  };
  const { signal } = new AbortController();
  return await Array.fromAsync(runner.run(request, { signal }));
}

function started(events: PytestEvent[]): string | undefined {
  return events.find((event) => event.event === "process_start")?.reason;
}

function spawnFailure(events: PytestEvent[]) {
  const [first, ...rest] = events;
  assert(first?.event === "spawn_failure", JSON.stringify(first));
  assert.deepEqual(rest, []);
  return first;
}

/** This machine, with no environment active but what a test says. */
function host(variables: Record<string, string> = {}): PythonHost {
  return { ...denoPythonHost, variable: (name) => variables[name] };
}

Deno.test("createPytestRunner() takes the environment nearest above the target", async () => {
  await using files = await project({ ".venv": "pytest9", "services/a/.venv": "pytest9" });
  assert.equal(started(await run(files, ["services/a/test_a.py"])), "services/a/.venv");
  assert.equal(started(await run(files, ["test_top.py"])), ".venv");
});

Deno.test("createPytestRunner() goes on to the project's environment when the active one has no pytest", async () => {
  await using files = await project({ active: "empty", ".venv": "pytest9" });
  const active = host({ VIRTUAL_ENV: join(files.root, "active") });
  assert.equal(started(await run({ ...files, host: active })), ".venv");
});

Deno.test("createPytestRunner() never runs the project under another Python when its own lacks pytest", async () => {
  await using files = await project({ ".venv": "empty" });
  const failure = spawnFailure(await run(files));
  assert.deepEqual(failure.tried.map(({ origin, problem }) => ({ origin, problem })), [
    { origin: ".venv", problem: "pytest is not installed" },
  ]);
  assert.match(failure.fix, /uv sync.*-m pip install pytest/);
});

Deno.test("createPytestRunner() says that --python names nothing", async () => {
  await using files = await project({});
  const failure = spawnFailure(await run({ ...files, python: "nowhere/python" }));
  assert.equal(failure.tried[0]?.problem, "not found");
  assert.match(failure.fix, /Correct --python/);
});

Deno.test("createPytestRunner() says what of the project hides pytest, or a part of it", async () => {
  const { python } = await environment("pytest9");
  for (
    const [path, problem, fix] of [
      ["pytest.py", /pytest\.py hides pytest: rename that file$/, /^Rename/],
      ["pytest/__init__.py", /__init__\.py hides pytest: rename its directory$/, /^Rename/],
      [
        "pluggy.py",
        /^pytest does not import: ImportError: .*pluggy\.py.*:\d+\)$/,
        /--force-reinstall/,
      ],
    ] as const
  ) {
    await using files = await project({});
    await Deno.mkdir(dirname(join(files.root, path)), { recursive: true });
    await Deno.writeTextFile(join(files.root, path), "");
    const failure = spawnFailure(await run({ ...files, python }));
    assert.match(failure.tried[0]?.problem ?? "", problem);
    assert.match(failure.fix, fix);
  }
});

Deno.test("createPytestRunner() starts by the standard library, whatever the project's files are called", async () => {
  const { python } = await environment("pytest9");
  await using files = await project({});
  for (const name of ["contextlib", "operator", "types", "typing"]) {
    await Deno.writeTextFile(
      join(files.root, `${name}.py`),
      "raise ImportError('the project ran')\n",
    );
  }
  const events = await run({ ...files, python });
  const end = events.at(-1);
  assert(end?.event === "process_end" && end.exit_code === 0, JSON.stringify(end));
});

Deno.test("createPytestRunner() says how to mend an environment whose Python is gone", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using files = await project({});
  await Deno.mkdir(join(files.root, ".venv/bin"), { recursive: true });
  await Deno.symlink(join(files.root, "upgraded"), join(files.root, ".venv/bin/python"));
  const failure = spawnFailure(await run(files));
  assert.match(failure.fix, /^The Python of .venv is gone.*uv sync.*venv --clear .venv/);
});

Deno.test("createPytestRunner() blames no interpreter for a root that is gone", async () => {
  const { python } = await environment("pytest9");
  const root = await Deno.makeTempDir({ prefix: "pytest-mcp-interpreter-" });
  await Deno.remove(root);
  const failure = spawnFailure(await run({ root, python }));
  assert.equal(failure.tried[0]?.problem, `the root ${root} is gone`);
  assert.match(failure.fix, /in a directory that exists/);
});

Deno.test("createPytestRunner() says that a program is no Python", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using files = await project({});
  const fake = join(files.root, "fake");
  await Deno.writeTextFile(fake, "#!/bin/sh\necho 'Python was not found' >&2\nexit 9\n");
  await Deno.chmod(fake, 0o755);
  const failure = spawnFailure(await run({ ...files, python: fake }));
  assert.match(failure.tried[0]?.problem ?? "", /did not start as Python: Python was not found/);
});
