import assert from "node:assert/strict";
import { TARGETS } from "../../.github/release/targets.ts";

const WORKFLOWS = new URL("../../.github/workflows/", import.meta.url);

async function workflow(name: string): Promise<string> {
  return await Deno.readTextFile(new URL(name, WORKFLOWS));
}

Deno.test("every action is pinned by its full commit, with the version beside it", async () => {
  for (const { name } of Deno.readDirSync(WORKFLOWS)) {
    const uses = (await workflow(name)).match(/uses: .*/g) ?? [];
    assert.ok(uses.length > 0, name);
    for (const line of uses) {
      assert.match(line, /^uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, name);
    }
  }
});

Deno.test("the release tries every binary on its own system before anybody sees it", async () => {
  const text = await workflow("release.yml");
  const tried = [...text.matchAll(/runner: ([\w.-]+), binary: ([\w.-]+)/g)];
  assert.deepEqual(tried.map(([, , binary]) => binary), TARGETS.map(({ file }) => file));
  assert.equal(new Set(tried.map(([, runner]) => runner)).size, TARGETS.length);
  const order = [
    "task compile",
    "tests/e2e",
    "SHA256SUMS",
    "--draft ",
    "--draft=false",
    "deno@2.9.6 publish",
  ];
  const places = order.map((step) => text.indexOf(step));
  assert.deepEqual(places, places.toSorted((one, other) => one - other));
  assert.ok(places.every((place) => place > 0));
  assert.match(text, /needs: \[test, e2e\]/);
});

Deno.test("the release writes only where nothing is checked in", async () => {
  const text = await workflow("release.yml");
  const release = text.slice(text.indexOf("\n  release:\n"));
  const ignored = await Deno.readTextFile(new URL("../../.gitignore", import.meta.url));
  assert.match(ignored, /^\/dist\/$/m);
  const places = [...release.matchAll(/(?:\b(?:mv|cp) \S+|>) (\S+)/g)].map(([, place]) => place);
  assert.deepEqual(places, ["SHA256SUMS"]);
  assert.match(release, /cd dist && sha256sum \* > SHA256SUMS/);
});

Deno.test("no job may write but those that publish, each as little as it needs", async () => {
  for (const name of ["ci.yml", "nightly.yml"]) {
    assert.doesNotMatch(await workflow(name), /: write/, name);
  }
  const release = await workflow("release.yml");
  const jobs = release.split(/^ {2}(?=\w+:$)/m);
  const rights = jobs.flatMap((job) =>
    [...job.matchAll(/^ {6}([\w-]+): write/gm)].map(([, right]) => `${job.split(":")[0]} ${right}`)
  );
  assert.deepEqual(rights, [
    "release contents",
    "release id-token",
    "release attestations",
    "jsr id-token",
    "registry id-token",
  ]);
  // who they are is told to others only once there is a release
  assert.match(release, /^ {2}jsr:\n.*\n {4}needs: release$/m);
  assert.match(release, /^ {2}registry:\n.*\n {4}needs: \[release, jsr\]$/m);
  assert.doesNotMatch(release, /secrets\./);
});

Deno.test("every Linux job that runs the tests can make sandboxes, so that none is skipped", async () => {
  for (const { name } of Deno.readDirSync(WORKFLOWS)) {
    const [, ...jobs] = (await workflow(name)).split(/^ {2}(?=\w+:$)/m);
    for (
      const job of jobs.filter((text) => /\.ci\/run|deno@\S+ task (ok|test|faults)/.test(text))
    ) {
      assert.match(job, /apt-get install --yes bubblewrap.*userns=0.*(\.ci\/run|deno@)/s, name);
    }
  }
});

Deno.test("all workflows use the Deno that the README names", async () => {
  const readme = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
  const versions = new Set<string>();
  const names = [...Deno.readDirSync(WORKFLOWS)].map(({ name }) => name);
  for (const text of [readme, ...await Promise.all(names.map(workflow))]) {
    for (const [version] of text.matchAll(/deno@\d+\.\d+\.\d+/g)) versions.add(version);
  }
  assert.deepEqual([...versions], [`deno@${Deno.version.deno}`]);
});
