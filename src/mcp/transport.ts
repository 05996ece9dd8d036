import {
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type Transport,
} from "@modelcontextprotocol/server";
import { fromMcpLine, type McpEntry, refuse } from "./from_mcp_line.ts";
import { type InputLine, InputLines } from "./input_lines.ts";
import { quote } from "./known_methods.ts";
import { type Answer, Batch, cancelledId, OpenRequests } from "./open_requests.ts";
import { type ByteOutput, OutputLines } from "./output_lines.ts";
import { BATCH_VERSION, refuseOldVersion } from "./protocol_version.ts";
import { readRequestId } from "./request_id_scanner.ts";
import { clipMessage, toMcpBug } from "./to_mcp_error.ts";
import { WaitingLines } from "./waiting_lines.ts";

/** Where requests come from: Deno.stdin is one. Web streams take longer to make than an answer does. */
export interface ByteInput {
  /** Fills the buffer with what there is, and tells how much; null at the end. */
  read(buffer: Uint8Array): Promise<number | null>;
}

/** The two ends of the connection, and how errors are worded that the SDK words too briefly. */
export interface StdioTransportOptions {
  readonly input: ByteInput;
  readonly output: ByteOutput;
  /** Completes an error that carries no data; `method` is that of its request. */
  readonly explainError: (
    error: JSONRPCErrorResponse["error"],
    method: string | undefined,
  ) => JSONRPCErrorResponse["error"];
}

/** What one read takes at most: as much as a pipe holds. */
const CHUNK_BYTES = 64 * 1024;

/** Messages that are taken in before the answers to them get their turn. */
const AT_ONCE = 32;

/**
 * Line-delimited JSON-RPC over two streams. It never goes silent: what the SDK would drop (no JSON, no
 * JSON-RPC, a line too long, an id in use, a batch) is answered here, and nowhere else.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  /** Resolves when the client has closed its end, or cannot be reached any more. */
  readonly ended: Promise<void>;
  /** Resolves when the first answer has been handed over. */
  readonly greeted: Promise<void>;
  readonly #options: StdioTransportOptions;
  readonly #output: OutputLines;
  readonly #waiting = new WaitingLines();
  readonly #open = new OpenRequests();
  readonly #end: () => void;
  readonly #greet: () => void;
  #version: string | undefined;
  /** settles when every line has had its turn */
  #received: Promise<void> = Promise.resolve();
  #inputEnded = false;
  #closed = false;

  constructor(options: StdioTransportOptions) {
    ({ promise: this.ended, resolve: this.#end } = Promise.withResolvers<void>());
    ({ promise: this.greeted, resolve: this.#greet } = Promise.withResolvers<void>());
    this.#options = options;
    this.#output = new OutputLines(options.output, this.#end);
  }

  /** Starts to read. */
  start(): Promise<void> {
    this.#received = this.#receiveAll();
    this.#readAll()
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#inputEnded = true;
        this.#waiting.end();
        this.#end();
      });
    return Promise.resolve();
  }

  /** Sends what the server has to say; every error carries data. */
  send(message: JSONRPCMessage): Promise<void> {
    if ("method" in message) return this.#output.write(message);
    return this.#answer(message);
  }

  /** Told by the SDK after `initialize`. */
  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  /** Resolves when every request has been answered: all of the input's, if it has ended. */
  async answered(): Promise<void> {
    if (this.#inputEnded) await this.#received;
    await this.#open.done();
  }

  /** Stops reading, and gives what was written a moment to reach the client. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#output.close();
    this.onclose?.();
  }

  async #readAll(): Promise<void> {
    const lines = new InputLines();
    const buffer = new Uint8Array(CHUNK_BYTES); // one for all: a gigabyte of input leaves no garbage
    for (;;) {
      const length = await this.#options.input.read(buffer);
      if (this.#closed) return;
      for (const line of length === null ? lines.end() : lines.push(buffer.subarray(0, length))) {
        if (this.#cancelsOpenRequest(line)) this.#receiveLine(line);
        else await this.#waiting.add(line);
      }
      if (length === null) return;
    }
  }

  /** Such a line does not wait behind requests that have to: what it ends may be a long run. */
  #cancelsOpenRequest(line: InputLine): boolean {
    if (line.kind !== "text" || !line.text.includes("notifications/cancelled")) return false;
    const parsed = fromMcpLine(line, { batches: false });
    return parsed.kind === "message" &&
      this.#open.methodOf(cancelledId(parsed.message)) !== undefined;
  }

  async #receiveAll(): Promise<void> {
    let received = 0;
    for await (const line of this.#waiting) {
      this.#receiveLine(line);
      // Lets answers get out before more is taken in.
      if (++received % AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve, 0));
      // A client that does not read its answers gets no more of them.
      await this.#output.ready();
    }
  }

  /** No line can end the connection: whatever goes wrong with one is its answer. */
  #receiveLine(line: InputLine): void {
    try {
      const parsed = fromMcpLine(line, { batches: this.#version === BATCH_VERSION });
      if (parsed.kind === "batch") this.#receiveBatch(parsed.entries);
      else if (parsed.kind !== "empty") this.#receive(parsed, undefined);
    } catch (bug) {
      this.#fail(bug);
      const id = line.kind === "text" ? readRequestId(line.text) : line.id;
      const { code, message, data } = toMcpBug(bug, { showStack: false });
      const error = { code, message, data };
      this.#report(this.#answer({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), error }));
    }
  }

  #receiveBatch(entries: readonly McpEntry[]): void {
    const batch = new Batch();
    batch.open++; // keeps the batch together until its last entry is in
    for (const entry of entries) this.#receive(entry, batch);
    batch.open--;
    this.#report(this.#sendIfComplete(batch));
  }

  #receive(received: McpEntry, batch: Batch | undefined): void {
    const entry = this.#admit(received, batch);
    if (entry.kind === "message") {
      const cancelled = this.#open.close(cancelledId(entry.message));
      if (cancelled !== undefined) this.#report(this.#sendIfComplete(cancelled));
      this.onmessage?.(entry.message);
    } else if (batch === undefined) this.#report(this.#output.write(entry.answer));
    else batch.answers.push(entry.answer);
  }

  /** Notes a request as open, or says why it cannot be. */
  #admit(entry: McpEntry, batch: Batch | undefined): McpEntry {
    if (entry.kind === "refused" || !isJSONRPCRequest(entry.message)) return entry;
    const { id, method } = entry.message;
    if (batch !== undefined && method === "initialize") {
      const detail = "initialize cannot be in a batch. Send it on a line of its own";
      return refuse(id, { code: ProtocolErrorCode.InvalidRequest, detail });
    }
    const refused = refuseOldVersion(entry.message);
    if (refused !== null) return refused;
    if (this.#open.add(entry.message, batch)) return entry;
    return refuse(id, {
      code: ProtocolErrorCode.InvalidRequest,
      detail:
        `the id ${
          typeof id === "string" ? quote(id) : id
        } belongs to a request that has no answer yet. ` +
        "Use a new id for each request",
    });
  }

  #answer(answer: Answer): Promise<void> {
    const method = this.#open.methodOf(answer.id);
    const batch = this.#open.close(answer.id);
    const complete = "error" in answer
      ? { ...answer, error: this.#completeError(answer.error, method) }
      : answer;
    if (batch !== undefined) {
      batch.answers.push(complete);
      return this.#sendIfComplete(batch);
    }
    const written = this.#output.write(complete);
    written.then(this.#greet, () => {});
    return written;
  }

  #completeError(error: JSONRPCErrorResponse["error"], method: string | undefined) {
    const { message, ...rest } = error.data === undefined
      ? this.#options.explainError(error, method)
      : error;
    return { ...rest, message: clipMessage(message) };
  }

  #sendIfComplete(batch: Batch | undefined): Promise<void> {
    if (batch === undefined || batch.open > 0 || batch.answers.length === 0) {
      return Promise.resolve();
    }
    return this.#output.write(batch.answers.splice(0));
  }

  /** A failed write has ended the connection already. */
  #report(written: Promise<void>): void {
    written.catch((error) => this.#fail(error));
  }

  #fail(error: unknown): void {
    this.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }
}
