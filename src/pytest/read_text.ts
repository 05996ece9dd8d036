/** More than any answer or patch that a request can wait for, and less than a text can hold. */
const MOST_BYTES = 128 * 2 ** 20;

/** Reads what a process writes, to its end; of more than `mostBytes` nothing is kept, and `stop` is called. */
export async function readText(
  stream: AsyncIterable<Uint8Array>,
  stop: () => void,
  mostBytes = MOST_BYTES,
): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > mostBytes) {
      stop();
      return "";
    }
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return parts.join("") + decoder.decode();
}
