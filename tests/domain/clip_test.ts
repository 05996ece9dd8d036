import assert from "node:assert/strict";
import fc from "fast-check";
import {
  clipBytes,
  clipEnd,
  clipInline,
  clipLines,
  clipMiddle,
  joinWithin,
} from "../../src/domain/clip.ts";

Deno.test("clipEnd() keeps the beginning and counts the rest", () => {
  assert.equal(clipEnd("short", 5), "short");
  assert.equal(clipEnd("x".repeat(2_000), 40), `${"x".repeat(15)} …[1,985 characters more]`);
});

Deno.test("clipMiddle() keeps head and tail and counts what is between", () => {
  const text = "a".repeat(60) + "b".repeat(60);
  assert.equal(
    clipMiddle(text, 60),
    `${"a".repeat(15)}\n…[89 characters left out]…\n${"b".repeat(16)}`,
  );
  assert.ok(clipMiddle(text, 60, 0).endsWith("b".repeat(29)));
});

Deno.test("clipInline() stays on one line", () => {
  assert.equal(clipInline("a".repeat(100), 60).includes("\n"), false);
});

Deno.test("clipLines() keeps the first line and the crash end", () => {
  const text = ["first", ...Array.from({ length: 50 }, (_, n) => `line ${n}`)].join("\n");
  assert.equal(clipLines(text, 55), "first\n… 47 lines left out\nline 47\nline 48\nline 49");
  assert.equal(clipLines(text, 10_000), text);
});

Deno.test("clipLines() shortens long lines before it leaves out short ones", () => {
  const list = Array.from({ length: 40 }, (_, n) => `fixture_${n}`).join(", ");
  const clipped = clipLines(`at setup:\ntests/test_a.py:9: def test(nope):\n${list}`, 160);
  const lines = clipped.split("\n");
  assert.deepEqual(lines.slice(0, 2), ["at setup:", "tests/test_a.py:9: def test(nope):"]);
  assert.match(lines[2] ?? "", /^fixture_0, .* …\[\d+ characters left out\]… .*fixture_39$/);
  assert.equal(lines.length, 3);
  const wide = clipLines(
    `first ${"x".repeat(300)}\nsecond ${"x".repeat(20)}\nthird\n${"y".repeat(300)} last`,
    160,
  );
  assert.match(wide, /^first x+ …\[\d+ characters left out\]… x+\n… 2 lines left out\n.* last$/);
});

Deno.test("clipLines() cuts within a line when a line alone is too long", () => {
  const clipped = clipLines(`first\n${"x".repeat(500)}end`, 100);
  assert.ok(clipped.startsWith("first") && clipped.endsWith("xend"), clipped);
  assert.match(clipped, /…\[\d+ characters left out\]…/);
});

Deno.test("joinWithin() counts the entries that do not fit", () => {
  assert.equal(joinWithin(["a", "b", "c"], ", ", 100), "a, b, c");
  assert.equal(
    joinWithin(Array(100).fill("abcdef"), ", ", 40),
    "abcdef, abcdef, abcdef, … and 97 more",
  );
  assert.equal(joinWithin([], ", ", 10), "");
});

Deno.test("clipBytes() keeps within the bytes of UTF-8", () => {
  const size = (text: string) => new TextEncoder().encode(text).length;
  const clipped = clipBytes("é".repeat(50_000), 65_536);
  assert.ok(size(clipped) <= 65_536 && size(clipped) > 60_000, String(size(clipped)));
  assert.match(clipped, /…\[[\d,]+ characters left out\]…/);
  assert.equal(clipBytes("a".repeat(65_536), 65_536), "a".repeat(65_536));
});

Deno.test("every way to clip keeps its limit and never splits a character", () => {
  const clips = [clipEnd, clipMiddle, clipInline, clipLines, clipBytes];
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "😀", "\n", "é"), maxLength: 400 }),
      fc.integer({ min: 60, max: 300 }),
      (text, limit) => {
        for (const clip of clips) {
          const clipped = clip(text, limit);
          assert.ok(clipped.length <= limit, `${clip.name}: ${clipped.length} > ${limit}`);
          assert.ok(clipped.isWellFormed(), clip.name);
          if (text.length <= limit && clip !== clipBytes) assert.equal(clipped, text);
        }
      },
    ),
  );
});
