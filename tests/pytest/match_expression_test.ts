import assert from "node:assert/strict";
import fc from "fast-check";
import { checkKeywords, checkMarkers } from "../../src/domain/match_expression.ts";
import { chosenEnvironments, environment } from "../support/environments.ts";

/** pytest's own parser, as -m and -k call it; prints which expressions it can read. */
const PARSER = `
import json, sys
from _pytest.mark.expression import Expression
import pytest

old = tuple(map(int, pytest.__version__.split(".")[:2])) < (7, 0)

def reads(text):
    try:
        Expression.compile(text)
        return True
    except Exception:
        return False

def keywords(text):
    text = text.lstrip()
    if old and text.startswith("-"):
        text = "not " + text[1:]
    if old and text[-1:] == ":":
        text = text[:-1]
    return reads(text)

print(json.dumps([[reads(text), keywords(text)] for text in json.load(sys.stdin)]))
`;

const PIECES = [
  ..."a b1 not and or ( ) = , : - + . / \\ [ ] _ @ # ! True None a::b x[1] a-b".split(" "),
  ...[
    "'x'",
    '"y z"',
    "a(b=1)",
    "a(b='q', c=True)",
    "a(if=1)",
    "a(b=c)",
    "a(1b=1)",
    " ",
    "\t",
    "\n",
  ],
  ...["é", "日本", "²", "½", "ª", "٣", "कि", "😀", "\x1c", "\x85", "'", '"', "- ", " :"],
];

async function parse(
  python: string,
  expressions: readonly string[],
): Promise<[boolean, boolean][]> {
  const child = new Deno.Command(python, {
    args: ["-c", PARSER],
    env: { PYTHONUTF8: "1" },
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(expressions)));
  await writer.close();
  const { stdout } = await child.output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("checkMarkers() and checkKeywords() reject nothing that a supported pytest reads", async () => {
  const expression = fc.array(fc.constantFrom(...PIECES), { maxLength: 7 })
    .chain((pieces) => fc.constantFrom("", " ").map((space) => pieces.join(space)));
  const expressions = fc.sample(expression, { numRuns: 4_000, seed: 4 });
  const accepted = expressions.map(() => [false, false]);
  for (const name of chosenEnvironments()) {
    const { python } = await environment(name);
    for (const [index, [markers, keywords]] of (await parse(python, expressions)).entries()) {
      const all = accepted[index] ?? [];
      accepted[index] = [all[0] || markers, all[1] || keywords];
    }
  }
  const newest = chosenEnvironments().some((name) => name === "pytest9" || name === "rich");
  const count = { markers: 0, rejected: 0 };
  for (const [index, text] of expressions.entries()) {
    const [markers = false, keywords = false] = accepted[index] ?? [];
    const label = JSON.stringify(text);
    if (markers) assert.equal(checkMarkers(text), null, label);
    if (keywords) assert.equal(checkKeywords(text), null, label);
    // The newest reads whatever an older one does; in -k, spellings of both pass here, and pytest decides.
    if (!markers && newest) assert.notEqual(checkMarkers(text), null, label);
    count[markers ? "markers" : "rejected"]++;
  }
  assert.ok(count.markers > 500 && count.rejected > 500, JSON.stringify(count));
});
