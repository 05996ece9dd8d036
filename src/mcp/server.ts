import {
  type Implementation,
  type JSONRPCRequest,
  ProtocolError,
  type Result,
  Server,
  type ServerContext,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import { auditRefusal } from "./audited.ts";
import { fromSchemaError } from "./from_schema_error.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { unknownMethod } from "./known_methods.ts";
import { findUnsupportedVersion, LEGACY_VERSIONS } from "./protocol_version.ts";
import { refuseCursor } from "./refuse_cursor.ts";
import { guardNodeStdout } from "./stdout_guard.ts";
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
  }, connection);
  const guard = guardAgainstBugs(connection);
  const list = <Answer>(answer: () => Promise<Answer>) =>
    guard((request: Parameters<typeof refuseCursor>[0]) => {
      refuseCursor(request);
      return answer();
    });
  // What answers a request is loaded when one comes: otherwise the start would pay for all of it.
  server.setRequestHandler(
    "tools/list",
    list(async () => ({ tools: (await import("./list_tools.ts")).listTools(settings) })),
  );
  server.setRequestHandler(
    "tools/call",
    guard(async (request, context) => {
      const [{ callTool }] = await Promise.all([import("./call_tool.ts"), guardNodeStdout()]);
      return callTool(request, context, connection);
    }),
  );
  server.setRequestHandler(
    "resources/list",
    list(async () => (await import("./resources.ts")).listResources()),
  );
  server.setRequestHandler(
    "resources/templates/list",
    list(() => Promise.resolve({ resourceTemplates: [] })),
  );
  server.setRequestHandler(
    "resources/read",
    guard(async (request, context) =>
      (await import("./resources.ts")).readResource(request, context, connection)
    ),
  );
  server.setRequestHandler(
    "prompts/list",
    list(async () => (await import("./prompts.ts")).listPrompts()),
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

/** Refuses what the SDK lets through, and names every field that breaks the protocol's schemas. */
class PytestServer extends Server {
  readonly #connection: Connection;

  constructor(info: Implementation, options: ServerOptions, connection: Connection) {
    super(info, options);
    this.#connection = connection;
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      const { era } = this.#connection;
      const unsupported = era === "modern" ? findUnsupportedVersion(context) : null;
      if (unsupported !== null) throw this.#refuse(request, unsupported, "unsupported_version");
      try {
        return await wrapped(request, context);
      } catch (error) {
        // Handlers throw only errors with data: what has none comes from the schemas.
        if (error instanceof ProtocolError && error.data !== undefined) throw error;
        const complaint = error instanceof Error ? error.message : String(error);
        const failure = fromSchemaError(request, complaint);
        throw this.#refuse(request, toMcpError(failure), failure.kind);
      }
    };
  }

  /** A call that no tool gets to see is in the audit log all the same. */
  #refuse({ method, params }: JSONRPCRequest, error: ProtocolError, reason: string): ProtocolError {
    if (method === "tools/call") {
      const tool = typeof params?.["name"] === "string" ? params["name"] : "";
      const call = { tool, parameters: params?.["arguments"] };
      auditRefusal(call, reason, this.#connection);
    }
    return error;
  }
}
