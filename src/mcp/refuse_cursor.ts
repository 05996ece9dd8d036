import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { quote } from "./known_methods.ts";

/** Refuses every cursor: the lists of this server have one page, and no answer ever named another. */
export function refuseCursor(
  { method, params }: {
    readonly method: string;
    readonly params?: { readonly cursor?: string | undefined } | undefined;
  },
): void {
  if (params?.cursor === undefined) return;
  const detail = `Unknown cursor for ${method}: ${quote(params.cursor)}. ` +
    "The list has one page: leave cursor out";
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, detail, { detail, field: "cursor" });
}
