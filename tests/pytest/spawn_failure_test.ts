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

const REFUSED = {
  python: "/envs/shop/bin/python",
  origin: "VIRTUAL_ENV",
  chosen: false,
  problem: "Deno may not run it: add /envs/shop/bin/python to --allow-run",
};

Deno.test("explainSpawnFailure() gives advice that a binary's user can follow, too", () => {
  const { fix } = explainSpawnFailure([REFUSED], { platform: "posix" });
  assert.match(fix, /^Make the environment the project's \.venv, or activate it/);
  assert.ok(
    fix.includes("pytest-mcp config CLIENT --python /envs/shop/bin/python --form jsr"),
    fix,
  );
  const part = { ...REFUSED, python: "/mono/a/.venv/bin/python", origin: "a/.venv", chosen: true };
  const ofPart = explainSpawnFailure([part], { platform: "posix" });
  assert.match(ofPart.fix, /"pytest-mcp config CLIENT --form jsr", started in the root, prints\.$/);
  const named = explainSpawnFailure([{ ...REFUSED, origin: "--python" }], { platform: "posix" });
  assert.match(named.fix, /^Leave --python out and make the environment/);
});
