import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { clipEnd } from "../domain/clip.ts";
import type { RunFailure } from "../domain/run_failure.ts";

/** JSON-RPC's code for errors of the server's own making. */
export const EXECUTION_FAILED = -32000;

/** Under 4,000: hosts cut longer ones themselves, and not at the best place. */
const MAX_MESSAGE_CHARS = 3_999;

/** What to tell the agent when a request cannot be answered with a result. */
export function toMcpError(failure: RunFailure): ProtocolError {
  switch (failure.kind) {
    case "invalid_parameters": {
      const [first] = failure.issues;
      return mcpError(ProtocolErrorCode.InvalidParams, failure.message, {
        field: first?.field ?? "",
        detail: first?.message ?? failure.message,
        received_value: first?.received_value ?? null,
        validation_errors: failure.issues,
      });
    }
    case "execution_failure": {
      const blamesRequest = failure.data.error_type === "usage_error";
      const code = blamesRequest ? ProtocolErrorCode.InvalidParams : EXECUTION_FAILED;
      return mcpError(code, failure.message, failure.data);
    }
  }
}

/** A bug of ours; the stack only for whoever asked for it. */
export function toMcpBug(error: unknown, options: { showStack: boolean }): ProtocolError {
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const stack = options.showStack && error instanceof Error ? { stack: error.stack } : {};
  const message = `Internal error of pytest-mcp, not of the tests: ${detail}. ` +
    "Try again; if it happens again, report it as a bug of pytest-mcp";
  return mcpError(ProtocolErrorCode.InternalError, message, { detail, ...stack });
}

function mcpError(code: number, message: string, data: object): ProtocolError {
  return new ProtocolError(code, clipMessage(message), data);
}

/** A message as long as one may be. */
export function clipMessage(message: string): string {
  return clipEnd(message, MAX_MESSAGE_CHARS);
}
