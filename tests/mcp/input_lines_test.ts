import assert from "node:assert/strict";
import { type InputLine, InputLines } from "../../src/mcp/input_lines.ts";

const LIMITS = { maxBytes: 20, giveUpBytes: 40 };

function readAll(chunks: readonly (string | Uint8Array)[]): InputLine[] {
  const lines = new InputLines(LIMITS);
  const encoder = new TextEncoder();
  const found = chunks.flatMap((chunk) => [
    ...lines.push(typeof chunk === "string" ? encoder.encode(chunk) : chunk),
  ]);
  return [...found, ...lines.end()];
}

const text = (value: string): InputLine => ({ kind: "text", text: value });

Deno.test("InputLines.push() yields each line when a chunk holds several and a part", () => {
  assert.deepEqual(readAll(["a\nb\n\nc", "d\r\ne"]), [
    text("a"),
    text("b"),
    text("cd\r"),
    text("e"),
  ]);
});

Deno.test("InputLines.push() keeps characters whole when a chunk ends within one", () => {
  const bytes = new TextEncoder().encode("ü€\n");
  assert.deepEqual(readAll([...bytes].map((byte) => Uint8Array.of(byte))), [text("ü€")]);
});

Deno.test("InputLines.push() keeps a line of exactly the limit", () => {
  assert.deepEqual(readAll(["x".repeat(20), "\n"]), [text("x".repeat(20))]);
});

Deno.test("InputLines.push() reports a line over the limit once, with the id, and reads on", () => {
  assert.deepEqual(readAll(['{"params":"aaaaaaa', 'aaaa","id":5}', "\nnext\n"]), [
    { kind: "too_long", id: 5 },
    text("next"),
  ]);
});

Deno.test("InputLines.push() gives up on a line without end before it ends, and says so once", () => {
  const lines = new InputLines(LIMITS);
  const chunk = new TextEncoder().encode("x".repeat(15));
  const found = Array.from({ length: 20 }, () => [...lines.push(chunk)]).flat();
  assert.deepEqual(found, [{ kind: "too_long", id: undefined }]);
  assert.deepEqual([...lines.push(new TextEncoder().encode("\nok\n"))], [text("ok")]);
});

Deno.test("InputLines.push() reports invalid UTF-8 with the id, and reads on", () => {
  const bad = [...new TextEncoder().encode('{"id":9,"x":"'), 0xff, 0x22, 0x7d, 0x0a];
  assert.deepEqual(readAll([Uint8Array.from(bad), "ok\n"]), [
    { kind: "not_utf8", id: 9 },
    text("ok"),
  ]);
});

Deno.test("InputLines.push() drops a byte order mark", () => {
  assert.deepEqual(readAll(["\ufeff{}\n"]), [text("{}")]);
});
