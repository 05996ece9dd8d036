/** What one read takes at most: as much as a pipe holds. */
const CHUNK_BYTES = 64 * 1024;

/** Reads a stream into one buffer where the stream allows it: a gigabyte of input leaves no garbage. */
export class InputBytes {
  readonly #reader: ReadableStreamBYOBReader | ReadableStreamDefaultReader<Uint8Array>;
  #buffer = new ArrayBuffer(CHUNK_BYTES);

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = openReader(stream);
  }

  /** The next bytes, which are valid until the next call; null at the end. */
  async read(): Promise<Uint8Array | null> {
    if (this.#reader instanceof ReadableStreamDefaultReader) {
      return (await this.#reader.read()).value ?? null;
    }
    const { done, value } = await this.#reader.read(new Uint8Array(this.#buffer));
    if (done || value === undefined) return null;
    this.#buffer = value.buffer;
    return value;
  }

  /** Stops reading. */
  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }
}

function openReader(stream: ReadableStream<Uint8Array>) {
  try {
    return stream.getReader({ mode: "byob" });
  } catch {
    return stream.getReader(); // not a stream of bytes, but one of chunks
  }
}
