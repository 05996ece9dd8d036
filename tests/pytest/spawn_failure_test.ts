import assert from "node:assert/strict";
import { explainSpawnFailure } from "../../src/pytest/spawn_failure.ts";

/** What Pythons that are too old say of our first lines. */
const TOO_OLD = [
  'File "<string>", line 25\n    def __init__(self, sources: Dict[str, str]) -> None:\n' +
  "                              ^\nSyntaxError: invalid syntax",
  'Traceback (most recent call last):\n  File "<string>", line 63, in <module>\n' +
  '  File "<pytest_mcp_supervisor>", line 37, in __init__\n' +
  "AttributeError: module 'queue' has no attribute 'SimpleQueue'",
];

function fixFor(problem: string): string {
  const tried = [{ python: "/opt/python", origin: "--python", chosen: true, problem }];
  return explainSpawnFailure(tried, { platform: "posix" }).fix;
}

Deno.test("explainSpawnFailure() asks for a newer Python when it is too old for us", () => {
  for (const said of TOO_OLD) {
    assert.match(fixFor(`did not start as Python: ${said}`), /^Python 3\.8 or newer is needed/);
  }
});

Deno.test("explainSpawnFailure() asks for pytest where only that is missing", () => {
  assert.equal(fixFor("pytest is not installed"), "Run: /opt/python -m pip install pytest");
});
