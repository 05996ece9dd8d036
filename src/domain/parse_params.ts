import type { z } from "zod";
import {
  describeValue,
  fromZodIssue,
  invalidParameters,
  MAX_ISSUES,
  shortenValue,
} from "./parameter_issue.ts";
import type { ProjectFiles } from "./project_files.ts";
import { checkMeasuredPath, checkNodeId, checkPath } from "./project_path.ts";
import type { Outcome, ParameterIssue } from "./run_failure.ts";
import { toInputJsonSchema } from "./selection_params.ts";
import type { Settings } from "./settings.ts";

/** What a request is checked against. */
export interface ParseOptions {
  readonly settings: Settings;
  readonly files: ProjectFiles;
}

/** The files and directories that a request's `node_ids` or `path` name, relative to the root. */
export interface Targets {
  readonly targets: readonly string[];
}

interface ToolRules extends ParseOptions {
  readonly tool: string;
  /** pairs of parameters that exclude each other */
  readonly conflicts: readonly (readonly [string, string])[];
  /** the text of ours that a request may bring back, and what is wrong with one that no answer has given */
  readonly token: {
    readonly field: string;
    readonly isReadable: (text: string) => boolean;
    readonly toIssue: (text: string) => ParameterIssue;
  };
}

/** Checks a request against a tool's schema, then its paths and conflicts: everything wrong is found at once. */
export function parseParams<T extends z.ZodObject>(
  input: unknown,
  schema: T,
  rules: ToolRules,
): Outcome<z.infer<T> & Targets> {
  const names = { tool: rules.tool, schema: toInputJsonSchema(schema) };
  const given = withoutNulls(input ?? {}, names.schema);
  const parsed = schema.safeParse(given);
  const issues = parsed.error?.issues.slice(0, MAX_ISSUES)
    .flatMap((issue) => fromZodIssue(issue, given, names)) ?? [];
  const fields = new Map(Object.entries(given ?? {}));
  const wrong = new Set(issues.map((issue) => issue.field));
  issues.push(...findConflicts(fields, rules));
  const token = fields.get(rules.token.field);
  if (
    typeof token === "string" && !wrong.has(rules.token.field) && !rules.token.isReadable(token)
  ) {
    issues.push(rules.token.toIssue(token));
  }
  const paths = checkPaths(fields, wrong, rules);
  issues.push(...paths.issues);
  if (!parsed.success || issues.length > 0) {
    return { ok: false, failure: invalidParameters(issues.slice(0, MAX_ISSUES), names) };
  }
  const { targets, ...spelled } = paths.checked;
  return { ok: true, result: { ...schema.parse({ ...parsed.data, ...spelled }), targets } };
}

/** Some clients write every parameter there is, with null for those that nobody gave. */
function withoutNulls(given: unknown, { properties = {} }: z.core.JSONSchema.JSONSchema): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  const entries = Object.entries(given).flatMap(([name, value]: [string, unknown]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (typeof known !== "object" || typeof value !== "object") return [[name, value]];
    return value === null ? [] : [[name, withoutNulls(value, known)]];
  });
  return Object.fromEntries(entries);
}

function findConflicts(fields: Map<string, unknown>, { conflicts }: ToolRules): ParameterIssue[] {
  return conflicts.flatMap(([first, second]) => {
    const value = fields.get(first);
    if (!asksForSomething(value) || !asksForSomething(fields.get(second))) return [];
    return [{
      field: first,
      message: `cannot be given together with ${second}; leave one of them out`,
      type: "conflict",
      received_value: shortenValue(value),
    }];
  });
}

/** `false` asks for nothing, so it excludes nothing. */
function asksForSomething(value: unknown): boolean {
  return value !== undefined && value !== false;
}

interface CheckedPaths extends Targets {
  path?: string;
  node_ids?: string[];
  related_to?: string[];
  coverage?: Record<string, unknown>;
}

function checkPaths(
  fields: Map<string, unknown>,
  wrong: ReadonlySet<string>,
  rules: ToolRules,
): { issues: ParameterIssue[]; checked: CheckedPaths } {
  const files = memoize(rules.files);
  const issues: ParameterIssue[] = [];
  const checked: CheckedPaths = { targets: [] };
  const accept = (field: string, value: unknown, check: typeof checkPath) => {
    if (typeof value !== "string" || wrong.has(field) || issues.length >= MAX_ISSUES) return [];
    const result = check(value, files);
    if (result.ok) return [result];
    issues.push({
      field,
      message: `${result.message}, received ${describeValue(value)}`,
      type: result.type,
      received_value: shortenValue(value),
    });
    return [];
  };
  const acceptAll = (field: string, values: unknown, check: typeof checkPath) => {
    if (!Array.isArray(values) || wrong.has(field)) return undefined;
    return values.flatMap((value, at) => accept(`${field}.${at}`, value, check));
  };
  const [path] = accept("path", fields.get("path"), checkPath);
  if (path !== undefined) checked.path = path.path;
  const nodes = acceptAll("node_ids", fields.get("node_ids"), checkNodeId);
  if (nodes !== undefined) checked.node_ids = distinct(nodes.map(({ path, rest }) => path + rest));
  const related = acceptAll("related_to", fields.get("related_to"), checkPath);
  if (related !== undefined) checked.related_to = distinct(related.map(({ path }) => path));
  const coverage = fields.get("coverage");
  if (typeof coverage === "object" && coverage !== null && "paths" in coverage) {
    const measured = acceptAll("coverage.paths", coverage.paths, checkMeasuredPath);
    if (measured !== undefined) {
      checked.coverage = { ...coverage, paths: distinct(measured.map(({ path }) => path)) };
    }
  }
  const named = [...(path === undefined ? [] : [path]), ...(nodes ?? [])];
  return { issues, checked: { ...checked, targets: distinct(named.map(({ path }) => path)) } };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** Thousands of node ids share a few files: each is looked at once. */
function memoize(files: ProjectFiles): ProjectFiles {
  const seen = new Map<string, ReturnType<ProjectFiles["inspect"]>>();
  const listed = new Map<string, ReturnType<ProjectFiles["list"]>>();
  return {
    root: files.root,
    ...(files.namedRoot === undefined ? {} : { namedRoot: files.namedRoot }),
    platform: files.platform,
    inspect(path) {
      let found = seen.get(path);
      if (found === undefined) {
        found = files.inspect(path);
        seen.set(path, found);
      }
      return found;
    },
    list(directory) {
      const entries = listed.get(directory) ?? files.list(directory);
      listed.set(directory, entries);
      return entries;
    },
  };
}
