import {
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
} from "@modelcontextprotocol/server";
import { jsonText } from "../domain/json_text.ts";
import { type InputLine, LINE_LIMITS } from "./input_lines.ts";
import { readRequestId, toRequestId } from "./request_id_scanner.ts";
import { hasTooManyValues, MAX_VALUES } from "./too_many_values.ts";

/** What a line turns out to be: messages for the server, or an answer that says what is wrong. */
export type McpLine =
  | { readonly kind: "message"; readonly message: JSONRPCMessage }
  | { readonly kind: "refused"; readonly answer: JSONRPCErrorResponse }
  | { readonly kind: "batch"; readonly entries: readonly McpEntry[] }
  | { readonly kind: "empty" };

/** One entry of a batch. */
export type McpEntry = Extract<McpLine, { kind: "message" | "refused" }>;

/** A message shows this much of what was received. */
const EXCERPT_CHARS = 200;

/**
 * A batch is taken in and answered as a whole, so its size is what bounds the time and memory that one line
 * costs; an agent sends a handful of requests at once.
 */
const MAX_BATCH_ENTRIES = 1_000;

const SEND_LESS = "Send a smaller request: name files or directories instead of single tests";

/** Parses one line; batches only where the negotiated version has them. */
export function fromMcpLine(line: InputLine, options: { batches: boolean }): McpLine {
  switch (line.kind) {
    case "too_long":
      return refuse(line.id, {
        code: ProtocolErrorCode.InvalidRequest,
        detail: `the line is longer than ${LINE_LIMITS.maxBytes} bytes. ${SEND_LESS}`,
      });
    case "not_utf8":
      return refuse(line.id, {
        code: ProtocolErrorCode.ParseError,
        detail: "the line is not valid UTF-8",
      });
    case "text":
      return fromText(line.text, options);
  }
}

function fromText(text: string, options: { batches: boolean }): McpLine {
  if (text.trim() === "") return { kind: "empty" };
  if (hasTooManyValues(text)) {
    return refuse(readRequestId(text), {
      code: ProtocolErrorCode.InvalidRequest,
      detail: `the line holds more than ${MAX_VALUES} values. ${SEND_LESS}`,
    });
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return refuse(readRequestId(text), {
      code: ProtocolErrorCode.ParseError,
      detail: `the line is not JSON: ${problem}. Received: ${excerpt(text)}`,
    });
  }
  return Array.isArray(json) ? fromBatch(json, options) : fromValue(json, text);
}

function fromBatch(values: readonly unknown[], options: { batches: boolean }): McpLine {
  const code = ProtocolErrorCode.InvalidRequest;
  if (!options.batches) {
    const detail = "batches exist only in protocol version 2025-03-26. Send one message a line";
    return refuse(undefined, { code, detail });
  }
  if (values.length === 0) return refuse(undefined, { code, detail: "the batch is empty" });
  if (values.length > MAX_BATCH_ENTRIES) {
    const detail =
      `the batch has ${values.length} entries, and ${MAX_BATCH_ENTRIES} are allowed. ` +
      "Send several smaller ones";
    return refuse(undefined, { code, detail });
  }
  return { kind: "batch", entries: values.map((value) => fromValue(value)) };
}

/** `text` is what the value was read from, where that is known. */
function fromValue(value: unknown, text?: string): McpEntry {
  try {
    return { kind: "message", message: parseJSONRPCMessage(withoutNulls(value)) };
  } catch {
    const detail = `${explainInvalid(value)}. Received: ${excerpt(text ?? jsonText(value))}`;
    return refuse(idOf(value), { code: ProtocolErrorCode.InvalidRequest, detail });
  }
}

/** Some clients write every field there is: null is none, since nothing in a request's params can be null. */
function withoutNulls(message: unknown): unknown {
  if (!isObject(message) || !("params" in message)) return message;
  const { params, ...rest } = message;
  if (params === null) return rest;
  if (!isObject(params)) return message;
  const meta = "_meta" in params ? params._meta : undefined;
  const metaHasNulls = isObject(meta) && hasNulls(meta);
  if (!hasNulls(params) && !metaHasNulls) return message; // a flood of messages is not copied
  const given = dropNulls(params);
  return { ...rest, params: metaHasNulls ? { ...given, _meta: dropNulls(meta) } : given };
}

function hasNulls(fields: object): boolean {
  return Object.values(fields).includes(null);
}

function dropNulls(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** An error answer that stands alone. */
export function refuse(
  id: RequestId | undefined,
  error: { code: number; detail: string; data?: Record<string, unknown> },
): Extract<McpLine, { kind: "refused" }> {
  const title = error.code === ProtocolErrorCode.ParseError ? "Parse error" : "Invalid Request";
  return {
    kind: "refused",
    answer: {
      jsonrpc: "2.0",
      ...(id === undefined ? {} : { id }),
      error: {
        code: error.code,
        message: `${title}: ${error.detail}`,
        data: { detail: error.detail, ...error.data },
      },
    },
  };
}

function explainInvalid(value: unknown): string {
  if (typeof value !== "object" || value === null) {
    return 'a message must be a JSON object with "jsonrpc": "2.0"';
  }
  if (!("jsonrpc" in value) || value.jsonrpc !== "2.0") return '"jsonrpc" must be "2.0"';
  if ("id" in value && !isId(value.id)) {
    return `"id" must be a string or an integer, and within ±${Number.MAX_SAFE_INTEGER}`;
  }
  if ("method" in value) {
    if (typeof value.method !== "string") return '"method" must be a string';
    const problem = "params" in value ? explainParams(value.params) : null;
    if (problem !== null) return problem;
  }
  return 'a message has "jsonrpc" and: "method", "params" (a notification), these and "id" ' +
    '(a request), or "id" and "result" or "error" (a response); nothing else';
}

function explainParams(params: unknown): string | null {
  const meta = isObject(params) && "_meta" in params ? params._meta : {};
  if (!isObject(params) || !isObject(meta)) {
    return '"params" must be an object, with an object as its "_meta"';
  }
  if (!("progressToken" in meta) || isId(meta.progressToken)) return null;
  return '"progressToken" in the "_meta" of "params" must be a string or an integer';
}

function isId(value: unknown): boolean {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function idOf(value: unknown): RequestId | undefined {
  if (typeof value !== "object" || value === null || !("id" in value)) return undefined;
  return toRequestId(value.id);
}

function excerpt(text: string): string {
  return text.length <= EXCERPT_CHARS ? text : `${text.slice(0, EXCERPT_CHARS)}…`;
}
