/**
 * The grammar of pytest's `-m` and `-k`, as the union of all supported versions: an expression that any
 * of them accepts passes, so that a rejection here is a rejection everywhere.
 *
 * @module
 */

/** Where an expression cannot be read, and why. */
export interface ExpressionProblem {
  /** counts from 0, in characters of the expression */
  readonly position: number;
  readonly message: string;
}

type TokenKind = "(" | ")" | "or" | "and" | "not" | "identifier" | "string" | "=" | "," | "end";
interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly position: number;
}

/** Python's own recursion limit: pytest gives up earlier, how much depends on the Python, and says so itself. */
const MAX_DEPTH = 1000;

// Python's \w, plus what pytest adds to it.
const IDENTIFIER = /[\p{L}\p{N}_:+\-.[\]\\/]+/uy;
const PYTHON_NAME = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;
const PYTHON_KEYWORDS = new Set(
  ("False None True and as assert async await break class continue def del elif else except finally " +
    "for from global if import in is lambda nonlocal not or pass raise return try while with yield")
    .split(" "),
);
const PUNCTUATION: Record<string, TokenKind> = { "(": "(", ")": ")", "=": "=", ",": "," };
const WORDS: Record<string, TokenKind> = { or: "or", and: "and", not: "not" };

class SyntaxProblem extends Error {
  constructor(readonly position: number, message: string) {
    super(message);
  }
}

/** The token at `from` or after the blanks there; one at a time, because nothing bounds their number. */
function readToken(input: string, from: number): Token {
  let position = from;
  while (input.charAt(position) === " " || input.charAt(position) === "\t") position++;
  if (position === input.length) return { kind: "end", text: "", position };
  const token = punctuation(input, position) ?? identifier(input, position);
  if (token !== null) return token;
  const shown = String.fromCodePoint(input.codePointAt(position) ?? 0);
  throw new SyntaxProblem(position, `unexpected character ${JSON.stringify(shown)}`);
}

function punctuation(input: string, position: number): Token | null {
  const character = input.charAt(position);
  const kind = PUNCTUATION[character];
  if (kind !== undefined) return { kind, text: character, position };
  if (character !== "'" && character !== '"') return null;
  const end = input.indexOf(character, position + 1);
  if (end < 0) throw new SyntaxProblem(position, `the closing quote ${character} is missing`);
  const text = input.slice(position, end + 1);
  if (text.includes("\\")) {
    throw new SyntaxProblem(position + text.indexOf("\\"), "a string cannot hold a backslash");
  }
  return { kind: "string", text, position };
}

function identifier(input: string, position: number): Token | null {
  IDENTIFIER.lastIndex = position;
  const text = IDENTIFIER.exec(input)?.[0];
  if (text === undefined) return null;
  const kind = Object.hasOwn(WORDS, text) ? WORDS[text] : undefined;
  return { kind: kind ?? "identifier", text, position };
}

class Parser {
  readonly #input: string;
  #token: Token;
  #depth = 0;

  constructor(input: string) {
    this.#input = input;
    this.#token = readToken(input, 0);
  }

  expression(): void {
    if (this.#token.kind === "end") return;
    this.#or();
    this.#take("end");
  }

  #or(): void {
    do {
      do this.#not(); while (this.#accept("and"));
    } while (this.#accept("or"));
  }

  #not(): void {
    if (++this.#depth > MAX_DEPTH) {
      throw new SyntaxProblem(this.#token.position, "nested too deeply");
    }
    if (this.#accept("not")) {
      this.#not();
    } else if (this.#accept("(")) {
      this.#or();
      this.#take(")");
    } else {
      this.#take("identifier", "'not', '(' or a name");
      if (this.#accept("(")) this.#keywordArguments();
    }
    this.#depth--;
  }

  #keywordArguments(): void {
    do {
      const name = this.#take("identifier");
      if (!PYTHON_NAME.test(name.text) || PYTHON_KEYWORDS.has(name.text)) {
        throw new SyntaxProblem(name.position, `${name.text} is not a valid argument name`);
      }
      this.#take("=");
      if (this.#accept("string")) continue;
      const value = this.#take("identifier", "a string, an integer, True, False or None");
      if (!/^(-?\p{Nd}+|True|False|None)$/u.test(value.text)) {
        throw new SyntaxProblem(value.position, `${value.text} must be quoted`);
      }
    } while (this.#accept(","));
    this.#take(")");
  }

  #advance(): void {
    const { position, text } = this.#token;
    this.#token = readToken(this.#input, position + text.length);
  }

  #accept(kind: TokenKind): boolean {
    if (this.#token.kind !== kind) return false;
    this.#advance();
    return true;
  }

  #take(kind: TokenKind, expected: string = describe(kind)): Token {
    const token = this.#token;
    if (token.kind !== kind) {
      const got = token.text === "" ? "the end" : JSON.stringify(token.text);
      throw new SyntaxProblem(token.position, `expected ${expected}, got ${got}`);
    }
    this.#advance();
    return token;
  }
}

function describe(kind: TokenKind): string {
  if (kind === "end") return "'and', 'or' or the end";
  return kind === "identifier" ? "a name" : `'${kind}'`;
}

function findProblem(input: string): ExpressionProblem | null {
  try {
    new Parser(input).expression();
    return null;
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return { position: error.position, message: error.message };
  }
}

/** Checks a `-m` expression; null if it can be read. */
export function checkMarkers(expression: string): ExpressionProblem | null {
  return findProblem(expression);
}

/** Checks a `-k` expression, which pytest strips first and in which 6.2 reads a leading `-` as not and drops a last `:`. */
export function checkKeywords(expression: string): ExpressionProblem | null {
  // deno-lint-ignore no-control-regex -- Python's lstrip() takes the separators \x1c-\x1f for white space
  const stripped = expression.replace(/^[\s\x1c-\x1f\x85]+/, "");
  const problem = findProblem(stripped);
  if (problem === null) return null;
  const older = stripped.replace(/^-/, "not ").replace(/:$/, "");
  if (older !== stripped && findProblem(older) === null) return null;
  return { ...problem, position: problem.position + expression.length - stripped.length };
}
