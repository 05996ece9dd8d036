import { deepEqual, equal, match } from "node:assert/strict";
import { expectedRun, projectNames } from "../../fixtures/expected_outcomes.ts";
import { differences, expectedOutcomes, listedOutcomes } from "../support/contract_outcomes.ts";
import { copyProjectWithOptions } from "../support/copied_project.ts";
import { chosenEnvironments, environment } from "../support/environments.ts";
import { openRealProject } from "../support/real_project.ts";

// A run that does not come to its end does so in xdist's own way.
const projects = projectNames().filter((project) => !expectedRun(project, "rich").failure);

for (const project of chosenEnvironments().includes("rich") ? projects : []) {
  const expected = expectedRun(project, "rich");

  Deno.test(`executeTests() gives the outcomes of ${project} when xdist runs them`, async () => {
    const { python } = await environment("rich");
    await using copy = await copyProjectWithOptions(expected.directory, "-n 2");
    await using real = openRealProject(copy.directory, python);
    const answer = await real.execute({ verbosity: 1 });
    if (!answer.ok) throw new Error(answer.failure.message);
    const { tests, summary, collection_errors, exit_code, text_output } = answer.result;
    match(text_output ?? "", /2 workers/);
    deepEqual(differences(listedOutcomes(tests), expectedOutcomes(expected)), []);
    const { duration: _, deselected: __, warnings: ___, ...counts } = summary;
    deepEqual(counts, expected.summary);
    equal(collection_errors.length, expected.collectionErrors.length);
    equal(exit_code, expected.exitCode);
  });
}
