import assert from "node:assert/strict";
import { join } from "node:path";
import { findGitChanges, parsePatch } from "../../src/pytest/git_changes.ts";
import { e2eProject } from "../support/e2e_project.ts";
import { git } from "../support/git_repository.ts";

const { signal } = new AbortController();
const LINES = Array.from({ length: 12 }, (_, n) => `line ${n + 1}\n`);

Deno.test("findGitChanges() finds lines, new files and deleted ones, staged or not, below the root", async () => {
  await using project = await e2eProject({
    environment: null,
    files: {
      "sub/changed.py": LINES.join(""),
      "sub/staged.py": "a\n",
      "sub/deleted.py": "a\n",
      "sub/same.py": "a\n",
      "sub/ödd näme.py": "a\n",
      "sub/bin.dat": "\0",
      "elsewhere.py": "a\n",
      ".gitignore": "ignored.py\n",
    },
  });
  const { root } = project;
  await git(root, "init", "--quiet");
  await git(root, "add", ".");
  await git(root, "commit", "--quiet", "--message", "all");
  const lines = [...LINES];
  lines[1] = "another 2\n";
  lines.splice(9, 2); // lines 10 and 11
  lines.splice(5, 0, "new after 5\n", "and one more\n");
  const sub = join(root, "sub");
  const write = (name: string, text: string) => Deno.writeTextFile(join(sub, name), text);
  await write("changed.py", lines.join(""));
  await write("staged.py", "b\n");
  await git(root, "add", "sub/staged.py");
  await Deno.remove(join(sub, "deleted.py"));
  await write("ödd näme.py", "b\n");
  await write("bin.dat", "\0\0");
  await write("unknown.py", "");
  await write("ignored.py", "");
  await Deno.writeTextFile(join(root, "elsewhere.py"), "b\n");
  assert.deepEqual(await findGitChanges(sub, { signal }), {
    changes: {
      "bin.dat": null,
      "changed.py": [[2, 2], [6, 7], [12, 11]],
      "deleted.py": null,
      "staged.py": [[1, 1]],
      "unknown.py": null,
      "ödd näme.py": [[1, 1]],
    },
    losing: {},
  });
});

Deno.test("findGitChanges() names a submodule that changed, but for files that git does not know", async () => {
  await using project = await e2eProject({
    environment: null,
    files: { "dirty/a.py": "a\n", "moved/a.py": "a\n", "same/a.py": "a\n" },
  });
  const { root } = project;
  const commit = async (at: string) => {
    await git(at, "add", ".");
    await git(at, "commit", "--quiet", "--message", "all");
  };
  for (const name of ["dirty", "moved", "same", "."]) {
    await git(join(root, name), "init", "--quiet");
    await commit(join(root, name));
  }
  await Deno.writeTextFile(join(root, "dirty/a.py"), "b\n");
  await git(join(root, "dirty"), "config", "core.fsmonitor", "sh -c 'echo >> ran'");
  await Deno.writeTextFile(join(root, "moved/a.py"), "b\n");
  await commit(join(root, "moved"));
  await Deno.writeTextFile(join(root, "same/a.pyc"), "");
  const answer = await findGitChanges(root, { signal });
  assert.ok("changes" in answer, JSON.stringify(answer));
  assert.deepEqual(Object.keys(answer.changes), ["dirty", "moved"]);
  await assert.rejects(Deno.stat(join(root, "dirty/ran")));
});

Deno.test("findGitChanges() takes everything as new before the first commit", async () => {
  await using project = await e2eProject({ environment: null, files: { "a.py": "a\n" } });
  await git(project.root, "init", "--quiet");
  await git(project.root, "add", ".");
  assert.deepEqual(await findGitChanges(project.root, { signal }), {
    changes: { "a.py": [[1, 1]] },
    losing: {},
  });
});

Deno.test("findGitChanges() takes everything as new before the first commit, however the repository hashes", async () => {
  await using project = await e2eProject({ environment: null, files: { "a.py": "a\n" } });
  await git(project.root, "init", "--quiet", "--object-format=sha256");
  await git(project.root, "add", ".");
  assert.deepEqual(await findGitChanges(project.root, { signal }), {
    changes: { "a.py": [[1, 1]] },
    losing: {},
  });
});

Deno.test("findGitChanges() tells what the old lines provided and the new ones do not", async () => {
  const files = { "a.py": "import os\nimport one\nA = 1\n", "b.py": "B = 1\n", "c.py": "C = 1\n" };
  await using project = await e2eProject({ environment: null, files });
  const { root } = project;
  await git(root, "init", "--quiet");
  await git(root, "add", ".");
  await git(root, "commit", "--quiet", "--message", "all");
  await Deno.writeTextFile(join(root, "a.py"), "import os\nimport two\nA = 2\n");
  await Deno.writeTextFile(join(root, "b.py"), "BB = 1\n");
  await Deno.writeTextFile(join(root, "c.py"), "C = 2\n");
  const answer = await findGitChanges(root, { signal });
  assert.ok("losing" in answer, JSON.stringify(answer));
  assert.deepEqual(answer.losing, { "a.py": ["one"], "b.py": [] });
});

Deno.test("findGitChanges() says why it cannot tell, and what to do instead", async () => {
  await using project = await e2eProject({ environment: null });
  const answer = await findGitChanges(project.root, { signal });
  assert.ok("problem" in answer);
  assert.match(answer.problem, /not a git repository.*related_to/);
  const other = await findGitChanges(project.root, { signal, advice: "leave it out" });
  assert.ok("problem" in other);
  assert.match(other.problem, /Mend that, or leave it out\.$/);
});

Deno.test("findGitChanges() runs nothing that the repository configures", async () => {
  await using project = await e2eProject({
    environment: null,
    files: { "a.py": "a\n", ".gitattributes": "*.py diff=evil\n" },
  });
  const { root } = project;
  await git(root, "init", "--quiet");
  await git(root, "add", ".");
  await git(root, "commit", "--quiet", "--message", "all");
  for (const key of ["core.fsmonitor", "diff.external", "diff.evil.textconv", "core.pager"]) {
    await git(root, "config", key, `sh -c 'echo ${key} >> ran'`);
  }
  await Deno.writeTextFile(join(root, "a.py"), "b\n");
  assert.deepEqual(await findGitChanges(root, { signal }), {
    changes: { "a.py": [[1, 1]] },
    losing: {},
  });
  await assert.rejects(Deno.stat(join(root, "ran")));
});

const HEADER = "diff --git a.py a.py\nindex 1..2 100644\n--- a.py\n+++ a.py\n";

Deno.test("parsePatch() is not misled by lines that look like headers", () => {
  const patch = `${HEADER}@@ -1 +1,2 @@\n--- b.py\n+++ b.py\n+@@ -1 +9 @@\n`;
  assert.deepEqual([...parsePatch(patch)], [["a.py", { ranges: [[1, 2]], lost: null }]]);
});
