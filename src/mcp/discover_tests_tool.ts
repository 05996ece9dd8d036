import { discoverInputJsonSchema, parseDiscoverParams } from "../domain/discover_params.ts";
import { discoverResultSchema } from "../domain/discover_result.ts";
import { discoverTests } from "../domain/discover_tests.ts";
import type { McpTool } from "./mcp_tool.ts";

/** Lists tests without running them. */
export const discoverTestsTool: McpTool = {
  name: "discover_tests",
  title: "List tests",
  description:
    "List the project's tests without running them: node ids, files, lines, collection errors. " +
    'view: "tree" costs least. Collection imports the test modules and conftest files, so their top-level code runs.',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  inputSchema: discoverInputJsonSchema,
  outputSchema: discoverResultSchema,
  async handle(input, context) {
    const params = parseDiscoverParams(input, context);
    return params.ok ? await discoverTests(params.result, context) : params;
  },
};
