import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { serveMcp, type ServeMcpOptions } from "../../src/mcp/serve.ts";
import { byteInput, byteOutput } from "./byte_streams.ts";
import { memoryFiles } from "./memory_files.ts";
import type { WireMessage } from "./wire_message.ts";

/** What a test may replace; everything else has a default that no test depends on. */
export type ServerOverrides =
  & Pick<ServeMcpOptions, "runner">
  & Partial<Omit<ServeMcpOptions, "input" | "output">>;

/** serveMcp() between two streams in this process, seen from the client's end. */
export class InProcessServer {
  /** resolves with serveMcp() */
  readonly served: Promise<void>;
  readonly notifications: WireMessage[] = [];
  readonly logged: string[] = [];
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #answers = new Map<string | number, (message: WireMessage) => void>();
  readonly #stop = new AbortController();
  #nextId = 1;

  constructor(overrides: ServerOverrides) {
    const input = new TransformStream<Uint8Array, Uint8Array>();
    const output = new TransformStream<Uint8Array, Uint8Array>();
    this.#writer = input.writable.getWriter();
    const note = (message: string, fields?: object) =>
      void this.logged.push(`${message} ${JSON.stringify(fields)}`);
    this.served = serveMcp({
      files: memoryFiles({ tests: "directory", "tests/test_x.py": "file" }),
      settings: DEFAULT_SETTINGS,
      version: "1.2.3",
      log: { debug: () => {}, info: note, warn: note, error: note },
      showStacks: false,
      signal: this.#stop.signal,
      ...overrides,
      input: byteInput(input.readable),
      output: byteOutput(output.writable),
    }).finally(() => output.writable.close());
    void this.#read(output.readable);
  }

  /** Sends a request; resolves with its answer. */
  request(method: string, params: object = {}): Promise<WireMessage> {
    return this.send(method, params).answer;
  }

  /** Sends a request, and tells its id. */
  send(method: string, params: object = {}): { id: number; answer: Promise<WireMessage> } {
    const id = this.#nextId++;
    const answer = new Promise<WireMessage>((resolve) => this.#answers.set(id, resolve));
    void this.line({ jsonrpc: "2.0", id, method, params });
    return { id, answer };
  }

  /** Sends a request of the 2026-07-28 era, or of another version that has no `initialize`. */
  modern(method: string, params: object = {}, version = "2026-07-28"): Promise<WireMessage> {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    return this.request(method, { _meta, ...params });
  }

  notify(method: string, params: object = {}): Promise<void> {
    return this.line({ jsonrpc: "2.0", method, params });
  }

  line(value: object): Promise<void> {
    return this.#writer.write(new TextEncoder().encode(`${JSON.stringify(value)}\n`));
  }

  /** The handshake of the versions before 2026-07-28. */
  async initialize(protocolVersion = "2025-11-25"): Promise<WireMessage> {
    const clientInfo = { name: "test", version: "1" };
    const answer = await this.request("initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo,
    });
    await this.notify("notifications/initialized");
    return answer;
  }

  /** Closes the client's end, and waits for the server's. */
  async close(): Promise<void> {
    await this.#writer.close();
    await this.served;
  }

  /** Ends the server as a signal to its process would. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.served;
    await this.#writer.close().catch(() => {});
  }

  async #read(readable: ReadableStream<Uint8Array>): Promise<void> {
    let rest = "";
    for await (const text of readable.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#receive(JSON.parse(line));
    }
  }

  #receive(message: WireMessage): void {
    if (message.method !== undefined || message.id === undefined) this.notifications.push(message);
    else this.#answers.get(message.id)?.(message);
  }
}
