import { discoverTestsTool } from "./discover_tests_tool.ts";
import { executeTestsTool } from "./execute_tests_tool.ts";
import type { McpTool } from "./mcp_tool.ts";

/** Every tool, in the order in which an agent sees them. */
export const TOOLS: readonly McpTool[] = [executeTestsTool, discoverTestsTool];
