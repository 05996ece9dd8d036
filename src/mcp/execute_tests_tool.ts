import { executeInputJsonSchema, parseExecuteParams } from "../domain/execute_params.ts";
import { executeResultSchema } from "../domain/execute_result.ts";
import { executeTests } from "../domain/execute_tests.ts";
import type { McpTool } from "./mcp_tool.ts";

/** Runs tests. */
export const executeTestsTool: McpTool = {
  name: "execute_tests",
  title: "Run tests",
  description:
    "Run pytest in the project and get counts, failures by root cause with lean tracebacks, " +
    "and collection errors. Without parameters: all tests. Passing tests are only counted unless verbosity is 1 or 2.",
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  inputSchema: executeInputJsonSchema,
  outputSchema: executeResultSchema,
  async handle(input, context) {
    const params = parseExecuteParams(input, context);
    return params.ok ? await executeTests(params.result, context) : params;
  },
};
