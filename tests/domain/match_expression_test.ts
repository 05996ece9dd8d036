import assert from "node:assert/strict";
import { checkKeywords, checkMarkers } from "../../src/domain/match_expression.ts";

/** Accepted by at least one of pytest 6.2.5, 7.0, 7.4, 8.0, 8.3, 8.4 and 9.x, as its own parser says. */
const ACCEPTED = [
  "",
  "  \t",
  "slow",
  "not slow",
  "not not slow",
  "a and b or not (c or d)",
  "((a))",
  "True and None",
  "test_x[1-2] or a::b",
  "a-b+c.d/e\\f:g",
  "-x",
  "é or 日本 or ٣ or ² or ½ or ª",
  "device(serial='x y')",
  'device(serial="it\'s", n=-3, ok=True, no=None, é=1)',
  "andy or order or nothing",
  "not(a)",
];

/** Rejected by every version, with the position and the reason that an agent gets. */
const REJECTED: [expression: string, position: number, reason: string][] = [
  ["slow and", 8, "expected 'not', '(' or a name, got the end"],
  ["and", 0, "expected 'not', '(' or a name, got \"and\""],
  ["a b", 2, "expected 'and', 'or' or the end, got \"b\""],
  ["(a or b", 7, "expected ')', got the end"],
  ["()", 1, "expected 'not', '(' or a name, got \")\""],
  ["a)", 1, "expected 'and', 'or' or the end, got \")\""],
  ["a & b", 2, 'unexpected character "&"'],
  ["a\nb", 1, 'unexpected character "\\n"'],
  ["a or 😀", 5, 'unexpected character "😀"'],
  ["कि", 1, 'unexpected character "ि"'],
  ["a(b)", 3, "expected '=', got \")\""],
  ["a()", 2, 'expected a name, got ")"'],
  ["a(if=1)", 2, "if is not a valid argument name"],
  ["a(b-c=1)", 2, "b-c is not a valid argument name"],
  ["a(b=c)", 4, "c must be quoted"],
  ["a(b='x", 4, "the closing quote ' is missing"],
  ["a(b='x\\y')", 6, "a string cannot hold a backslash"],
  ["a(b=1,)", 6, 'expected a name, got ")"'],
  ["'a'", 0, "expected 'not', '(' or a name, got \"'a'\""],
  ["a = b", 2, "expected 'and', 'or' or the end, got \"=\""],
];

Deno.test("checkMarkers() and checkKeywords() accept whatever a supported pytest accepts", () => {
  for (const expression of ACCEPTED) {
    assert.equal(checkMarkers(expression), null, expression);
    assert.equal(checkKeywords(expression), null, expression);
  }
});

Deno.test("checkMarkers() and checkKeywords() point at what no pytest accepts", () => {
  for (const [expression, position, message] of REJECTED) {
    assert.deepEqual(checkMarkers(expression), { position, message });
    assert.deepEqual(checkKeywords(expression), { position, message });
  }
});

Deno.test("checkKeywords() accepts the older spellings and the white space that only -k has", () => {
  for (const expression of ["- slow", "slow or fast :", "(a):", "\n\x1c slow"]) {
    assert.equal(checkKeywords(expression), null, expression);
    assert.notEqual(checkMarkers(expression), null, expression);
  }
});

Deno.test("checkKeywords() counts the position in the expression as it was given", () => {
  assert.equal(checkKeywords("\n\n a &")?.position, 5);
});

Deno.test("checkMarkers() answers a hostile expression instead of overflowing the stack", () => {
  assert.equal(checkMarkers("(".repeat(100_000))?.message, "nested too deeply");
  assert.equal(checkMarkers("not ".repeat(100_000))?.message, "nested too deeply");
  assert.equal(checkMarkers(Array(50_000).fill("a").join(" or ")), null);
});
