import { residentBytes } from "./processes.ts";
import { serverCommand, type ServerCommandOptions, serverEnvironment } from "./server_command.ts";
import type { WireMessage } from "./wire_message.ts";

/** How to start it. */
export interface RawServerOptions extends ServerCommandOptions {
  /** the project: the server's working directory */
  readonly root: string;
  /** instead of the server under test as it is always started */
  readonly command?: readonly [string, ...string[]];
  /** in addition to what every client passes on */
  readonly env?: Readonly<Record<string, string>>;
  /** false: output is left unread, except during readFor() */
  readonly readOutput?: boolean;
}

/** The real server process, spoken to line by line. */
export class RawServer {
  /** every line of stdout, parsed; a line that is not JSON fails the test */
  readonly messages: WireMessage[] = [];
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #stderr: Promise<string>;
  readonly #output: ReadableStreamDefaultReader<string>;
  #reading: Promise<void> = Promise.resolve();
  #rest = "";
  #paused = false;
  #waiting: { test: (message: WireMessage) => boolean; resolve: (found: WireMessage) => void }[] =
    [];
  #nextId = 1;
  #inputClosed = false;

  constructor(options: RawServerOptions) {
    const [program, ...args] = options.command ?? serverCommand(options);
    this.#child = new Deno.Command(program, {
      args,
      cwd: options.root,
      env: { ...serverEnvironment(), ...options.env },
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#stderr = new Response(this.#child.stderr).text();
    this.#output = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    if (options.readOutput !== false) this.#reading = this.#read();
  }

  /** resolves when the process is gone */
  get gone(): Promise<Deno.CommandStatus> {
    return this.#child.status;
  }

  /** Reads the output only as long as `act` lasts. */
  async readFor(act: () => Promise<void>): Promise<void> {
    this.#paused = false;
    this.#reading = this.#reading.then(() => this.#read());
    await act();
    this.#paused = true;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Writes bytes as they are. */
  raw(data: string | Uint8Array): Promise<void> {
    return this.#writer.write(typeof data === "string" ? new TextEncoder().encode(data) : data);
  }

  line(value: unknown): Promise<void> {
    return this.raw(`${JSON.stringify(value)}\n`);
  }

  notify(method: string, params: object = {}): Promise<void> {
    return this.line({ jsonrpc: "2.0", method, params });
  }

  /** Sends a request, and tells its id. */
  send(method: string, params: object = {}): { id: number; answer: Promise<WireMessage> } {
    const id = this.#nextId++;
    const answer = this.next((message) => message.id === id && message.method === undefined);
    void this.line({ jsonrpc: "2.0", id, method, params });
    return { id, answer };
  }

  request(method: string, params: object = {}): Promise<WireMessage> {
    return this.send(method, params).answer;
  }

  call(name: string, args: object = {}): Promise<WireMessage> {
    return this.request("tools/call", { name, arguments: args });
  }

  async initialize(protocolVersion = "2025-11-25"): Promise<WireMessage> {
    const clientInfo = { name: "raw", version: "1" };
    const answer = await this.request("initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo,
    });
    await this.notify("notifications/initialized");
    return answer;
  }

  /** The first message that passes, among those that came and those that will. */
  next(test: (message: WireMessage) => boolean): Promise<WireMessage> {
    const found = this.messages.find(test);
    if (found !== undefined) return Promise.resolve(found);
    return new Promise((resolve) => this.#waiting.push({ test, resolve }));
  }

  /** Memory that the process holds, in bytes. */
  residentBytes(): Promise<number> {
    return residentBytes(this.pid);
  }

  kill(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Closes the client's end; output stays unread if it was, and its last line may be cut off. */
  async closeInput(): Promise<void> {
    this.#inputClosed = true;
    await this.#writer.close();
  }

  /** Closes the client's end, and waits for the process to be gone. */
  async close(): Promise<{ code: number; signal: Deno.Signal | null; stderr: string }> {
    await this.#writer.close().catch(() => {});
    this.#paused = false;
    this.#reading = this.#reading.then(() => this.#read());
    const [{ code, signal }, stderr] = await Promise.all([
      this.#child.status,
      this.#stderr,
      this.#reading,
    ]);
    if (this.#rest !== "" && !this.#inputClosed) throw new Error(`not a line: ${this.#rest}`);
    return { code, signal, stderr };
  }

  async #read(): Promise<void> {
    while (!this.#paused) {
      const { done, value } = await this.#output.read();
      if (done) break;
      const lines = (this.#rest + value).split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) this.#receive(JSON.parse(line));
    }
  }

  #receive(message: WireMessage): void {
    this.messages.push(message);
    const [met, waiting] = [
      this.#waiting.filter(({ test }) => test(message)),
      this.#waiting.filter(({ test }) => !test(message)),
    ];
    this.#waiting = waiting;
    for (const { resolve } of met) resolve(message);
  }
}
