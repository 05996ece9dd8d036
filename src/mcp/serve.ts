import {
  CLIENT_CAPABILITIES_META_KEY,
  type JSONRPCErrorResponse,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type Era, unknownMethod } from "./known_methods.ts";
import type { ServeMcpOptions } from "./serve_options.ts";
import { createServer } from "./server.ts";
import { guardConsole } from "./stdout_guard.ts";
import { StdioTransport } from "./transport.ts";

export type { ServeMcpOptions, ServerLog } from "./serve_options.ts";

/** The runner has 3 seconds to end a process tree; whatever is left then dies with this process. */
const GRACE_MILLISECONDS = 4_000;

/** Serves one client until it closes its end or `signal` aborts; every run is over when this resolves. */
export async function serveMcp(options: ServeMcpOptions): Promise<void> {
  guardConsole();
  const closing = new AbortController();
  const work = new Set<Promise<unknown>>();
  let era: Era = "legacy";
  const transport = new StdioTransport({
    input: options.input,
    output: options.output,
    explainError: (error, method) => explainError(error, method, era),
  });
  const handle = serveStdio((opened) => {
    era = opened.era;
    return createServer({ ...options, era, closing: closing.signal, work });
  }, {
    transport,
    onerror: (error) => options.log.debug("protocol", { error: error.message }),
  });
  // Whoever waits for the first answer should not wait for what its coming sets off.
  transport.greeted.then(() => {
    if (!closing.signal.aborted) options.onClient?.();
  });
  await Promise.race([transport.ended, aborted(options.signal)]);
  closing.abort(new Error("the client is gone"));
  await within(GRACE_MILLISECONDS, transport.answered().then(() => Promise.all(work)));
  await handle.close();
}

/** The SDK says which kind of value an envelope lacks, and not where. */
const ENVELOPE = `Each request has in its _meta: "${PROTOCOL_VERSION_META_KEY}", a string, ` +
  `and "${CLIENT_CAPABILITIES_META_KEY}", an object`;

/** The SDK words some errors too briefly to be of use. */
function explainError(
  error: JSONRPCErrorResponse["error"],
  method: string | undefined,
  era: Era,
): JSONRPCErrorResponse["error"] {
  if (error.code === ProtocolErrorCode.MethodNotFound && method !== undefined) {
    const { code, message, data } = unknownMethod(method, era);
    return { code, message, data };
  }
  const message = error.message.startsWith("Invalid _meta envelope") && !error.message.includes("/")
    ? `${error.message}. ${ENVELOPE}`
    : error.message;
  return { ...error, message, data: { detail: message } };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true })
  );
}

async function within(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
