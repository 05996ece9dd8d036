import assert from "node:assert/strict";
import { checkNodeId, checkPath } from "../../src/domain/project_path.ts";
import { memoryFiles } from "../support/memory_files.ts";

const TREE = {
  "tests": "directory",
  "tests/test_a.py": "file",
  "tests/-x.py": "file",
  "-x.py": "file",
  "we::ird": "directory",
  "we::ird/test_b.py": "file",
  "br[0]": "directory",
  "br[0]/test_c.py": "file",
  "sp ace/tést.py": "file",
  "inner": "/code/project/tests",
  "escape": "/etc",
  "evil/test_link.py": "/code/project-2/test.py",
  "back\\slash.py": "file",
};
const posix = memoryFiles(TREE, { namedRoot: "/home/me/project" });
const windows = memoryFiles({ "tests": "directory", "tests/test_a.py": "file", "Con.py": "file" }, {
  platform: "windows",
});

/** The small form of İ is two characters. */
const turkish = memoryFiles({ "İ.py": "file" }, { platform: "windows", root: "C:\\i\u0307" });

/** [platform, kind, given, accepted spelling or the reason for the refusal] */
const CASES: ["posix" | "windows" | "turkish", "path" | "id", string, string | RegExp][] = [
  ["posix", "path", "tests", "tests"],
  ["posix", "path", "./tests//", "tests"],
  ["posix", "path", ".", "."],
  ["posix", "path", "tests/test_a.py", "tests/test_a.py"],
  ["posix", "path", "tests/-x.py", "tests/-x.py"],
  ["posix", "path", "sp ace/tést.py", "sp ace/tést.py"],
  ["posix", "path", "/code/project/tests", "tests"],
  ["posix", "path", "/code/project", "."],
  ["posix", "path", "/home/me/project/tests/test_a.py", "tests/test_a.py"],
  ["posix", "path", "inner", "inner"],
  ["posix", "path", "we::ird", "we::ird"],
  ["posix", "path", "back\\slash.py", "back\\slash.py"],
  ["posix", "path", "", /must not be empty/],
  ["posix", "path", "a\0b", /NUL or a newline/],
  ["posix", "path", "a\nb", /NUL or a newline/],
  ["posix", "path", "tests\r", /NUL or a newline/],
  ["posix", "path", "..", /must not hold '\.\.'/],
  ["posix", "path", "tests/../tests", /must not hold '\.\.'/],
  ["posix", "path", "tests\\..\\x", /must not hold '\.\.'/],
  ["posix", "path", "/code/project/../x", /must not hold '\.\.'/],
  ["posix", "path", "-x.py", /must not start with '-' or '@'/],
  ["posix", "path", "./-x.py", /must not start with '-' or '@'/],
  ["posix", "path", "/code/project/-x.py", /must not start with '-' or '@'/],
  ["posix", "path", "@args.txt", /must not start with '-' or '@'/],
  ["posix", "path", "--rootdir=/", /must not start with '-' or '@'/],
  ["posix", "path", "/etc/passwd", /outside the root/],
  ["posix", "path", "/code/project-2", /outside the root/],
  ["posix", "path", "//code/project/tests", /outside the root/],
  ["posix", "path", "escape", /outside the root .* symbolic link/],
  ["posix", "path", "evil/test_link.py", /outside the root .* symbolic link/],
  ["posix", "path", "nope.py", /Path not found/],
  ["posix", "path", "tests/test_a.py::test_x", /Path not found.*node_ids/],
  ["posix", "id", "tests", "tests"],
  ["posix", "id", "tests/test_a.py::test_x", "tests/test_a.py::test_x"],
  ["posix", "id", "/code/project/tests/test_a.py::T::test_x", "tests/test_a.py::T::test_x"],
  ["posix", "id", "./tests/test_a.py::test_x[a::b]", "tests/test_a.py::test_x[a::b]"],
  ["posix", "id", "tests/test_a.py::test_x[../..]", "tests/test_a.py::test_x[../..]"],
  ["posix", "id", "tests/test_a.py::test_x[a\\..\\b]", "tests/test_a.py::test_x[a\\..\\b]"],
  ["posix", "id", "tests/test_a.py::test_x[[]]", "tests/test_a.py::test_x[[]]"],
  ["posix", "id", "tests/test_a.py::test_x[日 本\n\0]", "tests/test_a.py::test_x[日 本\n\0]"],
  [
    "posix",
    "id",
    "tests/test_a.py::test_x[we::ird/test_b.py::y]",
    "tests/test_a.py::test_x[we::ird/test_b.py::y]",
  ],
  ["posix", "id", "we::ird/test_b.py::test_x[a::b]", "we::ird/test_b.py::test_x[a::b]"],
  ["posix", "id", "we::ird", "we::ird"],
  ["posix", "id", "br[0]/test_c.py::test_x[1]", "br[0]/test_c.py::test_x[1]"],
  ["posix", "id", "", /must not be empty/],
  ["posix", "id", "::test_x", /must start with a file/],
  ["posix", "id", "tests::test_x", /tests is a directory/],
  ["posix", "id", "tests/nope.py::test_x", /Path not found/],
  ["posix", "id", "tests/../x.py::test_x", /must not hold '\.\.'/],
  ["posix", "id", "tests/test_a.py::te\0st", /NUL or a newline/],
  ["posix", "id", "tests/test\n_a.py::test", /NUL or a newline/],
  ["posix", "id", "-x.py::test", /must not start with '-' or '@'/],
  ["posix", "id", "evil/test_link.py::test_x", /symbolic link/],
  ["posix", "id", "/etc/passwd::x", /outside the root/],
  ["windows", "path", "tests\\test_a.py", "tests/test_a.py"],
  ["windows", "path", "tests/test_a.py", "tests/test_a.py"],
  ["windows", "path", "c:/Work/project/tests", "tests"],
  ["windows", "path", "C:\\work\\project\\tests\\test_a.py", "tests/test_a.py"],
  ["windows", "id", "tests\\test_a.py::test_x[a\\b]", "tests/test_a.py::test_x[a\\b]"],
  ["windows", "path", "tests\\..\\x", /must not hold '\.\.'/],
  ["windows", "path", "D:\\work\\project\\tests", /outside the root/],
  ["windows", "path", "C:tests", /outside the root/],
  ["windows", "path", "\\\\server\\share\\tests", /outside the root/],
  ["windows", "path", "\\\\?\\C:\\work\\project\\tests", /outside the root/],
  ["windows", "path", "\\work\\project\\tests", /outside the root/],
  ["windows", "path", "tests/test_a.py:stream", /must not hold ':'/],
  ["windows", "path", "Con.py", /device/],
  ["windows", "path", "tests\\nul", /device/],
  ["windows", "path", "COM1 ", /device/],
  ["windows", "path", "nul .py", /device/],
  ["turkish", "path", "C:\\İ\\x..\\secret", /outside the root/],
  ["turkish", "path", "C:\\i\u0307\\İ.py", "İ.py"],
];

Deno.test("checkPath() and checkNodeId() accept or refuse each spelling as the contract says", () => {
  for (const [platform, kind, given, expected] of CASES) {
    const check = kind === "path" ? checkPath : checkNodeId;
    const result = check(given, { posix, windows, turkish }[platform]);
    const label = `${platform} ${kind} ${JSON.stringify(given)}`;
    if (typeof expected === "string") {
      assert.ok(result.ok, `${label}: ${result.ok ? "" : result.message}`);
      assert.equal(result.path + result.rest, expected, label);
    } else {
      assert.ok(!result.ok, label);
      assert.match(result.message, expected, label);
    }
  }
});

Deno.test("checkNodeId() separates the file from the rest where both hold '::'", () => {
  const result = checkNodeId("we::ird/test_b.py::test_x[a::b]", posix);
  assert.deepEqual(result, {
    ok: true,
    path: "we::ird/test_b.py",
    isDirectory: false,
    rest: "::test_x[a::b]",
  });
});

Deno.test("checkNodeId() looks at a few files only, however many '::' a parameter id has", () => {
  const files = memoryFiles(TREE);
  checkNodeId(`nope.py::test[${"::".repeat(2_000)}]`, files);
  assert.ok(files.inspected.length < 10, String(files.inspected.length));
});

Deno.test("checkPath() asks the file system for nothing outside the root", () => {
  const files = memoryFiles(TREE);
  for (const hostile of ["/etc/passwd", "../x", "-p", "@x", "a\0", "tests\\..\\..\\x", ""]) {
    checkPath(hostile, files);
    checkNodeId(`${hostile}::test`, files);
  }
  assert.deepEqual(files.inspected, []);
});
