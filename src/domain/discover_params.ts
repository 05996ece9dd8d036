/**
 * The parameters of discover_tests: one schema for types, validation, defaults, descriptions and tools/list.
 *
 * @module
 */
import * as z from "zod";
import { hashRequest, readCursor } from "./discover_cursor.ts";
import { invalidParameters } from "./parameter_issue.ts";
import { onceFor } from "./once_for.ts";
import { type ParseOptions, parseParams, type Targets } from "./parse_params.ts";
import type { InvalidParameters, Outcome, ParameterIssue } from "./run_failure.ts";
import { choiceFields, selectionFields, toInputJsonSchema } from "./selection_params.ts";
import type { Settings } from "./settings.ts";

// A schema costs milliseconds to make, and zod makes it fast only from its second use on.
const schemaFor = onceFor((settings: Settings) => {
  const { path, ...selection } = selectionFields(settings);
  return z.strictObject({
    path: path.describe("Directory or file to look in, from the root"),
    ...selection,
    view: z.enum(["tests", "tree"]).default("tests")
      .describe("tree: file, class, function with its line or [line, number of parameters]"),
    limit: z.int().min(1).max(10_000).default(10_000)
      .describe("Entries a page; a page also ends where the response is full"),
    cursor: z.string().min(1).max(200)
      .describe("next_cursor of the page before, with otherwise the same parameters").optional(),
    ...choiceFields,
  });
});

/** The schema, within the limits that the person who started the server set. */
export function discoverInputSchema(settings: Settings): ReturnType<typeof schemaFor> {
  return schemaFor(settings);
}

/** Checked parameters: the path exists, is relative to the root and spelled with `/`. */
export type DiscoverParams = z.infer<ReturnType<typeof discoverInputSchema>> & Targets;

/** The JSON Schema for tools/list. */
export function discoverInputJsonSchema(settings: Settings): z.core.JSONSchema.JSONSchema {
  return toInputJsonSchema(discoverInputSchema(settings));
}

/** Checks a request; all that is wrong with it is reported at once. */
export function parseDiscoverParams(
  input: unknown,
  options: ParseOptions,
): Outcome<DiscoverParams> {
  const outcome = parseParams(input, discoverInputSchema(options.settings), {
    ...options,
    tool: "discover_tests",
    conflicts: [],
    token: {
      field: "cursor",
      isReadable: (text) => readCursor(text) !== null,
      toIssue: cursorIssue,
    },
  });
  if (!outcome.ok || outcome.result.cursor === undefined) return outcome;
  if (readCursor(outcome.result.cursor)?.request === hashRequest(outcome.result)) return outcome;
  return { ok: false, failure: foreignCursor(outcome.result.cursor) };
}

/** The refusal of a cursor that no page of this request has given. */
export function foreignCursor(cursor: string): InvalidParameters {
  return invalidParameters([cursorIssue(cursor)], { tool: "discover_tests" });
}

function cursorIssue(cursor: string): ParameterIssue {
  return {
    field: "cursor",
    message: "must be the next_cursor of a call with the same path, pattern, markers, keywords, " +
      `related_to, changed, shard and view, received ${JSON.stringify(cursor)}; ` +
      "start again without cursor",
    type: "foreign_cursor",
    received_value: cursor,
  };
}
