import type { Tool } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Settings } from "../domain/settings.ts";
import type { McpTool } from "./mcp_tool.ts";

/** Hosts that read this hint do not move a result of this size to a file. */
const RESULT_SIZE_HINT = 200_000;

/** The tool as `tools/list` shows it. */
export function toMcpTool(tool: McpTool, settings: Settings): Tool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: objectSchema.parse(toHostSchema(tool.inputSchema(settings))),
    outputSchema: objectSchema.parse(toOutputJsonSchema(tool.outputSchema)),
    annotations: tool.annotations,
    _meta: {
      "anthropic/maxResultSizeChars": Math.max(RESULT_SIZE_HINT, settings.maxResponseChars),
    },
  };
}

/**
 * Limits that descriptions tell and parsing keeps, but that make hosts refuse every tool of a request: Gemini
 * where the maxItems of all tools exceed about 960 together, llama.cpp where one length is beyond its grammars.
 */
const UPPER_SIZES: readonly string[] = ["maxItems", "maxLength"];

function toHostSchema(schema: object): unknown {
  return JSON.parse(JSON.stringify(
    schema,
    (key, value) => UPPER_SIZES.includes(key) ? undefined : withDefaultInWords(value),
  ));
}

const propertySchema = z.looseObject({
  description: z.string(),
  default: z.union([z.string(), z.number()]),
});

/** Codex and others drop the keyword; that a switch is off by default needs no words. */
function withDefaultInWords(schema: unknown): unknown {
  const { success, data } = propertySchema.safeParse(schema);
  if (!success) return schema;
  const description = `${data.description}. Default: ${data.default}`;
  return Object.assign({}, schema, { description });
}

const objectSchema = z.looseObject({
  type: z.literal("object"),
  properties: z.record(z.string(), z.json()),
});

/** The JSON Schema of a result, without what costs tokens and tells a model nothing. */
function toOutputJsonSchema(schema: z.ZodType): object {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: "output",
    override: ({ jsonSchema, path }) => {
      // The top-level keys are the promise; below it, the names are what is worth knowing.
      if (path.length > 0) delete jsonSchema.required;
      delete jsonSchema.minimum;
      delete jsonSchema.maximum;
      delete jsonSchema.propertyNames;
      // Closed objects would make every later key a break of the contract.
      if (isEmptyOrFalse(jsonSchema.additionalProperties)) delete jsonSchema.additionalProperties;
      const [value, nothing, ...others] = jsonSchema.anyOf ?? [];
      if (nothing?.type === "null" && others.length === 0 && typeof value?.type === "string") {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, value, { type: [value.type, "null"] });
      }
    },
  });
  return json;
}

function isEmptyOrFalse(schema: unknown): boolean {
  return schema === false ||
    (typeof schema === "object" && schema !== null && Object.keys(schema).length === 0);
}
