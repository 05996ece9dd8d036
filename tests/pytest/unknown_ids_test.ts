import assert from "node:assert/strict";
import { e2eProject } from "../support/e2e_project.ts";
import { chosenEnvironments, environment } from "../support/environments.ts";
import { openRealProject } from "../support/real_project.ts";

const SOURCE = `import pytest
class TestBasket:
    class TestEmpty:
        def test_total(self): pass
    @pytest.mark.parametrize("count", range(30))
    def test_many(self, count): pass
def test_plain(): pass
`;

/** [what is asked for, what is told to be nearest] */
const ASKED: [string, string[]][] = [
  ["t.py::TestBaskets", ["t.py::TestBasket"]],
  ["t.py::test_total", ["t.py::TestBasket::TestEmpty::test_total"]],
  ["t.py::TestBasket::test_plain", ["t.py::test_plain"]],
  ["t.py::TestBasket::test_manny", ["t.py::TestBasket::test_many"]],
  ["t.py::TestBasket::test_many[31]", ["t.py::TestBasket::test_many"]],
  ["t.py::nothing_like_it_at_all_anywhere_here", []],
];

for (const name of chosenEnvironments()) {
  Deno.test(`an unknown id comes with the nearest functions and classes, with ${name}`, async () => {
    const { python } = await environment(name);
    await using files = await e2eProject({ files: { "t.py": SOURCE }, environment: null });
    await using project = openRealProject(files.root, python);
    const outcome = await project.execute({ node_ids: ASKED.map(([id]) => id) });
    assert.ok(!outcome.ok);
    const told = outcome.failure.message.split("\n").flatMap((line) => {
      const [, id = "", nearest] = /^- (\S+)(?: — nearest: (.+))?$/.exec(line) ?? [];
      return id === "" ? [] : [{ id, nearest: nearest?.split(", ") ?? [] }];
    });
    assert.deepEqual(told.map(({ id }) => id), ASKED.map(([id]) => id));
    for (const [index, [id, [first]]] of ASKED.entries()) {
      assert.equal(told[index]?.nearest[0], first, id);
    }
    const ofFunction = told[3]?.nearest ?? [];
    assert.equal(ofFunction.some((id) => id.includes("[")), false, ofFunction.join(" "));
    const ofParameter = told[4]?.nearest ?? [];
    assert.ok(ofParameter.includes("t.py::TestBasket::test_many[1]"), ofParameter.join(" "));
  });
}
