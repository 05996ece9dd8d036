import assert from "node:assert/strict";
import { e2eProject } from "../support/e2e_project.ts";
import { chosenEnvironments, environment } from "../support/environments.ts";
import { openRealProject } from "../support/real_project.ts";

const LONG = `
def test_chain():
    def level(n):
        if n == 0: raise ValueError("where it began")
        try: level(n - 1)
        except Exception as error: raise RuntimeError("level %d" % n) from error
    level(8)

def test_notes():
    error = ValueError("v")
    error.__notes__ = ["note %d" % n for n in range(9)]
    raise error

class Group(Exception):
    def __init__(self, members):
        super().__init__("%d members" % len(members))
        self.exceptions = tuple(members)

def test_group():
    members = []
    for n in range(8):
        try:
            try: raise KeyError("inner %d" % n)
            except KeyError as error: raise ValueError("member %d" % n) from error
        except ValueError as error: members.append(error)
    raise Group(members)

def test_yaml():
    lines = ["- item %d\\n  name: %d\\n  size: 1\\n  kind: 2\\n  more: 3\\n  last: 4\\n  end: 5" % (n, n) for n in range(50)]
    raise ValueError("\\n".join(lines))
`;

const SNAPSHOTS = `
import unittest

def page(changed=()):
    return "\\n".join("line %d: %s" % (n, "new" if n in changed else "some words") for n in range(500))

def test_strings():
    assert page() == page({120, 250, 381})

def test_dicts():
    left = {"key %d" % n: {"value": n} for n in range(200)}
    right = {**left, "key 100": {"value": -1}}
    assert left == right

def test_long_lines():
    assert "x" * 4_000 + "1" == "x" * 4_000 + "2"

def test_list_of_no_diff():
    assert 1 == 2, ("bad:\\n" + "\\n".join("- name: n\\n" + "  key: value of it\\n" * 30 for _ in range(5)))

class TestOfUnittest(unittest.TestCase):
    maxDiff = None
    def test_strings(self):
        self.assertEqual(page(), page({120, 250, 381}))
`;

for (const name of chosenEnvironments()) {
  Deno.test(`executeTests() shows every difference of two long values at verbosity 2, with ${name}`, async () => {
    const { python } = await environment(name);
    await using files = await e2eProject({
      files: { "test_it.py": SNAPSHOTS },
      environment: null,
    });
    await using project = openRealProject(files.root, python);
    const answer = await project.execute({ verbosity: 2 });
    assert(answer.ok, JSON.stringify(answer));
    const told = new Map(
      answer.result.tests.map(({ node_id, traceback }) => [
        node_id.slice("test_it.py::".length),
        (traceback ?? "").split("\n").map((line) => line.trim()),
      ]),
    );
    for (const test of ["test_strings", "TestOfUnittest::test_strings"]) {
      const lines = told.get(test) ?? [];
      for (const n of [120, 250, 381]) {
        assert.ok(lines.includes(`line ${n + 3}: some words`), `${test}: ${n}`);
        assert.equal(
          lines.filter((line) => /^[-+] /.test(line) && line.includes(`line ${n}:`)).length,
          2,
        );
      }
      assert.deepEqual(lines.filter((line) => line.startsWith("… ")), [
        "… 117 equal lines",
        "… 123 equal lines",
        "… 124 equal lines",
        "… 115 equal lines",
      ], test);
    }
    const dicts = told.get("test_dicts") ?? [];
    assert.ok(dicts.some((line) => /^- +'?(key 100|value)/.test(line)), dicts.join("\n"));
    assert.ok(dicts.includes("{'key 100': {'value': 100}} != {'key 100': {'value': -1}}"));
    const list = told.get("test_list_of_no_diff") ?? [];
    assert.equal(list.filter((line) => line === "key: value of it").length, 150);
    const long = told.get("test_long_lines") ?? [];
    assert.ok(long.some((line) => /^- x+ \[\.\.\. \d+ characters elided \.\.\.\] x+2$/.test(line)));
    assert.ok(
      long.some((line) => /^\+ x+ \[\.\.\. \d+ characters elided \.\.\.\] x+1$/.test(line)),
    );
  });
}

Deno.test("executeTests() counts what it leaves out of a long error, and keeps where it began", {
  ignore: !chosenEnvironments().includes("pytest9"),
}, async () => {
  const { python } = await environment("pytest9");
  await using files = await e2eProject({ files: { "test_it.py": LONG }, environment: null });
  await using project = openRealProject(files.root, python);
  const answer = await project.execute({ verbosity: 1 });
  assert(answer.ok, JSON.stringify(answer));
  const lines = new Map(
    answer.result.tests.map(({ node_id, traceback }) => [
      node_id.split("::")[1],
      traceback?.split("\n").filter((line) => !line.includes("test_it.py:")),
    ]),
  );
  assert.deepEqual(lines.get("test_chain"), [
    "caused by RuntimeError: level 7",
    "caused by RuntimeError: level 6",
    "caused by RuntimeError: level 5",
    "… 4 exceptions",
    "caused by ValueError: where it began",
  ]);
  assert.deepEqual(lines.get("test_notes"), [
    ...Array.from({ length: 5 }, (_, n) => `note ${n}`),
    "[... 4 more notes ...]",
  ]);
  assert.deepEqual(lines.get("test_group"), [
    ...[0, 1, 2, 3, 4].flatMap((n) => [
      `[${n + 1}] ValueError: member ${n}`,
      `  caused by KeyError: 'inner ${n}'`,
    ]),
    "… 3 more in the group",
  ]);
  const items = (lines.get("test_yaml") ?? []).filter((line) => /^ {2}last: 4$/.test(line));
  assert.equal(items.length, 50, "only a comparison has lines that are equal");
});
