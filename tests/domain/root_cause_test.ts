import assert from "node:assert/strict";
import { causeKey } from "../../src/domain/root_cause.ts";
import { exception, phase } from "../support/run_events.ts";

type Phase = NonNullable<Parameters<typeof phase>[1]>;

function key(failure: Phase, id = "t.py::test"): string {
  return causeKey(phase(id, failure), id);
}

const LIBRARY = "lib doctest.py:1353 __run: exec(compile(example.source, filename))";

function doctest(type: string, text: string): Phase {
  return { error: exception(`doctest.${type}: <DocTest>`, [LIBRARY]), text };
}

Deno.test("causeKey() is the same for the same exception at the same line of the project", () => {
  const at = (line: number, library: number) => ({
    error: exception("KeyError: 'a'", [`app.py:${line} load: f()`, `lib x.py:${library} f: raise`]),
  });
  assert.equal(key(at(3, 1)), key(at(3, 2), "t.py::other"));
  assert.notEqual(key(at(3, 1)), key(at(4, 1)));
});

Deno.test("causeKey() tells doctests apart by the line that failed, not by doctest's own", () => {
  const one = doctest("UnexpectedException", "005 >>> a\nboom.py:6: UnexpectedException");
  const two = doctest("UnexpectedException", "011 >>> b\nboom.py:12: UnexpectedException");
  const elsewhere = doctest("UnexpectedException", "005 >>> a\nother.py:6: UnexpectedException");
  assert.equal(new Set([one, two, elsewhere].map((failure) => key(failure))).size, 3);
  assert.equal(key(one), key(one, "t.py::other"));
});

Deno.test("causeKey() takes a doctest without a line for a cause of its own", () => {
  const unknown = doctest(
    "DocTestFailure",
    "EXAMPLE LOCATION UNKNOWN\nboom.py:None: DocTestFailure",
  );
  assert.notEqual(key(unknown, "boom.py::boom.one"), key(unknown, "boom.py::boom.two"));
});

Deno.test("causeKey() is the same for all tests that need a fixture which asks for a missing one", () => {
  const missing = (name: string) => ({
    error: exception(`FixtureLookupError: ('nope', <SubRequest for ${name}>)`),
    text:
      `file t.py, line 1\n  def ${name}(db):\nE       fixture 'nope' not found\n\nconftest.py:2`,
  });
  assert.equal(key(missing("test_a"), "t.py::test_a"), key(missing("test_b"), "t.py::test_b"));
});

function nativeText(line: number, raised: string): string {
  return `Traceback (most recent call last):\n  File "/p/t.py", line ${line}, in test\n    f()\n${raised}\n`;
}

const keyOf = (text: string) => key({ text });

Deno.test("causeKey() tells failures apart that are known by their text only", () => {
  const key = keyOf(nativeText(1, "ValueError: no"));
  assert.equal(keyOf(nativeText(1, "ValueError: no")), key);
  assert.notEqual(keyOf(nativeText(1, "KeyError: 'k'")), key);
  assert.notEqual(keyOf(nativeText(2, "ValueError: no")), key);
});

Deno.test("causeKey() is the same for texts that differ in the place of an object in memory", () => {
  assert.equal(keyOf("<T object at 0x7f01> failed"), keyOf("<T object at 0x7f02> failed"));
});
