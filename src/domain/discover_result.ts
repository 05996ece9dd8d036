/**
 * The result of discover_tests, exactly as it goes to the agent.
 *
 * @module
 */
import * as z from "zod";
import { collectionErrorSchema, selectionSchema } from "./execute_result.ts";

/** One test; null for what an item of its kind does not have. */
export const discoveredTestSchema = z.strictObject({
  node_id: z.string(),
  module: z.string().nullable(),
  class: z.string().nullable(),
  function: z.string().nullable(),
  file: z.string().nullable(),
  line: z.int().nullable(),
});
export type DiscoveredTest = z.infer<typeof discoveredTestSchema>;

const line = z.int().nullable();

/** file → class ("" for none) → function → its line, or its line and number of parameter sets */
export const testTreeSchema = z.record(
  z.string(),
  z.record(z.string(), z.record(z.string(), z.union([line, z.array(line)]))),
);
export type TestTree = z.infer<typeof testTreeSchema>;

/** The whole result: six keys, always there, in this order; then what was asked for. */
export const discoverResultSchema = z.strictObject({
  tests: z.array(discoveredTestSchema),
  count: z.int().min(0),
  collection_errors: z.array(collectionErrorSchema),
  files: z.record(z.string(), z.int()),
  tree: testTreeSchema.nullable(),
  next_cursor: z.string().nullable(),
  selection: selectionSchema.optional(),
});
export type DiscoverResult = z.infer<typeof discoverResultSchema>;
