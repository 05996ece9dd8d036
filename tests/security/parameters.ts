/**
 * Requests of both tools as a generator makes them: each field absent, ordinary or hostile.
 *
 * @module
 */
import fc from "fast-check";
import type { ProjectFiles } from "../../src/domain/project_files.ts";
import { type AttackTargets, HOSTILE_KEYS, HOSTILE_VALUES, hostileText } from "./attacks.ts";

const TARGETS: AttackTargets = { outside: "/outside" };

const text = hostileText(TARGETS);
const expression = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("slow", "not (a or b)", "-p", "a and b", "x(y='-p')") },
  {
    weight: 2,
    arbitrary: fc.stringMatching(/^[\w:+\-.[\]\\/]{1,12}( (or|and) [\w\-/]{1,9}){0,2}$/),
  },
  { weight: 1, arbitrary: text },
);
const pattern = fc.oneof(fc.stringMatching(/^[\w*?.[\]-]{1,20}$/), text);

const small = fc.integer({ min: -3, max: 4_000 });
const texts = fc.array(text, { maxLength: 5 });
const selection = {
  path: text,
  pattern,
  markers: expression,
  keywords: expression,
  related_to: texts,
  changed: fc.boolean(),
  shard: fc.oneof(fc.record({ index: small, total: small }), fc.dictionary(text, text)),
};

const executeFields = {
  ...selection,
  node_ids: texts,
  timeout: small,
  verbosity: fc.integer({ min: -3, max: 3 }),
  failfast: fc.boolean(),
  maxfail: small,
  show_capture: fc.boolean(),
  color: fc.boolean(),
  traceback: fc.oneof(fc.constantFrom("lean", "short", "long", "native"), text),
  show_locals: fc.boolean(),
  include_json_report: fc.boolean(),
  parallel: fc.oneof(fc.constant("auto"), small, text),
  last_failed: fc.boolean(),
  failed_first: fc.boolean(),
  time_budget: small,
  resume_after: text,
  repeat: small,
  coverage: fc.oneof(
    fc.record(
      { paths: texts, branch: fc.boolean(), fail_under: small, changed_only: fc.boolean() },
      { requiredKeys: [] },
    ),
    fc.dictionary(text, text),
  ),
  durations: small,
};

const discoverFields = {
  ...selection,
  timeout: small,
  view: fc.oneof(fc.constantFrom("tests", "tree"), text),
  limit: fc.integer({ min: -1, max: 20_000 }),
  cursor: text,
};

/** Few fields at once, or hardly any request would pass. */
function fewOf(
  fields: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<Record<string, unknown>> {
  return fc.subarray(Object.keys(fields), { maxLength: 4 }).chain((names) =>
    fc.record(Object.fromEntries(names.map((name) => [name, fields[name] ?? fc.constant(null)])))
  );
}

/** Requests of execute_tests. */
export const executeInput: fc.Arbitrary<Record<string, unknown>> = fewOf(executeFields);

/** Requests of discover_tests. */
export const discoverInput: fc.Arbitrary<Record<string, unknown>> = fewOf(discoverFields);

const key = fc.constantFrom(
  ...HOSTILE_KEYS,
  ...Object.keys(executeFields),
  ...Object.keys(discoverFields),
);

/** Any JSON, with keys and values that JavaScript could stumble over. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...HOSTILE_VALUES),
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map(jsonObject),
  ),
})).value;

/** As JSON.parse() makes it: `__proto__` becomes a key of its own. */
function jsonObject(entries: readonly (readonly [string, unknown])[]): unknown {
  const members = entries.map(([name, value]) =>
    `${JSON.stringify(name)}:${JSON.stringify(value) ?? "null"}`
  );
  return JSON.parse(`{${members.join(",")}}`);
}

/** A project in which every path exists and leads nowhere else: only the name of a path can be refused. */
export function everythingExists(platform: ProjectFiles["platform"]): ProjectFiles {
  const root = platform === "windows" ? "C:\\work\\project" : "/code/project";
  const separator = platform === "windows" ? "\\" : "/";
  return {
    root,
    platform,
    inspect: (path) => ({
      realPath: path === "." ? root : root + separator + path.replaceAll("/", separator),
      isDirectory: path.length % 2 === 0,
    }),
    list: () => [],
  };
}
