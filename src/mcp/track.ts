import type { ServerContext } from "@modelcontextprotocol/server";
import type { Connection } from "./serve_options.ts";

/** Runs something that may take long: it ends when the client cancels it or goes, and the server waits for that end. */
export async function track<T>(
  connection: Connection,
  context: ServerContext,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const running = work(AbortSignal.any([context.mcpReq.signal, connection.closing]));
  const ended = running.catch(() => {}).finally(() => connection.work.delete(ended));
  connection.work.add(ended);
  return await running;
}
