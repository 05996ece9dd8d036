import type { Tool } from "@modelcontextprotocol/server";
import { onceFor } from "../domain/once_for.ts";
import type { Settings } from "../domain/settings.ts";
import { toMcpTool } from "./to_mcp_tool.ts";
import { TOOLS } from "./tools.ts";

/** Every tool, as `tools/list` shows it; made once, because schemas take milliseconds. */
export const listTools: (settings: Settings) => Tool[] = onceFor((settings) =>
  TOOLS.map((tool) => toMcpTool(tool, settings))
);
