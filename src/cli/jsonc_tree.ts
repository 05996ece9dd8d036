/**
 * Where each value of a JSON file stands. Comments and trailing commas are allowed: editors keep their
 * settings that way.
 *
 * @module
 */

/** A value by its place in the text. */
export interface JsonNode {
  readonly start: number;
  readonly end: number;
  /** what it means, comments left out */
  readonly value: unknown;
  /** of an object: its properties in the order of the text */
  readonly members: readonly JsonMember[] | null;
}

/** One property of an object. */
export interface JsonMember {
  readonly key: string;
  readonly start: number;
  readonly node: JsonNode;
}

/** A text that is not JSON, and where. */
export class JsonSyntaxError extends Error {}

/** Reads a whole file; throws JsonSyntaxError. */
export function parseJsonTree(text: string): JsonNode {
  const reader = new Reader(text);
  const node = reader.value();
  reader.skipTrivia();
  if (reader.at < text.length) reader.fail();
  return node;
}

/** The end of the whitespace and comments that begin at `from`, on the same line only if asked. */
export function skipTrivia(text: string, from: number, sameLine = false): number {
  const trivia = sameLine
    ? /(?:[ \t]+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y
    : /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
  trivia.lastIndex = from;
  return from + (trivia.exec(text)?.[0].length ?? 0);
}

class Reader {
  at = 0;
  constructor(readonly text: string) {
    if (text.startsWith("\uFEFF")) this.at = 1;
  }

  fail(): never {
    const line = this.text.slice(0, this.at).split("\n").length;
    const found = this.text[this.at] === undefined ? "the end" : `'${this.text[this.at]}'`;
    throw new JsonSyntaxError(`not valid JSON: unexpected ${found} in line ${line}`);
  }

  skipTrivia(): void {
    this.at = skipTrivia(this.text, this.at);
  }

  takes(char: string): boolean {
    this.skipTrivia();
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  value(): JsonNode {
    this.skipTrivia();
    const start = this.at;
    if (this.takes("{")) return this.object(start);
    if (this.takes("[")) return this.array(start);
    const value = this.scalar();
    return { start, end: this.at, value, members: null };
  }

  scalar(): unknown {
    const pattern = /"(?:[^"\\\n]|\\.)*"|[-+.\w]+/y;
    pattern.lastIndex = this.at;
    const source = pattern.exec(this.text)?.[0] ?? this.fail();
    try {
      const value: unknown = JSON.parse(source);
      this.at += source.length;
      return value;
    } catch {
      return this.fail();
    }
  }

  object(start: number): JsonNode {
    const members: JsonMember[] = [];
    while (!this.takes("}")) {
      this.skipTrivia();
      const from = this.at;
      const key = this.scalar();
      if (typeof key !== "string" || !this.takes(":")) this.fail();
      members.push({ key, start: from, node: this.value() });
      if (!this.takes(",") && this.text[this.at] !== "}") this.fail();
    }
    const value = Object.fromEntries(members.map(({ key, node }) => [key, node.value]));
    return { start, end: this.at, value, members };
  }

  array(start: number): JsonNode {
    const items: unknown[] = [];
    while (!this.takes("]")) {
      items.push(this.value().value);
      if (!this.takes(",") && this.text[this.at] !== "]") this.fail();
    }
    return { start, end: this.at, value: items, members: null };
  }
}
