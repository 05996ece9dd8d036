import assert from "node:assert/strict";
import { e2eProject } from "../support/e2e_project.ts";
import { chosenEnvironments, environment } from "../support/environments.ts";
import { openRealProject } from "../support/real_project.ts";

const FILES = {
  "pytest.ini": "[pytest]\n",
  "conftest.py": `def pytest_terminal_summary(terminalreporter):
    terminalreporter.section("of a plugin")
    terminalreporter.line("its words")
`,
  "test_it.py": `import warnings
def test_fails():
    print("printed")
    assert 1 == 2
def test_warns(): warnings.warn("take care")
def test_broken(nope): pass
`,
};

/** What only a traceback or the output of a test has. */
const TRACEBACK = /^E +(assert 1 == 2|fixture 'nope' not found)|^printed$/m;

for (const name of chosenEnvironments()) {
  Deno.test(`text_output is null, pytest's terminal without tracebacks, or all of it, with ${name}`, async () => {
    const { python } = await environment(name);
    await using files = await e2eProject({ files: FILES, environment: null });
    await using project = openRealProject(files.root, python);
    const text = async (verbosity: number, more = {}) => {
      const outcome = await project.execute({ verbosity, ...more });
      assert.ok(outcome.ok, JSON.stringify(outcome));
      return outcome.result.text_output;
    };
    for (const verbosity of [-2, -1, 0]) assert.equal(await text(verbosity), null);
    for (const verbosity of [1, 2]) {
      const output = await text(verbosity) ?? "";
      for (
        const part of [
          /^=+ test session starts =+$/m,
          /^=+ warnings summary =+$/m,
          /UserWarning: take care/,
          /^=+ of a plugin =+\nits words$/m,
          /^=+ short test summary info =+$/m,
          /^(FAILED|ERROR) test_it\.py::test_fails - /m,
          /^=+ 1 failed, 1 passed, 1 warnings?, 1 errors? in /m,
        ]
      ) assert.match(output, part);
      assert.equal(TRACEBACK.test(output), verbosity === 2, output);
    }
    for (const traceback of ["short", "long", "native"]) {
      assert.doesNotMatch(await text(1, { traceback, show_locals: true }) ?? "", TRACEBACK);
    }
  });
}
