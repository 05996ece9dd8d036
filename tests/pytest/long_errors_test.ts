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
`;

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
});
