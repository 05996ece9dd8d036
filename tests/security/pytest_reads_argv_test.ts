import fc from "fast-check";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { parseDiscoverParams } from "../../src/domain/discover_params.ts";
import { parseExecuteParams } from "../../src/domain/execute_params.ts";
import { buildDiscoverArgs, buildPytestArgs } from "../../src/domain/pytest_args.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { chosenEnvironments, environment } from "../support/environments.ts";
import { PROPERTY_RUNS } from "../support/property_runs.ts";
import { type AskedFor, assertPathBelowRoot } from "./argv_grammar.ts";
import { discoverInput, everythingExists, executeInput } from "./parameters.ts";

const SCRIPT = fileURLToPath(new URL("./read_argv.py", import.meta.url));

/** What pytest calls the options that a request may set, beside those that carry text of the request. */
const HARMLESS = new Set([
  "continue_on_collection_errors",
  "no_summary",
  "verbose",
  "tbstyle",
  "showlocals",
  "showcapture",
  "color",
  "maxfail",
  "collectonly",
  "quiet",
  "lf",
  "failedfirst",
  "numprocesses",
  "cov_report",
  "cov_branch",
  "cov_fail_under",
]);

const readingSchema = z.object({
  changed: z.record(z.string(), z.unknown()),
  unknown: z.array(z.string()),
  opened: z.array(z.string()),
});

/** Each costs pytest a millisecond. */
const SAMPLES = PROPERTY_RUNS / 10;

interface Sample {
  readonly args: readonly string[];
  readonly asked: AskedFor;
}

function samples(): Sample[] {
  const options = { settings: DEFAULT_SETTINGS, files: everythingExists("posix") };
  const runs = [{ markers: "--" }, { keywords: "--" }, ...fc.sample(executeInput, SAMPLES)].flatMap(
    (input) => {
      const params = parseExecuteParams(input, options);
      return params.ok ? [{ args: buildPytestArgs(params.result).args, asked: params.result }] : [];
    },
  );
  const discoveries = fc.sample(discoverInput, SAMPLES).flatMap((input) => {
    const params = parseDiscoverParams(input, options);
    return params.ok ? [{ args: buildDiscoverArgs(params.result).args, asked: params.result }] : [];
  });
  return [...runs, ...discoveries];
}

async function readWithPytest(python: string, lists: readonly (readonly string[])[]) {
  const child = new Deno.Command(python, {
    args: [SCRIPT],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = lists.map((args) => `${JSON.stringify(args)}\n`).join("");
  const [output] = await Promise.all([
    child.output(),
    new Response(lines).body?.pipeTo(child.stdin),
  ]);
  const text = new TextDecoder().decode(output.stdout);
  return text.trimEnd().split("\n").map((line) => readingSchema.parse(JSON.parse(line)));
}

for (const name of chosenEnvironments()) {
  Deno.test(`${name} reads no option, plugin, setting or file into the arguments of a hostile request`, async () => {
    const { python } = await environment(name);
    const all = samples();
    const readings = await readWithPytest(python, all.map((sample) => sample.args));
    assert.equal(readings.length, all.length);
    readings.forEach(({ changed, unknown, opened }, at) => {
      const { args, asked } = all[at] ?? assert.fail();
      const { file_or_dir, cov_source, keyword, markexpr, override_ini, ...others } = changed;
      const context = JSON.stringify(args);
      assert.deepEqual(unknown, [], context);
      assert.deepEqual(opened, [], context);
      assert.deepEqual(Object.keys(others).filter((option) => !HARMLESS.has(option)), [], context);
      assert.equal(textOf(keyword), textOf(asked.keywords), context);
      assert.equal(textOf(markexpr), textOf(asked.markers), context);
      const settings = asked.pattern === undefined ? [] : [`python_files=${asked.pattern}`];
      assert.deepEqual(override_ini ?? [], settings, context);
      pathsOf(file_or_dir).forEach(assertPathBelowRoot);
      // A bare --cov has no value: pytest-cov measures what the project's settings name.
      pathsOf(cov_source).forEach(assertPathBelowRoot);
    });
  });
}

function pathsOf(option: unknown): string[] {
  const values = z.array(z.union([z.string(), z.literal(true)])).parse(option ?? []);
  return values.filter((value) => value !== true);
}

function textOf(expression: unknown): string {
  return z.string().default("").parse(expression).trim();
}
