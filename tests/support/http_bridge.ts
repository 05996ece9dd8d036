/**
 * Lets a client that speaks only HTTP talk to the server on stdio, for the conformance package. Test only:
 * it listens on the loopback interface and knows just enough of the HTTP transport.
 * `deno run http_bridge.ts ROOT COMMAND ARGUMENT…` prints its URL as the first line.
 *
 * @module
 */
type Message = Record<string, unknown>;

const [root = ".", command = "", ...args] = Deno.args;

interface OpenRequest {
  readonly token: unknown;
  readonly send: (message: Message) => void;
}

/** One server process, and one client's requests to it. */
class Session {
  readonly id = crypto.randomUUID();
  readonly #child = new Deno.Command(command, {
    args,
    cwd: root,
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  readonly #writer = this.#child.stdin.getWriter();
  readonly #open = new Map<unknown, OpenRequest>();

  constructor() {
    void this.#read();
  }

  /** Sends a message. A process that is gone answers nothing. */
  async write(message: Message): Promise<void> {
    const line = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    await this.#writer.write(line).catch(() => {});
  }

  /** Sends a request; `send` gets its notifications and, last, its answer. */
  request(message: Message, send: (message: Message) => void): void {
    const token = at(at(at(message, "params"), "_meta"), "progressToken");
    this.#open.set(message["id"], { token, send });
    void this.write(message);
  }

  /** Cancels a request that has no answer yet. */
  cancel(id: unknown): void {
    if (!this.#open.delete(id)) return;
    const method = "notifications/cancelled";
    void this.write({ jsonrpc: "2.0", method, params: { requestId: id } });
  }

  async close(): Promise<void> {
    await this.#writer.close().catch(() => {});
    await this.#child.status;
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#receive(JSON.parse(line));
    }
  }

  #receive(message: Message): void {
    if (message["method"] === undefined) {
      this.#open.get(message["id"])?.send(message);
      this.#open.delete(message["id"]);
      return;
    }
    const token = at(at(message, "params"), "progressToken");
    const requests = [...this.#open.values()];
    const own = token === undefined ? requests : requests.filter((open) => open.token === token);
    own[0]?.send(message);
  }
}

function isObject(value: unknown): value is Message {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function at(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

const sessions = new Map<string, Session>();
/** Started ahead of the next request: some scenarios give an answer little time. */
let spare = new Session();

/**
 * `initialize` opens a session. What carries no session id is of the era that has none: each such request
 * gets a process of its own, which ends with its answer.
 */
function sessionFor(request: Request, message: Message): Session | undefined {
  const id = request.headers.get("mcp-session-id");
  if (id !== null) return sessions.get(id);
  const session = spare;
  spare = new Session();
  const isModern = request.headers.get("mcp-protocol-version") === "2026-07-28";
  if (message["method"] === "initialize" && !isModern) sessions.set(session.id, session);
  return session;
}

/** HTTP's word for an error, in the era that has one for each. */
function statusOf(answer: Message): number {
  const code = at(answer["error"], "code");
  if (code === undefined) return 200;
  return code === -32601 ? 404 : code === -32603 ? 500 : 400;
}

async function handle(request: Request): Promise<Response> {
  if (request.method === "DELETE") {
    const id = request.headers.get("mcp-session-id") ?? "";
    await sessions.get(id)?.close();
    return new Response(null, { status: sessions.delete(id) ? 200 : 404 });
  }
  if (request.method !== "POST") return new Response(null, { status: 405 });
  const message: unknown = await request.json();
  if (!isObject(message)) return new Response(null, { status: 400 });
  const session = sessionFor(request, message);
  if (session === undefined) return new Response(null, { status: 404 });
  const isKept = sessions.has(session.id);
  if (message["id"] !== undefined && message["method"] !== undefined) {
    return await answer(message, session, isKept);
  }
  await session.write(message);
  if (!isKept) await session.close();
  return new Response(null, { status: 202 });
}

/** A stream of what the request brings, once it has brought something. */
async function answer(message: Message, session: Session, isKept: boolean): Promise<Response> {
  const { promise: first, resolve: begin } = Promise.withResolvers<Message>();
  const end = () => isKept ? undefined : void session.close();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      session.request(message, (said) => {
        begin(said);
        const event = `event: message\ndata: ${JSON.stringify(said)}\n\n`;
        controller.enqueue(new TextEncoder().encode(event));
        if (said["method"] !== undefined) return;
        controller.close();
        end();
      });
    },
    // A client that closes the stream of a request cancels it.
    cancel() {
      session.cancel(message["id"]);
      end();
    },
  });
  const said = await first;
  const headers = new Headers({ "content-type": "text/event-stream" });
  if (isKept) headers.set("mcp-session-id", session.id);
  const status = isKept ? 200 : statusOf(said);
  if (status === 200) return new Response(body, { headers });
  return Response.json(said, { status });
}

const server = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => {
    Deno.stdout.writeSync(new TextEncoder().encode(`http://127.0.0.1:${port}/mcp\n`));
  },
}, handle);

// The end of stdin is the end: whoever started this is gone or done.
for await (const _ of Deno.stdin.readable) { /* nothing is said here */ }
await Promise.all([...sessions.values(), spare].map((session) => session.close()));
await server.shutdown();
