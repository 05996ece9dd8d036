import assert from "node:assert/strict";
import { nearestPaths } from "../../src/domain/nearest_path.ts";
import { checkNodeId, checkPath } from "../../src/domain/project_path.ts";
import { memoryFiles } from "../support/memory_files.ts";

const files = memoryFiles({
  "tests": "directory",
  "tests/unit": "directory",
  "tests/unit/test_user.py": "file",
  "tests/unit/test_basket.py": "file",
  "tests/test_api.py": "file",
  ".venv": "directory",
  ".venv/test_user.py": "file",
  "src": "directory",
});

/** [what was asked for, what is nearest] */
const ASKED: [string, string[]][] = [
  ["test_user.py", ["tests/unit/test_user.py"]],
  ["test/unit/test_user.py", ["tests/unit/test_user.py"]],
  ["tests/unit/test_uesr.py", ["tests/unit/test_user.py"]],
  ["test", ["tests"]],
  ["tets/test_new.py", ["tests"]],
  ["unit", ["tests/unit"]],
  ["tests/test_api.py/more", []],
  ["nothing/like/it.py", []],
];

Deno.test("nearestPaths() finds the same name elsewhere, else what is spelled alike", () => {
  for (const [asked, expected] of ASKED) {
    assert.deepEqual(nearestPaths(asked, files), expected, asked);
  }
});

Deno.test("checkPath() and checkNodeId() say what to try where there is nothing", () => {
  const said = (check: typeof checkPath, text: string) => {
    const result = check(text, files);
    return result.ok ? "" : result.message;
  };
  const nearest =
    "Path not found: paths are relative to /code/project; nearest: tests/unit/test_user.py";
  assert.equal(said(checkPath, "test_user.py"), nearest);
  assert.equal(said(checkNodeId, "unit/test_user.py::test_login"), nearest);
  assert.match(said(checkPath, "nothing/like/it.py"), /; discover_tests shows where tests are$/);
});

Deno.test("nearestPaths() gives up in a tree that is too large", () => {
  const entries = Array.from({ length: 300 }, (_, n) => [`d${n}`, "directory"]);
  const large = memoryFiles(Object.fromEntries([...entries, ["d299/test_far.py", "file"]]));
  assert.deepEqual(nearestPaths("test_far.py", large), []);
});
