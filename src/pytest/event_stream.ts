/**
 * Bytes to lines to events.
 *
 * @module
 */
import { type DriverEvent, parseDriverEvent } from "./driver_event.ts";

/** Far more than our plugin ever says at once; a test that finds its channel could say anything. */
const LONGEST_LINE = 128 * 2 ** 20;

/**
 * Yields the events of a stream in batches: one for each chunk that holds any. What cannot be read becomes an
 * event, too: without it a failed test could pass for one of which there was nothing to tell.
 */
export async function* readEvents(
  stream: AsyncIterable<Uint8Array>,
  longestLine = LONGEST_LINE,
): AsyncGenerator<DriverEvent[], void, void> {
  const decoder = new TextDecoder();
  let begun = false;
  let pending: string[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf("\n");
    if (end < 0) {
      length += text.length;
      if (length <= longestLine) pending.push(text);
      else pending = [];
      continue;
    }
    const tooLong = length > longestLine;
    const lines = (pending.join("") + text.slice(0, end)).split("\n");
    pending = [text.slice(end + 1)];
    length = text.length - end - 1;
    const events: DriverEvent[] = [];
    for (const [index, line] of lines.entries()) {
      const event = tooLong && index === 0 ? null : parseDriverEvent(line);
      begun ||= event !== null;
      // What no Python of ours has written before it says anything is another program's.
      if (event !== null) events.push(event);
      else if (begun && line !== "") events.push(unreadable(line, tooLong && index === 0));
    }
    if (events.length > 0) yield events;
  }
}

function unreadable(line: string, tooLong: boolean): DriverEvent {
  const what = tooLong
    ? "more than 128 MiB in one line"
    : `what is no event: ${line.slice(0, 200)}`;
  const text = "The results are not complete, because the process of the tests has sent " + what;
  return { event: "internal_error", error: null, text };
}
