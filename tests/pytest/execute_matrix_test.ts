import { deepEqual, equal } from "node:assert/strict";
import { expectedRun, projectNames } from "../../fixtures/expected_outcomes.ts";
import {
  differences,
  expectedOutcomes,
  expectedRunning,
  listedOutcomes,
} from "../support/contract_outcomes.ts";
import { chosenEnvironments, environment } from "../support/environments.ts";
import { openRealProject } from "../support/real_project.ts";

/** Seconds: enough for pytest to reach the test that hangs, also on a busy machine. */
const TIMEOUT_OF_SLOW = 10;

for (const name of chosenEnvironments()) {
  for (const [project, prewarm] of projectNames().flatMap(bothWays)) {
    const expected = expectedRun(project, name);
    if (expected.failure === "timeout" && name !== "pytest62" && name !== "pytest9") continue;
    const way = prewarm ? "warm" : "cold";
    const title = `executeTests() gives the outcomes of ${project} in ${name}, ${way}`;

    Deno.test(title, async () => {
      const { python } = await environment(name);
      await using real = openRealProject(expected.directory, python, { prewarm });
      const answer = await real.execute({
        verbosity: 1,
        ...(expected.failure === "timeout" ? { timeout: TIMEOUT_OF_SLOW } : {}),
      });
      equal(real.servedWarm, prewarm);
      const failure = answer.ok || answer.failure.kind === "invalid_parameters"
        ? undefined
        : answer.failure.data;
      equal(failure?.error_type, expected.failure);
      const data = answer.ok ? answer.result : failure;
      if (data === undefined) throw new Error("refused as invalid");
      deepEqual(differences(listedOutcomes(data.tests), expectedOutcomes(expected)), []);
      for (const test of data.tests) {
        const explained = test.outcome === "failed" || test.outcome === "error";
        equal(Boolean(test.message && test.traceback), explained, test.node_id);
      }
      const { duration: _, deselected: __, warnings: ___, ...summary } = data.summary;
      deepEqual(summary, expected.summary);
      equal(
        data.collection_errors.length,
        expected.failure === "project_error" ? 1 : expected.collectionErrors.length,
      );
      equal(
        answer.ok ? answer.result.exit_code : null,
        expected.failure ? null : expected.exitCode,
      );
      deepEqual(failure?.running ?? [], expectedRunning(expected));
    });
  }
}

/** From a process that is started for the run, and from one that was started ahead of it. */
function bothWays<T>(project: T): [T, boolean][] {
  return [[project, false], [project, true]];
}
