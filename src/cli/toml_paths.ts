/**
 * Which keys and tables a TOML file defines: enough to know whether a table may be appended.
 *
 * @module
 */

/** A key with a value, or a table, by its whole path; null when the text is not valid TOML. */
export function tomlPaths(text: string): readonly (readonly string[])[] | null {
  const reader = new Reader(text.replace(/^\uFEFF/, ""));
  const paths: (readonly string[])[] = [];
  try {
    let table: readonly string[] = [];
    for (reader.skip(BETWEEN); !reader.ended(); reader.skip(BETWEEN)) {
      const bracket = reader.take(/\[\[?/y);
      if (bracket === null) {
        paths.push([...table, ...reader.key()]);
        reader.need(/=/y);
        reader.value();
      } else {
        table = reader.key();
        reader.need(bracket === "[" ? /\]/y : /\]\]/y);
        // an array of tables is a value: nothing below it can be named from outside
        if (bracket === "[[" || table.length > 1) paths.push(table);
      }
      reader.need(/[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y);
    }
    return paths;
  } catch (error) {
    if (error instanceof NotToml) return null;
    throw error;
  }
}

const BETWEEN = /(?:\s+|#[^\n]*)*/y;
const STRING = /"""[^]*?(?<!\\)(?:\\\\)*"""+|'''[^]*?'''+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const SCALAR = /(?:true|false|[-+]?(?:inf|nan|\d[\w.:+-]*(?: \d\d:[\d:.]+\S*)?))(?=[\s,\]}#]|$)/y;
const KEY = /[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;

class NotToml extends Error {}

class Reader {
  #at = 0;
  constructor(readonly text: string) {}

  ended(): boolean {
    return this.#at >= this.text.length;
  }

  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }

  skip(pattern: RegExp): void {
    this.take(pattern);
  }

  need(pattern: RegExp): string {
    const found = this.take(pattern);
    if (found === null) throw new NotToml();
    return found;
  }

  /** A dotted key with the blanks around it. */
  key(): string[] {
    const parts: string[] = [];
    do {
      this.skip(/[ \t]*/y);
      parts.push(keyName(this.need(KEY)));
      this.skip(/[ \t]*/y);
    } while (this.take(/\./y) !== null);
    return parts;
  }

  value(): void {
    this.skip(/[ \t]*/y);
    if (this.take(/\[/y) !== null) {
      this.#items(/\]/y, () => this.value());
    } else if (this.take(/\{/y) !== null) {
      this.#items(/\}/y, () => {
        this.key();
        this.need(/=/y);
        this.value();
      });
    } else if (this.take(STRING) === null) this.need(SCALAR);
  }

  #items(end: RegExp, item: () => void): void {
    for (this.skip(BETWEEN); this.take(end) === null; this.skip(BETWEEN)) {
      item();
      this.skip(BETWEEN);
      if (this.take(/,/y) === null) return void this.need(end);
    }
  }
}

/** Quoted keys may hold escapes, of which TOML has one more than JSON. */
function keyName(source: string): string {
  if (source.startsWith("'")) return source.slice(1, -1);
  if (!source.startsWith('"')) return source;
  try {
    return JSON.parse(
      source.replace(
        /\\U([0-9a-fA-F]{8})/g,
        (_, code) => String.fromCodePoint(Number.parseInt(code, 16)),
      ),
    );
  } catch {
    throw new NotToml();
  }
}
