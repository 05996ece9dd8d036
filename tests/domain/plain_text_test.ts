import assert from "node:assert/strict";
import { relativePath, relativizeLocations } from "../../src/domain/plain_text.ts";

/** [root, path, relative] */
const PATHS: [string, string, string][] = [
  ["/app", "/app/tests/a.py", "tests/a.py"],
  ["/app/", "/app/tests/a.py", "tests/a.py"],
  ["/app", "/application/a.py", "/application/a.py"],
  ["/app", "/srv/app/a.py", "/srv/app/a.py"],
  ["/a+(b) [c]/é/", "/a+(b) [c]/é/t.py", "t.py"],
  ["C:\\code\\p", "C:\\code\\p\\t.py", "t.py"],
  ["C:\\code\\p", "C:\\code\\p/t.py", "t.py"],
  ["/", "/etc/passwd", "/etc/passwd"],
];

Deno.test("relativePath() shortens a path below a root, and no other", () => {
  for (const [root, path, relative] of PATHS) {
    assert.equal(relativePath(path, ["/elsewhere", root]), relative);
  }
});

/** [text, relative to /app] */
const LOCATIONS: [string, string][] = [
  ['  File "/app/a b.py", line 2, in f\n    raise E', '  File "a b.py", line 2, in f\n    raise E'],
  ['  |   File "/app/a.py", line 2, in f', '  |   File "a.py", line 2, in f'],
  ["file /app/a.py, line 4\n  def test():", "file a.py, line 4\n  def test():"],
  ["/app/m.py:3: DocTestFailure\n/app/t.py:4", "m.py:3: DocTestFailure\nt.py:4"],
  ["C:/x.py:3: E", "C:/x.py:3: E"],
];

/** Texts in which a path is a value. */
const VALUES = [
  "assert '/app/login' == '/login'",
  "/app/login",
  "E   ValueError: /app/data:3: no such row",
  "    /app/a.py:3: printed by the test",
  "At index 0 diff: '/app/a' != 'a'",
  "file /app/a.py is missing",
];

Deno.test("relativizeLocations() shortens the path of a line that names a place", () => {
  for (const [text, relative] of LOCATIONS) {
    assert.equal(relativizeLocations(text, ["/app"]), relative);
  }
});

Deno.test("relativizeLocations() leaves a path that is a value as it is", () => {
  for (const text of VALUES) assert.equal(relativizeLocations(text, ["/app"]), text);
});

Deno.test("relativizeLocations() answers a hostile text in time", () => {
  for (const text of [":".repeat(60_000), "/app/:".repeat(20_000), ":1".repeat(30_000)]) {
    assert.equal(relativizeLocations(text, ["/app"]).length > 0, true);
  }
});
