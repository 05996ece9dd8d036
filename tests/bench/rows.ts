/**
 * The rows of the table.
 *
 * @module
 */
import type { RowEnvironment } from "./contenders.ts";
import { deepFailures, fastTests, parametrisedTests, type ProjectText } from "./projects.ts";

/** What a row measures. */
export interface Row {
  /** for --rows */
  readonly name: string;
  readonly title: string;
  readonly measures: "run" | "discover" | "start" | "start-bundled" | "memory";
  readonly unit: "ms" | "MB";
  readonly environment: RowEnvironment;
  readonly project: () => ProjectText;
  /** what every right answer says */
  readonly answer: RegExp;
  /** by default */
  readonly rounds: number;
}

function run(
  name: string,
  count: number,
  more: Partial<Row> & Pick<Row, "title" | "rounds">,
): Row {
  return {
    name,
    measures: "run",
    unit: "ms",
    environment: "pytest9",
    project: () => fastTests(count),
    answer: outcome("passed", count),
    ...more,
  };
}

function discovery(name: string, count: number, more: Pick<Row, "title" | "rounds">): Row {
  return {
    name,
    measures: "discover",
    unit: "ms",
    environment: "pytest9",
    project: () => parametrisedTests(count),
    answer: new RegExp(`"count\\\\?": ?${count}\\b|\\b${count} tests collected`),
    ...more,
  };
}

/** As JSON within JSON, as JSON, or as pytest's last line says it. */
function outcome(word: string, count: number): RegExp {
  return new RegExp(`"${word}\\\\?": ?${count}\\b|\\b${count} ${word}`);
}

function still(
  name: string,
  measures: "start" | "start-bundled" | "memory",
  more: Pick<Row, "title" | "rounds" | "unit">,
): Row {
  return {
    name,
    measures,
    environment: "pytest9",
    project: () => fastTests(1),
    answer: /^/,
    ...more,
  };
}

/** Every row, in the order of the table. */
export const ROWS: readonly Row[] = [
  run("1", 1, { title: "one test", rounds: 15 }),
  run("100", 100, { title: "100 tests", rounds: 15 }),
  run("2000", 2_000, { title: "2,000 tests", rounds: 9 }),
  run("20000", 20_000, { title: "20,000 tests", rounds: 5 }),
  run("deep", 200, {
    title: "200 failures deep in a library",
    rounds: 7,
    environment: "packages",
    project: () => deepFailures(200),
    answer: outcome("failed", 200),
  }),
  run("hypothesis", 1, {
    title: "one test, hypothesis installed",
    rounds: 15,
    environment: "bench_hypothesis",
  }),
  discovery("discover-10000", 10_000, { title: "discovery of 10,000", rounds: 7 }),
  discovery("discover-100000", 100_000, { title: "discovery of 100,000", rounds: 5 }),
  still("start", "start", { title: "start to initialize, from source", rounds: 15, unit: "ms" }),
  still("start-bundled", "start-bundled", {
    title: "start to initialize, bundled as shipped",
    rounds: 15,
    unit: "ms",
  }),
  still("memory", "memory", { title: "memory at rest", rounds: 5, unit: "MB" }),
];
