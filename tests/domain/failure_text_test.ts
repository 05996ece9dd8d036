import assert from "node:assert/strict";
import { failureStyle, failureText } from "../../src/domain/failure_text.ts";
import type { PhaseFailure } from "../../src/domain/test_outcome.ts";
import { memoryFiles } from "../support/memory_files.ts";
import { exception, phase } from "../support/run_events.ts";

const files = memoryFiles({}, { namedRoot: "/home/me/project" });
type Params = Parameters<typeof failureStyle>[0];

type Phase = NonNullable<Parameters<typeof phase>[1]>;

function tell(failures: Phase[], params: Partial<Params> = {}) {
  const style = failureStyle({ verbosity: 0, traceback: "lean", ...params }, files);
  return failureText({ failures: failures.map((failure) => phase("t", failure)) }, style);
}

const ERROR = exception("ValueError: no", ["t.py:1 test: f()", "a.py:2 f: raise ValueError('no')"]);
const LINES = Array.from({ length: 7 }, (_, n) => `line ${n}`);
const SECTIONS: [string, string][] = [
  ["Captured stdout call", LINES.join("\n") + "\n"],
  ["Captured log call", "WARNING x"],
  ["Captured stderr call", "\n"],
];

Deno.test("failureText() names the phase when it is not the call", () => {
  assert.equal(tell([{ error: ERROR }]).traceback.split("\n")[0], "t.py:1 test: f()");
  assert.equal(tell([{ error: ERROR, when: "setup" }]).traceback.split("\n")[0], "at setup:");
  assert.equal(tell([{ error: ERROR, when: "teardown" }]).traceback.split("\n")[0], "at teardown:");
});

Deno.test("failureText() tells a failing teardown after the failing call", () => {
  const teardown = exception("RuntimeError: gone", ["conftest.py:9 db: raise RuntimeError"]);
  const text = tell([{ error: ERROR }, { error: teardown, when: "teardown" }]);
  assert.equal(text.message, "ValueError: no");
  assert.equal(
    text.traceback,
    "t.py:1 test: f()\na.py:2 f: raise ValueError('no')\n" +
      "and at teardown RuntimeError: gone\nconftest.py:9 db: raise RuntimeError",
  );
});

Deno.test("failureText() names each failing subtest", () => {
  const text = tell([
    { error: ERROR, subtest: "[m] (i=1)" },
    { error: exception("KeyError: 2", ["t.py:5 test: d[2]"]), subtest: "(i=2)" },
  ]);
  assert.equal(text.message, "[m] (i=1) ValueError: no");
  assert.match(text.traceback, /\nand \(i=2\) KeyError: 2\nt\.py:5 test: d\[2\]$/);
});

Deno.test("failureText() shows the line of many failing subtests once, and counts them", () => {
  const many = Array.from({ length: 30 }, (_, i) => ({ error: ERROR, subtest: `(i=${i})` }));
  const lines = tell(many).traceback.split("\n");
  const alone = tell(many.slice(0, 1)).traceback.split("\n");
  assert.deepEqual(lines.slice(0, alone.length), alone);
  assert.equal(lines[alone.length], "and (i=1) ValueError: no");
  assert.equal(lines.length, alone.length + 21);
  assert.equal(lines.at(-1), "… and 9 more at a line shown above");
});

Deno.test("failureText() shows captured output as show_capture and verbosity say", () => {
  const headings = (params: Partial<Params>) =>
    tell([{ error: ERROR, sections: SECTIONS }], params).captured
      .map(({ heading, text }) => `${heading}: ${text.split("\n").length}`);
  const tail = ["Captured stdout call (last 5 of 7 lines): 5", "Captured log call: 1"];
  const all = ["Captured stdout call: 7", "Captured log call: 1"];
  assert.deepEqual(headings({ verbosity: 0 }), tail);
  assert.deepEqual(headings({ verbosity: 1 }), all);
  assert.deepEqual(headings({ verbosity: 2 }), all);
  assert.deepEqual(headings({ verbosity: -1 }), []);
  assert.deepEqual(headings({ verbosity: -2 }), []);
  assert.deepEqual(headings({ verbosity: -2, show_capture: true }), all);
  assert.deepEqual(headings({ verbosity: 2, show_capture: false }), []);
});

Deno.test("failureText() shows a section once, though call and teardown both carry it", () => {
  const both = [{ error: ERROR, sections: SECTIONS }, {
    error: ERROR,
    when: "teardown" as const,
    sections: SECTIONS,
  }];
  assert.equal(tell(both).captured.length, 2);
});

Deno.test("failureText() gives only the innermost line of the project at verbosity -2", () => {
  assert.equal(
    tell([{ error: ERROR, when: "setup" }], { verbosity: -2 }).traceback,
    "a.py:2 f: raise ValueError('no')",
  );
});

Deno.test("failureText() finds that line in pytest's text where the exception is not raised there", () => {
  const place = (label: string) => {
    const [, text, error] = TEXTS.find(([name]) => name === label) ?? ["", "", null];
    return tell([{ text, error }], { verbosity: -2 }).traceback;
  };
  assert.equal(place("missing fixture"), "t.py:4: def test(nope):");
  assert.equal(place("missing fixture of a fixture"), "db.py:2: def db(nope):");
  assert.equal(place("doctest"), "m.py:3: add(1, 2)");
  assert.equal(place("doctest of several lines"), "m.py:13: show()");
  assert.equal(place("doctest that raises"), "ZeroDivisionError('x')");
});

Deno.test("failureText() tells of all available fixtures once in a response", () => {
  const [, text = "", error = null] = TEXTS.find(([name]) => name === "missing fixture") ?? [];
  const style = {
    ...failureStyle({ verbosity: 0, traceback: "lean" }, files),
    told: new Set<string>(),
  };
  const lastLine = () =>
    failureText({ failures: [phase("t", { text, error })] }, style).traceback.split("\n").at(-1);
  assert.equal(lastLine(), "available fixtures besides pytest's own: db, user");
  assert.equal(lastLine(), "available fixtures: as above");
});

Deno.test("failureText() gives pytest's own text in another style, with paths from the root", () => {
  const text =
    'File "/code/project/a.py", line 2\nFile "/home/me/project/t.py"\n\x1b[31mE\x1b[0m  no';
  const told = tell([{ error: ERROR, text }], { traceback: "native" });
  assert.equal(told.traceback, 'File "a.py", line 2\nFile "t.py"\nE  no');
  assert.equal(told.message, "ValueError: no");
});

Deno.test("failureText() shows a path that is a value as it is", () => {
  const message =
    "assert ['/code/project/a'] == ['a']\n  At index 0 diff: '/code/project/a' != 'a'";
  const told = tell([{
    error: exception(`AssertionError: ${message}`, ["/home/me/project/t.py:1 test: assert x"]),
  }]);
  assert.equal(told.message, "AssertionError: assert ['/code/project/a'] == ['a']");
  assert.equal(told.traceback, "t.py:1 test: assert x\nAt index 0 diff: '/code/project/a' != 'a'");
});

/** What pytest says where there is no traceback: [what it is, text, error, message, traceback]. */
const TEXTS: [string, string, PhaseFailure["error"], string, string][] = [
  [
    "strict xpass",
    "[XPASS(strict)] was a bug",
    null,
    "[XPASS(strict)] was a bug",
    "[XPASS(strict)] was a bug",
  ],
  [
    "missing fixture",
    "file /code/project/t.py, line 4\n  @mark\n  def test(nope):\nE       fixture 'nope' not found\n" +
    ">       available fixtures: _asyncio_loop_factory, _class_scoped_runner, cache, db, tmp_path, user\n" +
    ">       use 'pytest --fixtures [testpath]' for help on them.\n\n/code/project/t.py:4",
    exception("FixtureLookupError: ('nope', <SubRequest>)"),
    "fixture 'nope' not found",
    "t.py:4: def test(nope):\navailable fixtures besides pytest's own: db, user",
  ],
  [
    "missing fixture of a fixture",
    "file /code/project/t.py, line 1\n  def test(user):\nfile /code/project/conftest.py, line 5\n" +
    "  @pytest.fixture\n  def user(db):\nfile /code/project/db.py, line 2\n  @pytest.fixture\n" +
    "  def db(nope):\nE       fixture 'nope' not found\n>       available fixtures: cache, db, user\n" +
    ">       use 'pytest --fixtures [testpath]' for help on them.\n\n/code/project/db.py:2",
    exception("FixtureLookupError: ('nope', <SubRequest>)"),
    "fixture 'nope' not found",
    "t.py:1: def test(user):\nconftest.py:5: def user(db):\ndb.py:2: def db(nope):\n" +
    "available fixtures besides pytest's own: db, user",
  ],
  [
    "doctest",
    "002 \n003     >>> add(1, 2)\nExpected:\n    4\nGot:\n    3\n\n/code/project/m.py:3: DocTestFailure",
    exception("doctest.DocTestFailure: <DocTest>"),
    "DocTestFailure: Expected: 4 Got: 3",
    "002 \n003     >>> add(1, 2)\nExpected:\n    4\nGot:\n    3\n\nm.py:3: DocTestFailure",
  ],
  [
    "doctest of several lines",
    "012 \n013     >>> show()\nDifferences (unified diff with -expected +actual):\n    @@ -1,3 +1,3 @@\n" +
    "     0\n    -2\n    -5\n    +4\n\n/code/project/m.py:13: DocTestFailure",
    exception("doctest.DocTestFailure: <DocTest>"),
    "DocTestFailure: Expected: 2 5 Got: 4",
    "012 \n013     >>> show()\nDifferences (unified diff with -expected +actual):\n    @@ -1,3 +1,3 @@\n" +
    "     0\n    -2\n    -5\n    +4\n\nm.py:13: DocTestFailure",
  ],
  [
    "doctest with ndiff",
    "012     >>> show()\nDifferences (ndiff with -expected +actual):\n      0\n    - 5\n    + 4\n    + 6\n    ? ^\n\n" +
    "/code/project/m.py:12: DocTestFailure",
    exception("doctest.DocTestFailure: <DocTest>"),
    "DocTestFailure: Expected: 5 Got: 4 6",
    "012     >>> show()\nDifferences (ndiff with -expected +actual):\n      0\n    - 5\n    + 4\n    + 6\n    ? ^\n\n" +
    "m.py:12: DocTestFailure",
  ],
  [
    "doctest that raises",
    "008     >>> div(0)\nUNEXPECTED EXCEPTION: ZeroDivisionError('x')\nTraceback",
    exception("doctest.UnexpectedException: <DocTest>"),
    "ZeroDivisionError('x')",
    "008     >>> div(0)\nUNEXPECTED EXCEPTION: ZeroDivisionError('x')\nTraceback",
  ],
  [
    "pytest.fail without traceback",
    "explicit",
    exception("Failed: explicit", ["t.py:9 test: pytest.fail('explicit', pytrace=False)"]),
    "Failed: explicit",
    "t.py:9 test: pytest.fail('explicit', pytrace=False)",
  ],
  [
    "custom item",
    "custom repr: row 2",
    exception("Exception: boom", ["conftest.py:19 runtest: raise Exception"]),
    "Exception: boom",
    "conftest.py:19 runtest: raise Exception\ncustom repr: row 2",
  ],
  ["nothing but a text", "\n\nsome text\nmore", null, "some text", "some text\nmore"],
];

Deno.test("failureText() uses pytest's text where there is nothing better", () => {
  for (const [label, text, error, message, traceback] of TEXTS) {
    const told = tell([{ text, error }]);
    assert.equal(told.message, message, label);
    assert.equal(told.traceback, traceback, label);
  }
});

Deno.test("failureText() takes its message from the end of Python's own traceback", () => {
  const inner =
    "Traceback (most recent call last):\n  File \"/p/a.py\", line 1, in f\nKeyError: 'k'\n";
  const outer = "Traceback (most recent call last):\n" +
    '  File "/p/t.py", line 2, in test\n    f()\n    ^^^\nValueError: first\nsecond\n';
  const text = `${inner}\nDuring handling of the above exception:\n\n${outer}`;
  assert.equal(tell([{ text }]).message, "ValueError: first");
});

Deno.test("failureText() is never empty", () => {
  for (const failure of [{}, { text: "" }, { error: exception("E") }, { text: "\n" }]) {
    for (const verbosity of [-2, 0, 1]) {
      const { message, traceback } = tell([failure], { verbosity });
      assert.ok(message !== "" && traceback !== "", JSON.stringify([failure, message, traceback]));
    }
  }
});
