import {
  type JSONRPCRequest,
  ProtocolError,
  type Result,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { fromSchemaError } from "./from_schema_error.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { unknownMethod } from "./known_methods.ts";
import { LEGACY_VERSIONS } from "./protocol_version.ts";
import type { Connection } from "./serve_options.ts";
import { toMcpBug, toMcpError } from "./to_mcp_error.ts";

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/** The server of one connection. Cheap, and without side effects: a probe may throw it away. */
export function createServer(connection: Connection): Server {
  const { era, settings, version } = connection;
  const server = new PytestServer({ name: "pytest-mcp", title: "pytest", version }, {
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    instructions: INSTRUCTIONS,
    supportedProtocolVersions: [...LEGACY_VERSIONS],
  });
  const guard = guardAgainstBugs(connection);
  // What answers a request is loaded when one comes: otherwise the start would pay for all of it.
  server.setRequestHandler(
    "tools/list",
    guard(async () => ({ tools: (await import("./list_tools.ts")).listTools(settings) })),
  );
  server.setRequestHandler(
    "tools/call",
    guard(async (request, context) =>
      (await import("./call_tool.ts")).callTool(request, context, connection)
    ),
  );
  server.setRequestHandler(
    "resources/list",
    guard(async () => (await import("./resources.ts")).listResources()),
  );
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  server.setRequestHandler(
    "resources/read",
    guard(async (request, context) =>
      (await import("./resources.ts")).readResource(request, context, connection)
    ),
  );
  server.setRequestHandler(
    "prompts/list",
    guard(async () => (await import("./prompts.ts")).listPrompts()),
  );
  server.setRequestHandler(
    "prompts/get",
    guard(async (request) => (await import("./prompts.ts")).getPrompt(request)),
  );
  server.setRequestHandler(
    "completion/complete",
    guard(async (request, context) =>
      (await import("./complete.ts")).complete(request, context, connection)
    ),
  );
  server.fallbackRequestHandler = (request) => Promise.reject(unknownMethod(request.method, era));
  return server;
}

/** Makes every error that a handler did not choose a bug of ours: logged, and named as such. */
function guardAgainstBugs({ log, showStacks }: Connection) {
  return <Arguments extends unknown[], Answer>(
    handler: (...args: Arguments) => Answer | Promise<Answer>,
  ) =>
  async (...args: Arguments): Promise<Answer> => {
    try {
      return await handler(...args);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      log.error("bug", { error: error instanceof Error ? error.stack : String(error) });
      throw toMcpBug(error, { showStack: showStacks });
    }
  };
}

/** Names every field that breaks the protocol's schemas; the SDK calls most of them an internal error. */
class PytestServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        // Handlers throw only errors with data: what has none comes from the schemas.
        if (error instanceof ProtocolError && error.data !== undefined) throw error;
        const complaint = error instanceof Error ? error.message : String(error);
        throw toMcpError(fromSchemaError(request, complaint));
      }
    };
  }
}
