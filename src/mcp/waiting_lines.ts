import type { InputLine } from "./input_lines.ts";

/** What may wait, in characters: a client that sends this much and reads nothing is not read any more. */
const MAX_WAITING_CHARS = 1024 * 1024;

/** The same for short lines, each of which costs more than its characters. */
const MAX_WAITING_LINES = 10_000;

/**
 * Lines that were read before their turn: a client that does not read its answers gets no more of them, but
 * the end of its input is seen. One side adds, one side takes.
 */
export class WaitingLines {
  readonly #lines: InputLine[] = [];
  #chars = 0;
  #ended = false;
  #onLine = () => {};
  #onRoom = () => {};

  /** Adds a line; resolves when there is room for the next one. */
  add(line: InputLine): Promise<void> {
    this.#lines.push(line);
    this.#chars += charsOf(line);
    this.#onLine();
    if (this.#hasRoom()) return Promise.resolve();
    return new Promise((resolve) => this.#onRoom = resolve);
  }

  /** No more lines will come. */
  end(): void {
    this.#ended = true;
    this.#onLine();
  }

  /** Takes the lines in their order, until the end. */
  async *[Symbol.asyncIterator](): AsyncGenerator<InputLine> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) {
        this.#chars -= charsOf(line);
        if (this.#hasRoom()) this.#onRoom();
        yield line;
      } else if (this.#ended) return;
      else await new Promise<void>((resolve) => this.#onLine = resolve);
    }
  }

  #hasRoom(): boolean {
    return this.#chars <= MAX_WAITING_CHARS && this.#lines.length <= MAX_WAITING_LINES;
  }
}

function charsOf(line: InputLine): number {
  return line.kind === "text" ? line.text.length : 0;
}
