import type { CallToolRequest, CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import type { Outcome } from "../domain/run_failure.ts";
import { audited, auditRefusal } from "./audited.ts";
import { unknownName } from "./known_methods.ts";
import type { McpTool } from "./mcp_tool.ts";
import { ProgressReporter } from "./progress.ts";
import type { Connection } from "./serve_options.ts";
import { toMcpError } from "./to_mcp_error.ts";
import { toMcpResult } from "./to_mcp_result.ts";
import { TOOLS } from "./tools.ts";
import { track } from "./track.ts";

/** Answers `tools/call`: with a result, or with an error whose message stands alone. */
export async function callTool(
  request: CallToolRequest,
  context: ServerContext,
  connection: Connection,
): Promise<CallToolResult> {
  const { name, arguments: input = {} } = request.params;
  const tool = TOOLS.find((tool) => tool.name === name);
  if (tool === undefined) {
    auditRefusal({ tool: name, parameters: input }, "unknown_tool", connection);
    throw unknownName("tool", name, TOOLS.map((tool) => tool.name));
  }
  const outcome = await track(
    connection,
    context,
    (signal) => runTool(tool, input, { connection, context, signal }),
  );
  if (!outcome.ok) throw toMcpError(outcome.failure);
  return toMcpResult(outcome.result);
}

interface Call {
  readonly connection: Connection;
  readonly context: ServerContext;
  readonly signal: AbortSignal;
}

async function runTool(tool: McpTool, input: unknown, call: Call): Promise<Outcome<object>> {
  const { files, settings } = call.connection;
  const progress = reporterFor(call.context);
  const { signal: cancelled } = call.context.mcpReq;
  // Tests can outlast their cancellation; the client has forgotten the token by then.
  cancelled.addEventListener("abort", () => void progress?.stop(), { once: true });
  const watch = progress === undefined ? {} : { onProgress: progress.report.bind(progress) };
  try {
    return await audited(
      { tool: tool.name, parameters: input },
      call.connection,
      (runner) => tool.handle(input, { runner, files, settings, signal: call.signal, ...watch }),
    );
  } finally {
    await progress?.stop();
  }
}

/** Progress only for who asked: a token came with the request. */
function reporterFor(context: ServerContext): ProgressReporter | undefined {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return new ProgressReporter((progress) =>
    context.mcpReq.notify({
      method: "notifications/progress",
      params: { progressToken, ...progress },
    })
  );
}
