import assert from "node:assert/strict";
import { crashLine, headline, leanTraceback } from "../../src/domain/lean_traceback.ts";
import type { ExceptionData } from "../../src/domain/pytest_event.ts";
import { exception, frame } from "../support/run_events.ts";

const LIMITS = { frames: 12, explanation: 3_000 };

function lines(error: ExceptionData, limits = LIMITS): string[] {
  return leanTraceback(error, limits);
}

Deno.test("headline() is the exception with its values", () => {
  const cases: [ExceptionData, string][] = [
    [exception("AssertionError: assert 500 == 401"), "AssertionError: assert 500 == 401"],
    [exception("AssertionError"), "AssertionError"],
    [exception("KeyError: 'a'\nmore"), "KeyError: 'a'\nmore"],
    [exception("KeyError: 'a'\n- more"), "KeyError: 'a'"],
    [
      exception("AssertionError: math is hard\nassert (1 + 1) == 3\n +  where"),
      "AssertionError: math is hard\nassert (1 + 1) == 3",
    ],
    [exception("Exception: \x1b[31mred\x1b[0m"), "Exception: red"],
  ];
  for (const [error, expected] of cases) assert.equal(headline(error), expected);
});

Deno.test("headline() shortens what is too long to be one, and leanTraceback() then tells it whole", () => {
  const error = exception(`ValueError: ${"x".repeat(900)}END`);
  assert.ok(headline(error).length <= 600);
  assert.match(headline(error), /…\[\d+ characters left out\]… x+END$/);
  assert.deepEqual(lines(error), [`${"x".repeat(900)}END`]);
});

Deno.test("leanTraceback() has one line a frame of the project, then the explanation", () => {
  const error = exception("AssertionError: assert 500 == 401\n +  where 500 = <R>.status_code", [
    "tests/test_user.py:42 test_login: check(response)",
    "tests/helpers.py:7 check: assert response.status_code == 401",
  ]);
  assert.deepEqual(lines(error), [
    "tests/test_user.py:42 test_login: check(response)",
    "tests/helpers.py:7 check: assert response.status_code == 401",
    "+  where 500 = <R>.status_code",
  ]);
});

Deno.test("leanTraceback() counts library frames, shows the one that raised, and leaves out who called", () => {
  const error = exception("OSError: down", [
    "lib asyncio/runners.py:118 run: return loop.run(task)",
    "tests/test_api.py:12 test_get: client.get('/x')",
    "lib flask/app.py:1 a: b()",
    "lib flask/app.py:2 b: c()",
    "app/views.py:30 get: return requests.get(url)",
    "lib requests/api.py:3 get: return request()",
    "lib urllib3/connection.py:73 connect: sock.connect(sa)",
  ]);
  assert.deepEqual(lines(error), [
    "tests/test_api.py:12 test_get: client.get('/x')",
    "… 2 library frames",
    "app/views.py:30 get: return requests.get(url)",
    "… 1 library frame",
    "urllib3/connection.py:73 connect: sock.connect(sa)",
  ]);
});

Deno.test("leanTraceback() shows the raising frame where the project has none", () => {
  const error = exception("E: x", ["lib a.py:1 f: g()", "lib a.py:2 g: raise"]);
  assert.deepEqual(lines(error), ["… 1 library frame", "a.py:2 g: raise"]);
});

Deno.test("leanTraceback() folds recursion, of one function and of a circle of functions", () => {
  const one = exception("RecursionError: deep", [
    "t.py:1 test: f(0)",
    frame("t.py:2 f: f(n)", { repeat: 955 }),
  ]);
  assert.deepEqual(lines(one), ["t.py:1 test: f(0)", "t.py:2 f (955 times): f(n)"]);
  const circle = exception("RecursionError: deep", [
    "t.py:1 test: f(0)",
    ...Array(20).fill(["t.py:2 f: g()", "t.py:3 g: f()"]).flat(),
  ]);
  assert.deepEqual(lines(circle), [
    "t.py:1 test: f(0)",
    "t.py:2 f: g()",
    "t.py:3 g: f()",
    "… the 2 lines above 19 more times",
  ]);
});

Deno.test("leanTraceback() folds a circle whose middle was left out and whose last round is not whole", () => {
  const round = ["t.py:2 f: g()", "t.py:3 g: f()"];
  const frames = ["t.py:1 test: f(0)", ...Array(30).fill(round).flat(), "t.py:2 f: g()"];
  const error = exception("RecursionError: deep", frames, { omitted_frames: 900 });
  const expected = [
    "t.py:1 test: f(0)",
    "t.py:2 f: g()",
    "t.py:3 g: f()",
    "… the 2 lines above again, 959 frames",
  ];
  assert.deepEqual(lines(error), expected);
  assert.deepEqual(leanTraceback(error, { ...LIMITS, told: new Set() }), expected);
});

Deno.test("leanTraceback() keeps the frame that raised below a circle", () => {
  const round = ["t.py:2 f: g()", "t.py:3 g: f()"];
  const frames = [...Array(30).fill(round).flat(), "lib json/decoder.py:9 decode: raise"];
  const error = exception("RecursionError: deep", frames, { omitted_frames: 900 });
  assert.equal(lines(error).at(-1), "json/decoder.py:9 decode: raise");
});

Deno.test("leanTraceback() shows a source that was cut in one line", () => {
  const cut = "assert {'a': 1,\n[... 574 characters elided ...]\n'z': 9} == {}";
  const frames = [frame("t.py:1 test: x", { source: cut })];
  assert.deepEqual(lines(exception("E: x", frames)), [
    "t.py:1 test: assert {'a': 1, [... 574 characters elided ...] 'z': 9} == {}",
  ]);
});

Deno.test("leanTraceback() keeps both ends of a deep stack and counts the middle", () => {
  const frames = Array.from({ length: 30 }, (_, n) => `p.py:${n + 1} f${n}: g()`);
  const shown = lines(exception("E: x", frames));
  assert.equal(shown.length, 12);
  assert.equal(shown[0], "p.py:1 f0: g()");
  assert.equal(shown[4], "… 19 frames");
  assert.equal(shown.at(-1), "p.py:30 f29: g()");
  assert.ok(
    lines(exception("E: x", frames.slice(0, 4), { omitted_frames: 900 }))
      .includes("… 900 frames"),
  );
});

Deno.test("leanTraceback() tells causes, contexts, notes and the members of a group", () => {
  const cause = exception("KeyError: 'id'", ["app/db.py:9 load: return row['id']"]);
  const frames = ["tests/test_a.py:3 test: load()"];
  assert.deepEqual(lines(exception("ValueError: bad row", frames, { cause, notes: ["row 7"] })), [
    "tests/test_a.py:3 test: load()",
    "row 7",
    "caused by KeyError: 'id'",
    "app/db.py:9 load: return row['id']",
  ]);
  assert.deepEqual(lines(exception("ValueError: bad row", frames, { context: cause })), [
    "tests/test_a.py:3 test: load()",
    "while handling KeyError: 'id'",
    "app/db.py:9 load: return row['id']",
  ]);
  assert.deepEqual(
    lines(exception("ExceptionGroup: two", frames, { group: [cause], group_size: 3 })),
    [
      "tests/test_a.py:3 test: load()",
      "[1] KeyError: 'id'",
      "  app/db.py:9 load: return row['id']",
      "… 2 more in the group",
    ],
  );
});

Deno.test("leanTraceback() shows where a syntax error is, not who compiled it", () => {
  const syntax = { path: "tests/test_x.py", line: 3, text: "def test(:" };
  const error = exception("SyntaxError: invalid syntax", ["lib ast.py:50 parse: compile()"], {
    syntax,
  });
  assert.equal(lines(error).at(-1), "tests/test_x.py:3: def test(:");
  assert.equal(lines(error).join("\n").includes("ast.py"), false);
  assert.equal(crashLine(error), "tests/test_x.py:3: def test(:");
});

Deno.test("leanTraceback() shows local variables under their frame", () => {
  const locals: [string, string][] = [["x", "1"], ["name", "'Ada'"]];
  const error = exception("E: x", [frame("t.py:1 test: f(x)", { locals })]);
  assert.deepEqual(lines(error), ["t.py:1 test: f(x)", "    x = 1", "    name = 'Ada'"]);
});

Deno.test("leanTraceback() gives a comprehension no line of its own", () => {
  const error = exception("E: x", ["t.py:1 test: f()", "a.py:2 f: [g(x) for x in y]"]);
  const inner = frame("a.py:2 <listcomp>: [g(x) for x in y]");
  assert.deepEqual(lines({ ...error, frames: [...error.frames, inner] }), lines(error));
});

Deno.test("leanTraceback() does not repeat the source of a frame on the way, but of both ends", () => {
  const told = new Set<string>();
  const way = ["t.py:1 test: f()", "a.py:2 f: g()", "b.py:3 g: raise"];
  const limits = { ...LIMITS, told };
  assert.deepEqual(leanTraceback(exception("E: x", way), limits), way);
  assert.deepEqual(leanTraceback(exception("F: x", way), limits), [
    "t.py:1 test: f()",
    "a.py:2 f",
    "b.py:3 g: raise",
  ]);
});

Deno.test("leanTraceback() only names and counts what happened within a library before", () => {
  const context = exception("OSError: refused", ["lib a.py:1 f: g()", "lib a.py:2 g: raise"]);
  assert.deepEqual(lines(exception("E: x", ["t.py:1 test: f()"], { context })), [
    "t.py:1 test: f()",
    "while handling OSError: refused",
    "… 2 library frames",
  ]);
});

Deno.test("leanTraceback() limits an explanation and says so", () => {
  const error = exception(`AssertionError: assert a == b\n${"- line\n".repeat(2_000)}`);
  const text = lines(error).join("\n");
  assert.ok(text.length <= 3_000);
  assert.match(text, /characters left out/);
  assert.equal(leanTraceback(error, { frames: 12, explanation: Infinity }).length, 2_000);
});

Deno.test("crashLine() is the innermost line of the project", () => {
  const error = exception("E: x", ["t.py:1 test: f()", "a.py:2 f: g()", "lib b.py:3 g: raise"]);
  assert.equal(crashLine(error), "a.py:2 f: g()");
  assert.equal(crashLine(exception("E: x", ["lib b.py:3 g: raise"])), "b.py:3 g: raise");
  assert.equal(crashLine(exception("E: x")), null);
});
