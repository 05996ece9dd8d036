/**
 * The parameters of a tool as command line flags: whatever the schema has, the command line has.
 *
 * @module
 */
import type { z } from "zod";
import type { Flag, FlagValues } from "./flags.ts";

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** The letters that pytest's own command line uses for the same. */
const SHORT: Readonly<Record<string, string>> = {
  failfast: "x",
  keywords: "k",
  markers: "m",
  show_locals: "l",
  verbosity: "v",
};

/** One flag for each parameter, `show_locals` as `--show-locals`. */
export function parameterFlags(schema: JsonSchema): Flag[] {
  return parameters(schema).map(([name, property]) => ({
    name: toFlagName(name),
    ...(SHORT[name] === undefined ? {} : { short: SHORT[name] }),
    ...(name === "verbosity" ? { counted: true } : {}),
    ...(property.type === "boolean" ? {} : { value: placeholder(property) }),
    // neither true nor false by default: each can be asked for
    ...(property.type === "boolean" && property.default === undefined ? { negatable: true } : {}),
    ...(property.type === "array" ? { multiple: true } : {}),
    help: describe(property),
  }));
}

/** What the flags ask for, in the tool's own words; whether it is allowed is for the schema to say. */
export function parametersFromFlags(
  values: FlagValues,
  schema: JsonSchema,
): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [name, property] of parameters(schema)) {
    const value = values[toFlagName(name)];
    if (value === undefined) continue;
    given[name] = typeof value === "string" && property.type !== "string"
      ? fromText(value, property)
      : value;
  }
  return given;
}

function parameters(schema: JsonSchema): [string, JsonSchema][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    typeof property === "boolean" ? [] : [[name, property]]
  );
}

function toFlagName(name: string): string {
  return name.replaceAll("_", "-");
}

/** A number, object or list is written as JSON; what is not JSON is a word. */
function fromText(text: string, property: JsonSchema): unknown {
  if (property.enum?.includes(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function placeholder(property: JsonSchema): string {
  if (property.enum !== undefined) return property.enum.join("|");
  switch (property.type) {
    case "integer":
    case "number":
      return "N";
    case "object":
      return "JSON";
    case "array":
    case "string":
      return "TEXT";
    default:
      return "VALUE";
  }
}

function describe({ description = "", default: fallback }: JsonSchema): string {
  return fallback === undefined || fallback === false
    ? description
    : `${description}; default ${fallback}`;
}
