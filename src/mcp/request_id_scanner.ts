import type { RequestId } from "@modelcontextprotocol/server";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const [COMMA, COLON] = [0x2c, 0x3a];

/** Longer than any id or key in use; a longer one is not kept. */
const MAX_TOKEN_BYTES = 256;

/**
 * Finds the `id` of a JSON-RPC object that cannot be parsed, because it is too long to be held or is not
 * JSON, so that even its answer reaches the request that it belongs to. Fed piece by piece.
 */
export class RequestIdScanner {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #isValue = false;
  #key = "";
  #token: number[] = [];
  #id: RequestId | undefined;

  /** The id, if the bytes so far hold a complete one. */
  get id(): RequestId | undefined {
    return this.#id;
  }

  /** Reads the next bytes of the line. */
  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#inString) this.#readInString(byte);
      else this.#readOutside(byte);
    }
  }

  #readInString(byte: number): void {
    this.#keep(byte);
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      if (!this.#isValue) this.#key = String(this.#takeToken());
    }
  }

  #readOutside(byte: number): void {
    switch (byte) {
      case QUOTE:
        this.#inString = true;
        this.#keep(byte);
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        this.#depth++;
        this.#token = [];
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        this.#endValue();
        this.#depth--;
        break;
      case COMMA:
        this.#endValue();
        break;
      case COLON:
        if (this.#depth === 1) this.#isValue = true;
        this.#token = [];
        break;
      default:
        this.#keep(byte);
    }
  }

  #keep(byte: number): void {
    if (this.#depth === 1 && this.#token.length < MAX_TOKEN_BYTES) this.#token.push(byte);
  }

  #endValue(): void {
    if (this.#depth !== 1) return;
    if (this.#isValue && this.#key === "id") this.#id = toRequestId(this.#takeToken()) ?? this.#id;
    this.#isValue = false;
    this.#token = [];
  }

  #takeToken(): unknown {
    const text = new TextDecoder().decode(Uint8Array.from(this.#token));
    this.#token = [];
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
}

/** An id that an answer can bear: 1e999 is a number in JSON, too, and none here. */
export function toRequestId(value: unknown): RequestId | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The id of a line that is not JSON, where one can be read. */
export function readRequestId(line: string): RequestId | undefined {
  const scanner = new RequestIdScanner();
  scanner.push(new TextEncoder().encode(line));
  return scanner.id;
}
