import { clipEnd } from "../domain/clip.ts";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** Longer than any name of ours, and than most that are taken for one. */
const NAME_CHARS = 200;

/** The two families of protocol versions: with and without `initialize`. */
export type Era = "legacy" | "modern";

const SHARED_METHODS = [
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
  "prompts/get",
  "completion/complete",
] as const;

/** What can be asked in each era. */
export const KNOWN_METHODS: Readonly<Record<Era, readonly string[]>> = {
  legacy: ["initialize", "ping", ...SHARED_METHODS],
  modern: ["server/discover", ...SHARED_METHODS, "subscriptions/listen"],
};

/** The answer to a method that this era does not have. */
export function unknownMethod(method: string, era: Era): ProtocolError {
  const known = KNOWN_METHODS[era];
  const detail = `Method not found: ${quote(method)}. Known methods: ${known.join(", ")}`;
  return new ProtocolError(ProtocolErrorCode.MethodNotFound, detail, {
    detail,
    known_methods: known,
  });
}

/** The answer to a name that is not among the known ones. */
export function unknownName(kind: string, name: string, known: readonly string[]): ProtocolError {
  const detail = `Unknown ${kind}: ${quote(name)}. Known ${kind}s: ${known.join(", ")}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, detail, {
    detail,
    [`known_${kind}s`]: known,
  });
}

/** A name that the client chose, as a message shows it. */
export function quote(name: string): string {
  return JSON.stringify(clipEnd(name, NAME_CHARS));
}
