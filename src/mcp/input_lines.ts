import type { RequestId } from "@modelcontextprotocol/server";
import { RequestIdScanner } from "./request_id_scanner.ts";

/** One line of the client's, or why it cannot be read. */
export type InputLine =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "not_utf8"; readonly id: RequestId | undefined }
  | { readonly kind: "too_long"; readonly id: RequestId | undefined };

/** What one line may cost. */
export interface LineLimits {
  /** bytes that are held in memory */
  readonly maxBytes: number;
  /** bytes after which a line that has not ended is answered, with or without its id */
  readonly giveUpBytes: number;
}

/** 16 MiB hold 100,000 ordinary node ids; nothing that an agent sends comes near. */
export const LINE_LIMITS: LineLimits = {
  maxBytes: 16 * 1024 * 1024,
  giveUpBytes: 64 * 1024 * 1024,
};

const NEWLINE = 0x0a;

/** Room for an ordinary line; more is taken by doubling, and given back with the line. */
const ORDINARY_LINE_BYTES = 64 * 1024;

/** Cuts a byte stream into lines, and never holds more than `maxBytes` of one, however small its pieces. */
export class InputLines {
  readonly #limits: LineLimits;
  #held = new Uint8Array(ORDINARY_LINE_BYTES);
  #length = 0;
  /** set while the rest of a line that is too long goes by */
  #scanner: RequestIdScanner | undefined;
  #answered = false;

  constructor(limits: LineLimits = LINE_LIMITS) {
    this.#limits = limits;
  }

  /** The lines that end within this chunk. */
  *push(chunk: Uint8Array): Generator<InputLine> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      yield* this.#add(chunk.subarray(start, end === -1 ? chunk.length : end));
      if (end === -1) return;
      yield* this.end();
      start = end + 1;
    }
  }

  /** Ends the current line: at a newline, and at the end of the stream. */
  *end(): Generator<InputLine> {
    const line = this.#takeLine();
    if (line !== undefined) yield line;
    if (this.#held.length > ORDINARY_LINE_BYTES) this.#held = new Uint8Array(ORDINARY_LINE_BYTES);
    this.#length = 0;
    this.#scanner = undefined;
    this.#answered = false;
  }

  #takeLine(): InputLine | undefined {
    if (this.#answered) return undefined;
    if (this.#scanner !== undefined) return { kind: "too_long", id: this.#scanner.id };
    return this.#length === 0 ? undefined : decodeLine(this.#held.subarray(0, this.#length));
  }

  *#add(piece: Uint8Array): Generator<InputLine> {
    const length = this.#length + piece.length;
    if (length <= this.#limits.maxBytes) this.#hold(piece);
    else this.#scan(piece);
    this.#length = length;
    if (length > this.#limits.giveUpBytes && this.#scanner !== undefined && !this.#answered) {
      this.#answered = true;
      yield { kind: "too_long", id: this.#scanner.id };
    }
  }

  #hold(piece: Uint8Array): void {
    const needed = this.#length + piece.length;
    if (needed > this.#held.length) {
      const larger = new Uint8Array(Math.max(needed, this.#held.length * 2));
      larger.set(this.#held.subarray(0, this.#length));
      this.#held = larger;
    }
    this.#held.set(piece, this.#length);
  }

  #scan(piece: Uint8Array): void {
    if (this.#scanner === undefined) {
      this.#scanner = new RequestIdScanner();
      this.#scanner.push(this.#held.subarray(0, this.#length));
      this.#held = new Uint8Array(ORDINARY_LINE_BYTES);
    }
    if (!this.#answered) this.#scanner.push(piece);
  }
}

function decodeLine(bytes: Uint8Array): InputLine {
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    const scanner = new RequestIdScanner();
    scanner.push(bytes);
    return { kind: "not_utf8", id: scanner.id };
  }
}
