import type { TestEntry } from "../../src/domain/execute_result.ts";
import type { ExpectedRun } from "../../fixtures/expected_outcomes.ts";

/** Node id → outcome, in the words of the contract; of a test that is told twice, all of them. */
export type Outcomes = Readonly<Record<string, string>>;

/** What a result at verbosity 1 says of each test. */
export function listedOutcomes(tests: readonly TestEntry[]): Outcomes {
  const outcomes: Record<string, string> = {};
  for (const { node_id, outcome } of tests) {
    const before = outcomes[node_id];
    outcomes[node_id] = before === undefined ? outcome : `${before} and ${outcome}`;
  }
  return outcomes;
}

/** What it ought to say: the contract counts xfailed as skipped and xpassed as passed. */
export function expectedOutcomes(expected: ExpectedRun): Outcomes {
  const outcomes: Record<string, TestEntry["outcome"]> = {};
  for (const module of expected.skippedModules) outcomes[module] = "skipped";
  for (const [nodeId, outcome] of expected.tests) {
    if (outcome === "xfailed") outcomes[nodeId] = "skipped";
    else if (outcome === "xpassed") outcomes[nodeId] = "passed";
    else if (outcome !== "running" && outcome !== "not_run") outcomes[nodeId] = outcome;
  }
  return outcomes;
}

/** Where they differ, a line each: the whole maps are too long to read. */
export function differences(actual: Outcomes, expected: Outcomes): string[] {
  return [...new Set([...Object.keys(actual), ...Object.keys(expected)])]
    .filter((nodeId) => actual[nodeId] !== expected[nodeId])
    .map((nodeId) => `${nodeId} is ${actual[nodeId]}, expected ${expected[nodeId]}`);
}

/** Tests that had begun when the run ended. */
export function expectedRunning(expected: ExpectedRun): string[] {
  return [...expected.tests].filter(([, outcome]) => outcome === "running").map(([id]) => id);
}
