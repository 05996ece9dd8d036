import assert from "node:assert/strict";
import { readEvents } from "../../src/pytest/event_stream.ts";

async function* chunksOf(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

async function read(texts: readonly string[], longestLine?: number): Promise<string[]> {
  const seen: string[] = [];
  for await (const batch of readEvents(chunksOf(texts), longestLine)) {
    for (const event of batch) {
      seen.push(event.event === "begin" ? event.id : event.event);
    }
  }
  return seen;
}

const begin = (id: string) => `${JSON.stringify({ event: "begin", id })}\n`;

Deno.test("readEvents() puts lines together, wherever they were cut", async () => {
  const text = begin("ä") + begin("b") + begin("c");
  for (const size of [1, 7, 30, 1000]) {
    const cut = Array.from(
      { length: Math.ceil(text.length / size) },
      (_, index) => text.slice(index * size, (index + 1) * size),
    );
    assert.deepEqual(await read(cut), ["ä", "b", "c"]);
  }
});

Deno.test("readEvents() says that a line was lost, and holds none that is too long", async () => {
  const long = ["x".repeat(60), "x".repeat(60), `x\n${begin("b")}`];
  assert.deepEqual(await read([begin("a"), ...long], 100), ["a", "internal_error", "b"]);
});

Deno.test("readEvents() passes over what another program says before us, and a line that has no end", async () => {
  assert.deepEqual(await read(["hello\n", "{}\n", begin("a"), '{"event":']), ["a"]);
  assert.deepEqual(await read(["hello\nworld\n"]), []);
});

Deno.test("readEvents() says when something is no event, or none that a process can know", async () => {
  const busy = '{"event":"busy","running":1,"waiting":1}\n';
  for (const line of ["hello\n", "null\n", '{"event":"passed","id":1}\n', busy]) {
    assert.deepEqual(await read([begin("a"), line, begin("b")]), ["a", "internal_error", "b"]);
  }
});
