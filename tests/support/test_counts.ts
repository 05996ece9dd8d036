/** How many tests of a run passed, failed and were left out. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Counts the tests and steps in a JUnit report as Deno writes it. */
export function countTests(junit: string): TestCounts {
  const cases = junit.split("<testcase ").slice(1);
  const failed = cases.filter((text) => /<(failure|error)[ >]/.test(text)).length;
  const skipped = cases.filter((text) => text.includes("<skipped")).length;
  return { passed: cases.length - failed - skipped, failed, skipped };
}
