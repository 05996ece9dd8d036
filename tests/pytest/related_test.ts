import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { z } from "zod";
import { askPython } from "../../src/pytest/ask_python.ts";
import { RELATED_MODULES } from "../../src/pytest/python_modules.ts";
import { findBasePython } from "../support/base_python.ts";
import { IMPORT_CASES, type RelatedCase, SYMBOL_CASES } from "./related_cases.ts";
import { FRAMEWORK_CASES } from "./related_framework_cases.ts";
import { CHANGE_CASES, EVERYTHING_CASES, PYTEST_CASES } from "./related_pytest_cases.ts";

const answerSchema = z.strictObject({
  files: z.array(z.strictObject({
    path: z.string(),
    because: z.string(),
    distance: z.int().min(0),
    tests: z.array(z.string()).nullable(),
    functions: z.int().min(0),
  })),
  total: z.int().nullable(),
  everything: z.boolean(),
  why: z.string(),
  notes: z.array(z.string()),
});
type Answer = z.infer<typeof answerSchema>;

type Project = Pick<RelatedCase, "files" | "changed" | "options">;

/** Writes the project, asks the Python side as the driver does, and removes the project. */
async function related({ files, changed, options }: Project, env = {}): Promise<Answer> {
  const root = await Deno.makeTempDir({ prefix: "pytest-mcp-related-" });
  try {
    for (const [path, content] of Object.entries(files)) {
      await Deno.mkdir(dirname(join(root, path)), { recursive: true });
      await Deno.writeTextFile(join(root, path), content);
    }
    const whole = (paths: readonly string[]) =>
      Object.fromEntries(paths.map((path) => [path, null]));
    const changes = isList(changed) ? whole(changed) : changed;
    return await ask({ root, changed: changes, ...options }, root, env);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

function isList(changed: RelatedCase["changed"]): changed is readonly string[] {
  return Array.isArray(changed);
}

let base: ReturnType<typeof findBasePython> | undefined;

async function ask(request: unknown, root: string, environment = {}): Promise<Answer> {
  const { executable } = await (base ??= findBasePython());
  const reply = await askPython([executable], {
    root,
    environment,
    entry: "pytest_mcp_related",
    modules: RELATED_MODULES,
    request,
    patienceMilliseconds: 60_000,
  });
  assert.ok("answer" in reply, JSON.stringify(reply));
  return answerSchema.parse(reply.answer);
}

function selectors({ files }: Answer): string[] {
  return files.flatMap(({ path, tests }) => tests?.map((name) => `${path}::${name}`) ?? [path])
    .sort();
}

for (const each of [...IMPORT_CASES, ...SYMBOL_CASES, ...PYTEST_CASES, ...FRAMEWORK_CASES]) {
  Deno.test(`related follows ${each.name}`, async () => {
    assert.deepEqual(selectors(await related(each)), each.selected);
  });
}

for (const each of CHANGE_CASES) {
  Deno.test(`related takes a change of ${each.name}`, async () => {
    assert.deepEqual(selectors(await related(each)), each.selected);
  });
}

for (const { changed, why } of EVERYTHING_CASES) {
  Deno.test(`related selects everything after a change of ${changed}`, async () => {
    const files = { [changed]: "", "test_it.py": "def test_a():\n    pass\n" };
    const answer = await related({ files, changed: [changed] });
    assert.deepEqual(answer, {
      files: [],
      total: null,
      everything: true,
      why,
      notes: [],
    });
  });
}

const CHAIN = {
  "core.py": "def step():\n    return 1\n",
  "api.py": "from core import step\ndef run():\n    return step()\n",
  "tests/test_near.py": "from core import step\ndef test_step():\n    step()\n",
  "tests/test_far.py":
    "from api import run\nclass TestRun:\n    def test_it(self):\n        run()\n",
  "tests/test_none.py": "def test_none():\n    pass\n",
};

Deno.test("related answers nearest first, with the chain of symbols as the reason", async () => {
  assert.deepEqual(await related({ files: CHAIN, changed: ["core.py", "tests/test_far.py"] }), {
    files: [
      {
        path: "tests/test_far.py",
        because: "TestRun::test_it changed",
        distance: 0,
        tests: null,
        functions: 1,
      },
      {
        path: "tests/test_near.py",
        because: "test_step → core.py:step",
        distance: 1,
        tests: null,
        functions: 1,
      },
    ],
    total: 3,
    everything: false,
    why: "",
    notes: [],
  });
  const { files } = await related({ files: CHAIN, changed: ["core.py"] });
  assert.deepEqual(files.map(({ because, distance }) => [distance, because]), [
    [1, "test_step → core.py:step"],
    [2, "TestRun::test_it → api.py:run → core.py:step"],
  ]);
});

Deno.test("related gives the same answer in every process", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `step_${index}`);
  const files = {
    "core.py": names.map((name) => `def ${name}():\n    pass\n`).join(""),
    "test_it.py": `from core import *\ndef test_a():\n    ${names.join("(), ")}()\n`,
  };
  const answers = ["1", "2", "3"].map((seed) =>
    related({ files, changed: ["core.py"] }, { PYTHONHASHSEED: seed })
  );
  const [first, ...others] = await Promise.all(answers);
  for (const other of others) assert.deepEqual(other, first);
});

Deno.test("related reads which files, classes and functions are tests from the settings", async () => {
  const settings = {
    "pytest.ini":
      "[pytest]\npython_files = check_*.py\npython_functions = check\ntestpaths = checks\n",
    "pyproject.toml": '[tool.pytest.ini_options]\npython_files = ["check_*.py", "spec_*.py"]\n' +
      'python_functions = ["check", "it_*"]\ntestpaths = [\n  "checks",\n  "more",\n]\n',
  };
  const body = "from core import step\ndef check_it():\n    step()\n";
  for (const [name, text] of Object.entries(settings)) {
    const { files } = await related({
      files: {
        ...CHAIN,
        [name]: text,
        "checks/check_it.py": body,
        "elsewhere/check_it.py": body,
      },
      changed: ["core.py"],
    });
    assert.deepEqual(files.map(({ path }) => path), ["checks/check_it.py"], name);
  }
});

Deno.test("related counts test functions, of the selection and of all", async () => {
  const tests = "from core import step\nclass TestA:\n    def test_a(self):\n        step()\n" +
    "    def test_b(self):\n        pass\nclass TestB(TestA):\n    pass\n" +
    "def test_c():\n    pass\n";
  const files = { "core.py": CHAIN["core.py"], "test_it.py": tests };
  const { files: [file], total } = await related({ files, changed: { "core.py": [[2, 2]] } });
  assert.deepEqual([file?.tests, file?.functions, total], [["TestA::test_a", "TestB"], 2, 4]);
});

Deno.test("related says what it could not read and what is not there", async () => {
  const files = { ...CHAIN, "data/bad.py": "def (\n", "api.py": "def run(:\n", "a.md": "" };
  const { notes } = await related({
    files,
    changed: ["gone.py", "api.py", "a.md", "/elsewhere/x.py"],
  });
  assert.deepEqual(notes.map((note) => note.replace(/\(.*\)/, "(…)")), [
    "/elsewhere/x.py is outside the root: ignored",
    "gone.py does not exist: whatever imports it is selected",
    "api.py does not parse (…): whatever imports it is selected",
    "a.md is not Python, no code names it, and it only informs people: it selects nothing",
    "only the import lines of data/bad.py were read: they do not parse",
  ]);
});

Deno.test("related never executes the project and needs no module of it", async () => {
  const files = {
    "json.py": "raise SystemExit('executed')\n",
    "ast.py": "raise SystemExit('executed')\n",
    "conftest.py": "raise SystemExit('executed')\n",
    "core.py": "raise SystemExit('executed')\ndef run():\n    pass\n",
    "test_it.py": "from core import run\ndef test_a():\n    run()\n",
  };
  assert.deepEqual(selectors(await related({ files, changed: ["core.py"] })), ["test_it.py"]);
});
