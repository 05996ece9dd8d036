import assert from "node:assert/strict";
import type { PytestEvent } from "../../src/domain/pytest_event.ts";
import { createRunView } from "../../src/cli/run_view.ts";
import { fakeTerminal } from "../support/fake_terminal.ts";

const FAILED: PytestEvent = {
  event: "report",
  id: "tests/test_a.py::test_b",
  when: "call",
  outcome: "failed",
  duration: 0.1,
  reason: null,
  xfail: false,
  subtest: null,
  error: {
    type: "ValueError",
    message: "no\x1b[2J way",
    frames: [
      { project: true, path: "tests/test_a.py", line: 3, function: "test_b", source: "parse(x)" },
      { project: false, path: "lib/parse.py", line: 9, function: "parse", source: "raise …" },
    ],
    cause: { type: "KeyError", message: "'x'", frames: [] },
  },
  text: null,
  sections: [["Captured stdout call", "\x1b[31mred\x1b[0m\n"], ["Captured log call", ""]],
};

const BODY = [
  "  ValueError: no way",
  "  tests/test_a.py:3 test_b: parse(x)",
  "  lib/parse.py:9 parse: raise …",
  "  caused by KeyError: 'x'",
  "  ── Captured stdout call ──",
  "  red",
].join("\n");

Deno.test("createRunView() writes failures as they come, without a bar, into a pipe", () => {
  const terminal = fakeTerminal();
  const view = createRunView({ terminal, everyTest: false, now: () => 0 });
  view.progress({
    finished: 0,
    total: 2,
    passed: 0,
    failed: 0,
    current: "tests/test_a.py::test_b",
  });
  view.event(FAILED);
  view.event({ event: "passed", id: "tests/test_a.py::test_c", duration: 0 });
  view.tick();
  view.end();
  assert.equal(terminal.stdout(), `FAILED tests/test_a.py::test_b\n${BODY}\n`);
});

Deno.test("createRunView() keeps the bar below what it writes on a terminal", () => {
  const terminal = fakeTerminal({ interactive: true });
  let time = 0;
  const view = createRunView({ terminal, everyTest: false, now: () => time });
  view.progress({ finished: 1, total: 4, passed: 1, failed: 0, current: "t::a" });
  const bar = "━━━━━━──────────────────  1/4  1 passed  0.0/s  t::a";
  assert.equal(terminal.stdout(), bar);
  view.progress({ finished: 2, total: 4, passed: 2, failed: 0, current: "t::b" });
  assert.equal(terminal.stdout(), bar, "drawn again before a tenth of a second had passed");
  time = 1000;
  view.event(FAILED);
  const next = "━━━━━━━━━━━━────────────  2/4  2 passed  2.0/s  t::b";
  const shown = `${bar}\r\x1b[2KFAILED tests/test_a.py::test_b\n${BODY}\n${next}`;
  assert.equal(terminal.stdout(), shown);
  view.end();
  assert.equal(terminal.stdout(), `${shown}\r\x1b[2K`);
});

Deno.test("createRunView() writes the line of the crash and no more when asked to", () => {
  const terminal = fakeTerminal();
  const detail = { crashOnly: true, capture: "none" } as const;
  createRunView({ terminal, everyTest: false, detail, now: () => 0 }).event(FAILED);
  assert.equal(
    terminal.stdout(),
    "FAILED tests/test_a.py::test_b\n  ValueError: no way\n  tests/test_a.py:3 test_b: parse(x)\n",
  );
});

Deno.test("createRunView() names every test when asked to", () => {
  const terminal = fakeTerminal();
  const view = createRunView({ terminal, everyTest: true, now: () => 0 });
  view.event({ event: "passed", id: "t::a", duration: 0 });
  const { error: _, ...skipped } = { ...FAILED, id: "t::b", sections: [] };
  view.event({ ...skipped, error: null, when: "setup", outcome: "skipped", reason: "later" });
  view.event({ ...skipped, error: null, outcome: "skipped", reason: "bug", xfail: true });
  assert.equal(terminal.stdout(), "PASSED t::a\nSKIPPED t::b later\nXFAIL t::b bug\n");
});

Deno.test("createRunView() tells a collection error once when every worker reports it", () => {
  const terminal = fakeTerminal();
  const view = createRunView({ terminal, everyTest: false, now: () => 0 });
  const error: PytestEvent = {
    event: "collection_error",
    id: "tests/test_x.py",
    file: "tests/test_x.py",
    error: { type: "ModuleNotFoundError", message: "No module named 'y'", frames: [] },
    text: "",
  };
  view.event(error);
  view.event(error);
  assert.equal(
    terminal.stdout(),
    "CANNOT COLLECT tests/test_x.py\n  ModuleNotFoundError: No module named 'y'\n",
  );
});
