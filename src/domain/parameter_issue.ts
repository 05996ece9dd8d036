/**
 * What is wrong with a request, in words that an agent can act on.
 *
 * @module
 */
import type { z } from "zod";
import { clipEnd, joinWithin } from "./clip.ts";
import { jsonText, TOO_DEEP } from "./json_text.ts";
import { nearest } from "./nearest.ts";
import type { InvalidParameters, ParameterIssue } from "./run_failure.ts";

/** A tool's name and the JSON Schema of its parameters, from which messages say what is allowed. */
export interface ToolParameters {
  readonly tool: string;
  readonly schema: z.core.JSONSchema.JSONSchema;
}

/** A message stays readable and below the 4,000 characters that the contract grants it. */
const MESSAGE_CHARS = 3_500;

/** Long values are shown by their beginning: the agent knows what it sent. */
const VALUE_CHARS = 200;

/** Problems that are looked for: more of them have one cause, and each costs time and room in the answer. */
export const MAX_ISSUES = 100;

/** Translates what zod found; an issue about several unknown parameters becomes one for each. */
export function fromZodIssue(
  issue: z.core.$ZodIssue,
  input: unknown,
  { schema }: ToolParameters,
): ParameterIssue[] {
  if (issue.code === "unrecognized_keys") {
    const known = Object.keys(schemaAt(schema, issue.path).properties ?? {});
    return issue.keys.slice(0, MAX_ISSUES).map((key) => {
      const path = [...issue.path, key];
      return { ...unknownParameter(key, valueAt(input, path), known), field: path.join(".") };
    });
  }
  const received = valueAt(input, issue.path);
  const own = issue.code === "custom" || issue.code === "invalid_format";
  const problem = own ? issue.message : `must be ${describeAllowed(schemaAt(schema, issue.path))}`;
  return [{
    field: issue.path.join("."),
    message: `${problem}, received ${describeValue(received)}`,
    type: issue.code === "custom" ? String(issue.params?.["type"] ?? issue.code) : issue.code,
    received_value: shortenValue(received),
  }];
}

function unknownParameter(key: string, value: unknown, known: readonly string[]): ParameterIssue {
  const [close] = nearest(key, known, 1);
  return {
    field: key,
    message: `unknown parameter${close === undefined ? "" : `, did you mean '${close}'?`} ` +
      `(known: ${known.join(", ")})`,
    type: "unknown_parameter",
    received_value: shortenValue(value),
  };
}

function schemaAt(
  schema: z.core.JSONSchema.JSONSchema,
  path: readonly PropertyKey[],
): z.core.JSONSchema.JSONSchema {
  let found = schema;
  for (const key of path) {
    const next = typeof key === "number" ? found.items : found.properties?.[String(key)];
    if (typeof next !== "object" || Array.isArray(next)) return {};
    found = next;
  }
  return found;
}

function describeAllowed(schema: z.core.JSONSchema.JSONSchema): string {
  if (schema.enum !== undefined) {
    const values = schema.enum.map((value) => JSON.stringify(value)).join(", ");
    return schema.enum.length === 1 ? values : `one of ${values}`;
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(describeAllowed).join(" or ");
  switch (schema.type) {
    case "integer":
      return schema.maximum === undefined
        ? `an integer of at least ${schema.minimum}`
        : `an integer from ${schema.minimum} to ${schema.maximum}`;
    case "number":
      return `a number from ${schema.minimum} to ${schema.maximum}`;
    case "boolean":
      return "true or false";
    case "array":
      return `an array of ${schema.minItems} to ${schema.maxItems} strings`;
    case "string":
      return schema.maxLength === undefined
        ? "a string"
        : `a string of ${schema.minLength ?? 0} to ${schema.maxLength} characters`;
    case "object":
      return schema.properties === undefined
        ? "an object"
        : `an object with ${Object.keys(schema.properties).join(", ")}`;
    default:
      return "an object of parameters";
  }
}

/** A value as a message shows it. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return clipEnd(jsonText(value), VALUE_CHARS);
}

/** A value as `received_value` carries it: bounded, since it goes back over the wire. */
export function shortenValue(value: unknown): unknown {
  if (typeof value === "string") return clipEnd(value, 4_096);
  const text = jsonText(value);
  return text.length <= 4_096 && text !== TOO_DEEP ? value ?? null : clipEnd(text, 4_096);
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Object.getOwnPropertyDescriptor(value, key)?.value;
  }
  return value;
}

/** All issues of a request as one failure whose message stands alone. */
export function invalidParameters(
  issues: readonly ParameterIssue[],
  { tool }: Pick<ToolParameters, "tool">,
): InvalidParameters {
  const lines = issues.map(({ field, message }) => field === "" ? message : `${field}: ${message}`);
  const head = lines.length === 1
    ? `Invalid parameters for ${tool}: `
    : `Invalid parameters for ${tool}, ${
      lines.length < MAX_ISSUES ? "" : "the first "
    }${lines.length} problems:\n- `;
  const text = joinWithin(lines, "\n- ", MESSAGE_CHARS);
  return {
    kind: "invalid_parameters",
    message: `${head}${text}${lines.length === 1 ? "." : "\n"} Nothing was run.`.replace(
      "\n ",
      "\n",
    ),
    issues,
  };
}
