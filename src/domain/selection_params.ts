/**
 * The parameters that both tools share: where to look and what to keep.
 *
 * @module
 */
import * as z from "zod";
import { checkKeywords, checkMarkers, type ExpressionProblem } from "./match_expression.ts";
import { onceFor } from "./once_for.ts";
import type { Settings } from "./settings.ts";

/** Room for thousands of names; pytest compiles an expression, which costs it far more memory than text does. */
const MOST_EXPRESSION_CHARS = 100_000;

function expression(check: (text: string) => ExpressionProblem | null): z.ZodString {
  return z.string().max(MOST_EXPRESSION_CHARS, { abort: true }).check((context) => {
    const problem = check(context.value);
    if (problem === null) return;
    context.issues.push({
      code: "custom",
      input: context.value,
      message: `cannot be read at position ${problem.position + 1}: ${problem.message}`,
      params: { type: "invalid_expression", position: problem.position },
    });
  });
}

/** As many parts as anybody has machines. */
const MOST_SHARDS = 1_000;

const shard = z.strictObject({
  index: z.int().min(1).max(MOST_SHARDS).describe("From 1"),
  total: z.int().min(1).max(MOST_SHARDS),
}).check(({ value, issues }) => {
  if (value.index <= value.total) return;
  issues.push({
    code: "custom",
    input: value,
    path: ["index"],
    message: `must be at most total, which is ${value.total}`,
    params: { type: "too_big" },
  });
});

/** The fields; `timeout` depends on what the person who started the server allows. */
export function selectionFields({ defaultTimeout, maxTimeout }: Settings) {
  return {
    path: z.string().max(4_096).optional(),
    pattern: z.string().max(1_000)
      // Spelled out, because llama.cpp refuses every tool of a request in which one has a \w.
      .regex(/^[A-Za-z0-9_*?.\[\]-]+$/, "must hold only letters, digits and _ * ? . [ ] -")
      .describe("Test file pattern instead of the project's: check_*.py").optional(),
    markers: expression(checkMarkers).describe('-m expression: "slow and not db"').optional(),
    keywords: expression(checkKeywords).describe('-k expression: "login or logout"').optional(),
    timeout: z.int().min(1).max(maxTimeout).default(Math.min(defaultTimeout, maxTimeout))
      .describe("Seconds"),
  };
}

/** The fields that leave the choice of tests to the server. */
export const choiceFields = {
  related_to: z.array(z.string().min(1).max(4_096)).min(1).max(1_000)
    .describe("Up to 1,000 changed files: only the tests that they can affect, found statically")
    .optional(),
  changed: z.boolean().default(false)
    .describe("The same for all files that git shows as changed since HEAD"),
  shard: shard.describe("One of `total` parts of the tests, split by file").optional(),
};

const jsonSchemaOf = onceFor((schema: z.ZodObject): z.core.JSONSchema.JSONSchema => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      // zod writes the bounds of a safe integer where there is no bound.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return json;
});

/** The JSON Schema of a tool's parameters: one flat object, as every client reads it. */
export function toInputJsonSchema(schema: z.ZodObject): z.core.JSONSchema.JSONSchema {
  return jsonSchemaOf(schema);
}
