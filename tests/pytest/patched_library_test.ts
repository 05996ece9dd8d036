import assert from "node:assert/strict";
import { e2eProject } from "../support/e2e_project.ts";
import { chosenEnvironments, environment } from "../support/environments.ts";
import { openRealProject } from "../support/real_project.ts";

/** A test's patches are still there when pytest reports its call. */
const PATCHED = `
import builtins, json, ntpath, os, pytest

def never(*args, **kwargs): raise TypeError("called")

@pytest.mark.parametrize("place, name, value", [
    (json, "loads", never), (json, "dumps", never), (os, "sep", "\\\\"), (os.path, "isabs", never),
    (os, "path", ntpath), (builtins, "open", never),
], ids="loads dumps sep isabs path open".split())
def test_known(place, name, value, monkeypatch):
    monkeypatch.setattr(place, name, value)
    raise KeyError("the message")

def test_unknown(monkeypatch):
    monkeypatch.setattr(builtins, "round", never)
    raise KeyError("the message")
`;

/** The id is not what pytest calls it: that takes functions that a test patches. */
const INI = "[pytest]\naddopts = --rootdir=..\n";

Deno.test("executeTests() tells a failure whatever the test has patched", {
  ignore: !chosenEnvironments().includes("pytest9"),
}, async () => {
  const { python } = await environment("pytest9");
  const files = { "part/tests/test_it.py": PATCHED, "part/pytest.ini": INI };
  await using made = await e2eProject({ files, environment: null });
  await using project = openRealProject(`${made.root}/part`, python, { hostile: true });
  const answer = await project.execute({ verbosity: 1 });
  assert(answer.ok, JSON.stringify(answer));
  const told = answer.result.tests.map(({ node_id, outcome, message }) =>
    `${node_id.split("::")[1]} ${outcome} ${message}`
  );
  assert.deepEqual(told, [
    ...["loads", "dumps", "sep", "isabs", "path", "open"].map((name) =>
      `test_known[${name}] failed KeyError: 'the message'`
    ),
    "test_unknown failed failed without a message",
  ]);
  assert.deepEqual(
    answer.result.tests.filter(({ node_id }) => !node_id.startsWith("tests/test_it.py::")),
    [],
  );
});
