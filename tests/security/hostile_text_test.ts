import assert from "node:assert/strict";
import { LEAN_STYLE } from "../../src/domain/failure_text.ts";
import { leanFixtureError } from "../../src/domain/fixture_error.ts";
import { splitMessage } from "../../src/domain/explanation.ts";
import { tidyStacks } from "../../src/domain/hang_stack.ts";
import { checkKeywords, checkMarkers } from "../../src/domain/match_expression.ts";
import { plainText, relativizeLocations } from "../../src/domain/plain_text.ts";
import { startError } from "../../src/domain/start_error.ts";
import { textHeadline } from "../../src/domain/text_headline.ts";
import { lossesOf } from "../../src/pytest/patch_losses.ts";

/** So long that a pattern which reads it from each of its characters again would not end today. */
const CHARACTERS = 1_000_000;
const many = (text: string) => text.repeat(Math.ceil(CHARACTERS / text.length));

/** Who reads text of a project or a client with patterns. */
const READERS: Record<string, (text: string) => unknown> = {
  "lossesOf()": (text) => lossesOf(`-${text}\n+x`),
  "textHeadline()": (text) => textHeadline(text),
  "startError()": (text) => startError(text, { ...LEAN_STYLE, roots: ["/code/project"] }),
  "plainText()": (text) => plainText(text),
  "relativizeLocations()": (text) => relativizeLocations(text, ["/code/project"]),
  "splitMessage()": (text) => splitMessage(`assert x\n${text}`),
  "leanFixtureError()": (text) => leanFixtureError(`> available fixtures: x\n${text}`),
  "tidyStacks()": (text) => tidyStacks(`Thread 1\n${text}`),
  "checkKeywords()": (text) => checkKeywords(text),
  "checkMarkers()": (text) => checkMarkers(text),
};

/** What each of them may be made to read again and again. */
const TEXTS: readonly string[] = [
  `x${many(" ")}!`,
  `x${many(" ")}: ${many(" ")}`,
  `from${many(" ")}x`,
  `from ${many(".")}`,
  `import x${many(" ")}x`,
  `import ${many("x as ")}`,
  `if ${many(":#")}\u2028`,
  `if ${many(": ")}x`,
  `${many(" ")}x,${" "}y`,
  many("("),
  many("Expected:\n"),
  many("Got:\n    x\n"),
  `Expected:\n    1\nGot:\n    ${many(" ")}x`,
  many("Traceback (most recent call last):\n"),
  many("Traceback (most recent call last):\nValueError \n"),
  many("E "),
  many("E    \n"),
  `file ${many(", line 1")}x`,
  many("file a, line 1\n"),
  `a:${many("1")}x`,
  many(":1"),
  ` File "${many('", line 1')}`,
  `${many(" |")}File`,
  many("\x1b]"),
  `\x1b[${many(" ")}`,
  many("<a at 0x1111"),
  `+ where ${many("a = ")}\u2028`,
  many("/site-packages/"),
  many("x: error: \n"),
  `a${many(".ini")}`,
  many(" \n"),
];

for (const [name, read] of Object.entries(READERS)) {
  Deno.test(`${name} comes to an end with long texts that repeat what it looks for`, () => {
    for (const text of TEXTS) assert.doesNotThrow(() => read(text));
  });
}
