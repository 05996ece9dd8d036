import type { ExecuteResult } from "./execute_result.ts";

type JsonReport = NonNullable<ExecuteResult["json_report"]>;

/** How much of pytest-json-report's report is passed on. */
export type JsonReportLevel = "whole" | "failures" | "crashes" | "none";

/** pytest-json-report's report, if it is the object that it should be. */
export function toJsonReport(report: unknown): JsonReport | null {
  return isObject(report) ? report : null;
}

/** The report without what a passing run repeats for every test; of failures, then, only the crash. */
export function shortenJsonReport(
  report: JsonReport | null,
  level: JsonReportLevel,
): JsonReport | null {
  if (level === "whole" || report === null) return report;
  if (level === "none") return null;
  const { collectors: _, ...kept } = report;
  const tests = kept["tests"];
  if (!Array.isArray(tests)) return kept;
  const failed = tests.filter((test) => !isObject(test) || test["outcome"] !== "passed");
  return { ...kept, tests: level === "failures" ? failed : failed.map(crashesOf) };
}

/** Name, place and outcome of a test, and where its phases failed. */
function crashesOf(test: unknown): unknown {
  if (!isObject(test)) return test;
  const { nodeid, lineno, outcome } = test;
  const phases = ["setup", "call", "teardown"].flatMap((phase) => {
    const told = test[phase];
    return isObject(told) && told["crash"] !== undefined ? [[phase, { crash: told["crash"] }]] : [];
  });
  return { nodeid, lineno, outcome, ...Object.fromEntries(phases) };
}

function isObject(value: unknown): value is JsonReport {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
