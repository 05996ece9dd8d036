import type { CallToolResult } from "@modelcontextprotocol/server";

/** The same facts twice: some hosts show their model only the one, some only the other. */
export function toMcpResult(result: object): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(result) }],
    structuredContent: { ...result },
  };
}
