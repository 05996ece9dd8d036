/** How many tests of a run passed and failed. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/** Counts the tests and steps in a JUnit report as Deno writes it; ignored ones are in neither count. */
export function countTests(junit: string): TestCounts {
  const cases = junit.split("<testcase ").slice(1);
  const failed = cases.filter((text) => /<(failure|error)[ >]/.test(text)).length;
  const ignored = cases.filter((text) => text.includes("<skipped")).length;
  return { passed: cases.length - failed - ignored, failed };
}
