import {
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  type ServerContext,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/server";
import { type McpEntry, refuse } from "./from_mcp_line.ts";

/** What `initialize` can negotiate, newest first. */
export const LEGACY_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** What a request can name in its envelope, without `initialize`. */
const MODERN_VERSIONS: readonly string[] = ["2026-07-28"];

/** Every version that this server speaks, newest first. */
export const SUPPORTED_VERSIONS: readonly string[] = [...MODERN_VERSIONS, ...LEGACY_VERSIONS];

const OLDEST_VERSION = "2024-11-05";

/** The only version with JSON-RPC batches. */
export const BATCH_VERSION = "2025-03-26";

/** The error for an envelope that names another version; the SDK looks only at a connection's first one. */
export function findUnsupportedVersion(
  { mcpReq }: ServerContext,
): UnsupportedProtocolVersionError | null {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const requested = envelope[PROTOCOL_VERSION_META_KEY];
  if (typeof requested !== "string" || MODERN_VERSIONS.includes(requested)) return null;
  return new UnsupportedProtocolVersionError({ supported: [...MODERN_VERSIONS], requested });
}

/** The answer to an `initialize` that asks for a version from before the first one; otherwise null. */
export function refuseOldVersion(request: JSONRPCRequest): McpEntry | null {
  if (request.method !== "initialize") return null;
  const requested = request.params?.["protocolVersion"];
  if (typeof requested !== "string" || !/^\d{4}-\d\d-\d\d$/.test(requested)) return null;
  if (requested >= OLDEST_VERSION) return null;
  const entry = refuse(request.id, {
    code: ProtocolErrorCode.InvalidRequest,
    detail: `Protocol version ${requested} is not supported: the oldest is ${OLDEST_VERSION}`,
    data: { supported: [...SUPPORTED_VERSIONS], requested },
  });
  // The message is part of the contract; whoever reads it has the data, too.
  const error = { ...entry.answer.error, message: "Invalid Request" };
  return { kind: "refused", answer: { ...entry.answer, error } };
}
