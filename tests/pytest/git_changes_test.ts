import assert from "node:assert/strict";
import { join } from "node:path";
import { findGitChanges, parsePatch } from "../../src/pytest/git_changes.ts";
import { e2eProject } from "../support/e2e_project.ts";
import { environment } from "../support/environments.ts";
import { git } from "../support/git_repository.ts";
import { runProject } from "../support/run_project.ts";

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

Deno.test({
  name: "changed ends with its timeout where git waits for a pipe of the project",
  ignore: Deno.build.os === "windows",
  async fn() {
    const { python } = await environment("pytest9");
    await using project = await riggedProject();
    const { root } = project;
    await new Deno.Command("mkfifo", { args: [join(root, ".gitignore")] }).output();
    const { outcome } = await runProject({ root, python, params: { changed: true, timeout: 1 } });
    assert.ok(!outcome.ok);
    assert.match(outcome.failure.message, /^changed: .*did not answer in time.*related_to/);
  },
});

/** A repository with one commit and then a change of `a.py`; what it configures would leave a file `ran`. */
async function riggedProject(attributes = "") {
  const project = await e2eProject({
    environment: null,
    files: { "a.py": "a\n", "touched.py": "a\n", ".gitattributes": attributes },
  });
  const { root } = project;
  await git(root, "init", "--quiet");
  await git(root, "add", ".");
  await git(root, "commit", "--quiet", "--message", "all");
  await Deno.writeTextFile(join(root, "a.py"), "b\n");
  await Deno.utime(join(root, "touched.py"), 1, 1);
  return project;
}

const RUN = "sh -c 'echo >> ran'";
const ONE_CHANGE = { changes: { "a.py": [[1, 1]] }, losing: {} };

async function assertNothingRan(root: string) {
  await assert.rejects(Deno.stat(join(root, "ran")), Deno.errors.NotFound);
}

Deno.test("findGitChanges() runs nothing that the repository configures", async () => {
  await using project = await riggedProject("*.py diff=evil\n");
  const { root } = project;
  for (const key of ["core.fsmonitor", "diff.external", "diff.evil.textconv", "core.pager"]) {
    await git(root, "config", key, RUN);
  }
  assert.deepEqual(await findGitChanges(root, { signal }), ONE_CHANGE);
  await assertNothingRan(root);
});

for (const key of ["clean", "process"]) {
  Deno.test(`findGitChanges() does not run the filter that attributes name, as ${key}`, async () => {
    await using project = await riggedProject("*.py filter=An.Evil\n");
    const { root } = project;
    await git(root, "config", `filter.An.Evil.${key}`, RUN);
    await git(root, "config", "filter.An.Evil.required", "true");
    assert.deepEqual(await findGitChanges(root, { signal }), ONE_CHANGE);
    await assertNothingRan(root);
  });
}

Deno.test("findGitChanges() asks nothing where a filter cannot be switched off", async () => {
  await using project = await riggedProject("*.py filter=a=b\n");
  const { root } = project;
  await git(root, "config", "filter.a=b.clean", RUN);
  const answer = await findGitChanges(root, { signal });
  assert.ok("problem" in answer);
  assert.match(answer.problem, /filter\.a=b\.clean cannot be switched off.*related_to/);
  await assertNothingRan(root);
});

Deno.test("findGitChanges() does not run the filter of a submodule", async () => {
  await using project = await e2eProject({
    environment: null,
    files: { "sub/a.py": "a\n", "sub/.gitattributes": "*.py filter=evil\n" },
  });
  const { root } = project;
  for (const at of [join(root, "sub"), root]) {
    await git(at, "init", "--quiet");
    await git(at, "add", ".");
    await git(at, "commit", "--quiet", "--message", "all");
  }
  await git(join(root, "sub"), "config", "filter.evil.clean", RUN);
  await Deno.writeTextFile(join(root, "sub/a.py"), "b\n");
  const answer = await findGitChanges(root, { signal });
  assert.deepEqual(answer, { changes: { sub: null }, losing: {} });
  await assertNothingRan(join(root, "sub"));
});

Deno.test({
  name: "findGitChanges() leaves the index as it is, and runs no hook, when a file was touched",
  ignore: Deno.build.os === "windows", // Deno cannot make a file executable there
  async fn() {
    await using project = await riggedProject();
    const { root } = project;
    const hooks = join(root, ".husky");
    await Deno.mkdir(hooks);
    await Deno.writeTextFile(join(hooks, "post-index-change"), "#!/bin/sh\necho >> ran\n");
    await Deno.chmod(join(hooks, "post-index-change"), 0o755);
    await Deno.writeTextFile(join(root, ".git/info/exclude"), ".husky\n");
    await git(root, "config", "core.hooksPath", ".husky");
    const index = await Deno.readFile(join(root, ".git/index"));
    assert.deepEqual(await findGitChanges(root, { signal }), ONE_CHANGE);
    assert.deepEqual(await Deno.readFile(join(root, ".git/index")), index);
    await assertNothingRan(root);
    await git(root, "diff", "HEAD");
    await Deno.stat(join(root, "ran"));
  },
});

Deno.test("findGitChanges() fetches nothing that is missing", async () => {
  await using project = await riggedProject();
  const { root } = project;
  const blob = (await git(root, "rev-parse", "HEAD:a.py")).trim();
  await Deno.remove(join(root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
  await git(root, "config", "core.repositoryFormatVersion", "1");
  await git(root, "config", "extensions.partialClone", "evil");
  await git(root, "config", "remote.evil.url", root);
  await git(root, "config", "remote.evil.promisor", "true");
  await git(root, "config", "remote.evil.uploadpack", RUN);
  const answer = await findGitChanges(root, { signal });
  assert.ok("problem" in answer);
  await assertNothingRan(root);
  await assert.rejects(git(root, "diff", "HEAD"));
  await Deno.stat(join(root, "ran"));
});

const HEADER = "diff --git a.py a.py\nindex 1..2 100644\n--- a.py\n+++ a.py\n";

Deno.test("parsePatch() is not misled by lines that look like headers", () => {
  const patch = `${HEADER}@@ -1 +1,2 @@\n--- b.py\n+++ b.py\n+@@ -1 +9 @@\n`;
  assert.deepEqual([...parsePatch(patch)], [["a.py", { ranges: [[1, 2]], lost: null }]]);
});
