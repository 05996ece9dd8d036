import { deepEqual, equal } from "node:assert/strict";
import { expectedRun, projectNames } from "../../fixtures/expected_outcomes.ts";
import { chosenEnvironments, environment } from "../support/environments.ts";
import { openRealProject } from "../support/real_project.ts";

// Collection differs less than outcomes do: the oldest, the newest, and one with plugins will do.
const environments = chosenEnvironments().filter((name) =>
  name === "pytest62" || name === "pytest9" || name === "rich"
);

for (const name of environments) {
  for (const project of projectNames()) {
    const expected = expectedRun(project, name);

    Deno.test(`discoverTests() finds the tests of ${project} in ${name}`, async () => {
      const { python } = await environment(name);
      await using real = openRealProject(expected.directory, python);
      const answer = await real.discover({ limit: 10_000 });
      if (expected.failure === "project_error") {
        equal(answer.ok, false);
        return;
      }
      if (!answer.ok) throw new Error(answer.failure.message);
      const { tests, count, collection_errors, files, next_cursor } = answer.result;
      deepEqual(
        tests.map(({ node_id }) => node_id).toSorted(),
        [...expected.tests.keys()].toSorted(),
      );
      equal(count, expected.tests.size);
      equal(next_cursor, null);
      equal(collection_errors.length, expected.collectionErrors.length);
      deepEqual(files, countByFile(expected.tests.keys()));
      for (const test of tests) {
        if (test.function === null) continue; // a doctest
        const inClass = test.class === null ? "" : `${test.class.replaceAll(".", "::")}::`;
        const id = `${test.file}::${inClass}${test.function}`;
        equal(test.node_id.slice(0, id.length), id);
        equal(`${test.module?.replaceAll(".", "/")}.py`, test.file);
      }
    });
  }
}

function countByFile(nodeIds: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const nodeId of nodeIds) {
    const file = nodeId.slice(0, nodeId.indexOf("::"));
    counts[file] = (counts[file] ?? 0) + 1;
  }
  return counts;
}
