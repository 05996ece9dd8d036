/**
 * The least that an MCP client does, the same for every server: one request at a time, timed by the caller.
 *
 * @module
 */
import { z } from "zod";

/** A program and what it sees. */
export interface Program {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const answerSchema = z.object({ id: z.number(), error: z.unknown().optional() });

/** One server process. */
export class StdioClient {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: AsyncGenerator<string, void, void>;
  readonly #stderr: Promise<string>;
  #id = 0;

  constructor({ command: [program, ...args], cwd, env }: Program) {
    const options = { args, cwd, env, clearEnv: true } as const;
    this.#child = new Deno.Command(program, {
      ...options,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#lines = linesOf(this.#child.stdout);
    this.#stderr = new Response(this.#child.stderr).text();
  }

  get pid(): number {
    return this.#child.pid;
  }

  async initialize(): Promise<void> {
    await this.#request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    });
    await this.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  listTools(): Promise<string> {
    return this.#request("tools/list", {});
  }

  /** The answer as it came. */
  call(name: string, args: object): Promise<string> {
    return this.#request("tools/call", { name, arguments: args });
  }

  /** Goes away as a client does. */
  async close(): Promise<void> {
    await this.#input.close().catch(() => {});
    for await (const _ of this.#lines) { /* what it still says */ }
    await Promise.all([this.#child.status, this.#stderr]);
  }

  async #request(method: string, params: object): Promise<string> {
    const id = ++this.#id;
    await this.#send({ jsonrpc: "2.0", id, method, params });
    while (true) {
      const { value: line, done } = await this.#lines.next();
      if (done) throw new Error(`The server is gone:\n${(await this.#stderr).slice(-2_000)}`);
      // Answers can be megabytes: only those to us are read, by their shape.
      const answer = answerSchema.safeParse(JSON.parse(line)).data;
      if (answer?.id !== id) continue;
      if (answer.error !== undefined) throw new Error(`${method}: ${line.slice(0, 2_000)}`);
      return line;
    }
  }

  #send(message: object): Promise<void> {
    return this.#input.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  let parts: string[] = [];
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const [first = "", ...rest] = text.split("\n");
    parts.push(first);
    for (const part of rest) {
      yield parts.join("");
      parts = [part];
    }
  }
}
