/**
 * Streams as the ends of a connection: what a test uses in place of Deno.stdin and Deno.stdout.
 *
 * @module
 */
import type { ByteOutput } from "../../src/mcp/output_lines.ts";
import type { ByteInput } from "../../src/mcp/transport.ts";

/** Reads a stream as a file is read: a chunk may be larger than the buffer. */
export function byteInput(stream: ReadableStream<Uint8Array>): ByteInput {
  const reader = stream.getReader();
  let rest = new Uint8Array();
  return {
    async read(buffer) {
      while (rest.length === 0) {
        const { done, value } = await reader.read();
        if (done) return null;
        rest = new Uint8Array(value);
      }
      const length = Math.min(rest.length, buffer.length);
      buffer.set(rest.subarray(0, length));
      rest = rest.subarray(length);
      return length;
    },
  };
}

/** Writes to a stream as a file is written to. */
export function byteOutput(stream: WritableStream<Uint8Array>): ByteOutput {
  return {
    async write(bytes) {
      const writer = stream.getWriter();
      try {
        await writer.write(bytes);
      } finally {
        writer.releaseLock();
      }
      return bytes.length;
    },
  };
}
