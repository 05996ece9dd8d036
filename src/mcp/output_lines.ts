import { ProtocolErrorCode } from "@modelcontextprotocol/server";

/** Unread output above which the client is not read any more: a few hundred large results. */
const MAX_UNREAD_CHARS = 4 * 1024 * 1024;

/** The same for small ones, each of which costs more than its characters. */
const MAX_UNREAD_LINES = 1_000;

/** How long a client that has closed its end may take to read what is left, in milliseconds. */
const FLUSH_MILLISECONDS = 1_000;

/** Lines that go out together, because they came up while others were being written. */
interface Batch {
  readonly lines: string[];
  readonly written: PromiseWithResolvers<void>;
}

/** Where answers go: Deno.stdout is one. */
export interface ByteOutput {
  /** Writes some of the bytes, and tells how many. */
  write(bytes: Uint8Array): Promise<number>;
}

/** Writes one JSON text a line, in order, and knows how much of it is still unread. */
export class OutputLines {
  readonly #output: ByteOutput;
  readonly #onFailure: () => void;
  readonly #encoder = new TextEncoder();
  #unreadChars = 0;
  #unreadLines = 0;
  #waiting: (() => void)[] = [];
  #next: Batch | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(output: ByteOutput, onFailure: () => void) {
    this.#output = output;
    this.#onFailure = onFailure;
  }

  /** Resolves when the line has been handed over. */
  write(value: object): Promise<void> {
    if (this.#next === undefined) {
      this.#next = { lines: [], written: Promise.withResolvers() };
      this.#last = this.#last.then(() => this.#writeNext());
    }
    const line = `${toJson(value)}\n`;
    this.#next.lines.push(line);
    this.#unreadChars += line.length;
    this.#unreadLines++;
    return this.#next.written.promise;
  }

  /** Resolves when the client has read enough for more to be produced. */
  ready(): Promise<void> {
    if (this.#isReady()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Waits for what was written, but not for ever: a client that never reads must not hold the exit. */
  async close(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, FLUSH_MILLISECONDS);
    await Promise.race([this.#last, late]);
    clearTimeout(timer);
  }

  async #writeNext(): Promise<void> {
    const batch = this.#next;
    if (batch === undefined) return;
    this.#next = undefined;
    const text = batch.lines.join("");
    try {
      const bytes = this.#encoder.encode(text);
      for (let at = 0; at < bytes.length;) at += await this.#output.write(bytes.subarray(at));
      batch.written.resolve();
    } catch (error) {
      batch.written.reject(error);
      this.#onFailure();
    }
    this.#unreadChars -= text.length;
    this.#unreadLines -= batch.lines.length;
    if (this.#isReady()) { for (const resume of this.#waiting.splice(0)) resume(); }
  }

  #isReady(): boolean {
    return this.#unreadChars <= MAX_UNREAD_CHARS && this.#unreadLines <= MAX_UNREAD_LINES;
  }
}

/** A result that JSON cannot express is a bug; its request is answered all the same. */
function toJson(value: object): string {
  if (Array.isArray(value)) return `[${value.map(toJson).join(",")}]`;
  try {
    return JSON.stringify(value);
  } catch (error) {
    const detail = `The answer cannot be written as JSON: ${error}`;
    const data = { detail };
    const id = "id" in value ? { id: value.id } : {};
    const code = ProtocolErrorCode.InternalError;
    return JSON.stringify({ jsonrpc: "2.0", ...id, error: { code, message: detail, data } });
  }
}
