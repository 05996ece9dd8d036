import assert from "node:assert/strict";
import { LEAN_STYLE } from "../../src/domain/failure_text.ts";
import { startError } from "../../src/domain/start_error.ts";

const style = { ...LEAN_STYLE, roots: ["/code/project"] };

const USAGE = "usage: __main__.py [options] [file_or_dir] [file_or_dir] [...]\n" +
  "__main__.py: error: unrecognized arguments: --nope\n" +
  "  inifile: /code/project/pytest.ini\n  rootdir: /code/project";

/** [what it is, stderr, file, type, message] */
const SAID: [string, string, string, string, string][] = [
  ["a flag", `ERROR: ${USAGE}\n\n`, "pytest.ini", "UsageError", "unrecognized arguments: --nope"],
  [
    "a flag without settings",
    `ERROR: ${USAGE.replace("/code/project/pytest.ini", "None")}\n`,
    "",
    "UsageError",
    "unrecognized arguments: --nope",
  ],
  [
    "a version",
    "ERROR: /code/project/sub/tox.ini: 'minversion' requires pytest-99, actual pytest-9.2.0'\n",
    "sub/tox.ini",
    "UsageError",
    "/code/project/sub/tox.ini: 'minversion' requires pytest-99, actual pytest-9.2.0'",
  ],
  [
    "a line of the settings, after a warning",
    "x.py:3: PluggyTeardownRaisedWarning\nUsageError: y\nERROR: /code/project/pytest.ini:1: no section\n",
    "pytest.ini",
    "UsageError",
    "/code/project/pytest.ini:1: no section",
  ],
  ["words of the project", "ERROR: needs DB_URL\n", "", "UsageError", "needs DB_URL"],
  [
    "a missing plugin",
    'warning\nTraceback (most recent call last):\n  File "x.py", line 1, in f\n    g()\n' +
    "ImportError: Error importing plugin \"x\": No module named 'x'\n",
    "",
    "ImportError",
    "Error importing plugin \"x\": No module named 'x'",
  ],
];

Deno.test("startError() tells what pytest refuses, and of which file where it says so", () => {
  for (const [what, stderr, file, error_type, message] of SAID) {
    const error = startError(stderr, style);
    assert.ok(error !== null, what);
    const { traceback, ...told } = error;
    assert.deepEqual(told, { file, error_type, message, line: null }, what);
    assert.ok(traceback !== "" && !traceback.includes("arning"), what);
  }
});

Deno.test("startError() is null when nothing is refused or raised", () => {
  for (const stderr of ["", "\n", "x.py:3: DeprecationWarning: old\n"]) {
    assert.equal(startError(stderr, style), null);
  }
});
