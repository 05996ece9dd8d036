import assert from "node:assert/strict";
import { toCollectionError } from "../../src/domain/collection_error.ts";
import { failureStyle, LEAN_STYLE } from "../../src/domain/failure_text.ts";
import type { ExceptionData } from "../../src/domain/pytest_event.ts";
import { memoryFiles } from "../support/memory_files.ts";
import { exception } from "../support/run_events.ts";

Deno.test("toCollectionError() names the line of the file, not of what it imports", () => {
  const error = exception("ImportError: cannot import name 'x'", [
    "lib importlib/__init__.py:90 import_module: return",
    "tests/test_a.py:3 <module>: from app import x",
    "app/__init__.py:7 <module>: from app.y import x",
  ]);
  assert.deepEqual(toCollectionError({ file: "tests/test_a.py", error, text: "" }, LEAN_STYLE), {
    file: "tests/test_a.py",
    error_type: "ImportError",
    message: "cannot import name 'x'",
    line: 3,
    traceback: "tests/test_a.py:3 <module>: from app import x\n" +
      "app/__init__.py:7 <module>: from app.y import x",
  });
});

Deno.test("toCollectionError() names no line of another file", () => {
  const broken = exception("SyntaxError: invalid syntax", [
    "tests/test_a.py:3 <module>: import app",
  ], { syntax: { path: "app.py", line: 9, text: "x = = 1" } });
  const line = (file: string, error: ExceptionData) =>
    toCollectionError({ file, error, text: "" }, LEAN_STYLE).line;
  assert.equal(line("tests/test_a.py", broken), 3);
  assert.equal(line("app.py", broken), 9);
  const raised = exception("KeyError: 'x'", ["pkg/__init__.py:7 <module>: d['x']"]);
  assert.equal(line("pkg/test_b.py", raised), null);
  assert.equal(line("pkg", raised), 7);
});

Deno.test("toCollectionError() names the file where pytest names its directory or nothing", () => {
  const inner = exception("KeyError: 'x'", [
    "lib importlib/__init__.py:90 import_module: return",
    "tests/sub/conftest.py:2 <module>: import helper",
    "tests/sub/helper.py:7 <module>: d['x']",
  ]);
  const unread = exception("SyntaxError: invalid syntax", [], {
    syntax: { path: "tests/sub/conftest.py", line: 9, text: "x = = 1" },
  });
  for (const file of ["tests/sub", "tests", ".", "", null]) {
    const place = (error: ExceptionData) => {
      const told = toCollectionError({ file, error, text: "" }, LEAN_STYLE);
      return `${told.file}:${told.line}`;
    };
    assert.equal(place(inner), "tests/sub/conftest.py:2", String(file));
    assert.equal(place(unread), "tests/sub/conftest.py:9", String(file));
  }
});

Deno.test("toCollectionError() looks into what pytest wraps", () => {
  const cause = exception("KeyError: 'HOME'", ["sub/conftest.py:1 <module>: os.environ['HOME']"]);
  const error = exception("ConftestImportFailure: KeyError", [], { cause });
  const told = toCollectionError({ file: "sub", error, text: "" }, LEAN_STYLE);
  assert.equal(told.error_type, "KeyError");
  assert.equal(told.message, "'HOME'");
  assert.equal(told.file, "sub/conftest.py");
  assert.equal(told.line, 1);
});

Deno.test("toCollectionError() uses pytest's text where there is no exception, or where it is asked for", () => {
  const text = "ImportError while importing test module '/code/project/t.py'.\nE   ImportError: no";
  const told = toCollectionError({ file: "t.py", error: null, text }, LEAN_STYLE);
  assert.equal(told.error_type, "CollectError");
  assert.equal(told.message, "ImportError: no");
  assert.equal(told.line, null);
  const style = failureStyle({ verbosity: 0, traceback: "short" }, memoryFiles({}));
  const error = exception("ImportError: no", ["t.py:1 <module>: import no"]);
  const own = toCollectionError({ file: "t.py", error, text }, style);
  assert.equal(
    own.traceback,
    text,
  );
  assert.equal(own.message, "no");
});
