/**
 * Bytes to lines to events.
 *
 * @module
 */
import { type DriverEvent, parseDriverEvent } from "./driver_event.ts";

/** Yields the events of a stream in batches: one for each chunk that holds any. */
export async function* readEvents(
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<DriverEvent[], void, void> {
  const decoder = new TextDecoder();
  let pending: string[] = [];
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf("\n");
    if (end < 0) {
      pending.push(text);
      continue;
    }
    const lines = (pending.join("") + text.slice(0, end)).split("\n");
    pending = [text.slice(end + 1)];
    const events = lines.map(parseDriverEvent).filter((event) => event !== null);
    if (events.length > 0) yield events;
  }
}
