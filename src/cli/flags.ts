/**
 * Command line flags as data: one list is parsed, shown by --help and compared with the documents.
 *
 * @module
 */
import { parseArgs, type ParseArgsConfig } from "node:util";

/** One flag of a command. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** what stands for the value in the help text; a flag without it takes no value */
  readonly value?: string;
  /** may be given more than once */
  readonly multiple?: boolean;
  readonly help: string;
}

/** The value of each flag that was given. */
export type FlagValues = Readonly<Record<string, string | boolean | (string | boolean)[]>>;

/** A command line taken apart, or the one sentence that says what is wrong with it. */
export type ParsedFlags =
  | { readonly ok: true; readonly values: FlagValues; readonly positionals: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** Reads `args` by `flags`; anything that is not among them is an error. */
export function parseFlags(args: readonly string[], flags: readonly Flag[]): ParsedFlags {
  const options: NonNullable<ParseArgsConfig["options"]> = {};
  for (const flag of flags) {
    options[flag.name] = {
      type: flag.value === undefined ? "boolean" : "string",
      ...(flag.short === undefined ? {} : { short: flag.short }),
      ...(flag.multiple === undefined ? {} : { multiple: flag.multiple }),
    };
  }
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    const values: Record<string, string | boolean | (string | boolean)[]> = {};
    for (const [name, value] of Object.entries(parsed.values)) {
      if (value !== undefined) values[name] = value;
    }
    return { ok: true, values, positionals: parsed.positionals };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { ok: false, message: firstSentence(text) };
  }
}

/** The text value of a flag, or undefined when it was not given. */
export function textFlag(values: FlagValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** A flag line of the help text: names on the left, meaning on the right. */
export function describeFlag(flag: Flag): readonly [left: string, right: string] {
  const short = flag.short === undefined ? "" : `-${flag.short}, `;
  const value = flag.value === undefined ? "" : ` ${flag.value}`;
  return [`${short}--${flag.name}${value}`, flag.help];
}

/** Two aligned columns, the right one wrapped at `width`. */
export function twoColumns(rows: readonly (readonly [string, string])[], width = 100): string {
  const left = Math.min(30, Math.max(0, ...rows.map(([name]) => name.length)));
  return rows.map(([name, text]) => {
    const lines = wrap(text, Math.max(20, width - left - 4));
    const first = name.length > left
      ? `  ${name}\n${" ".repeat(left + 4)}`
      : `  ${name.padEnd(left)}  `;
    return first + lines.join(`\n${" ".repeat(left + 4)}`);
  }).join("\n");
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Node's first line says what is wrong; what it adds for a value with a dash is worth keeping short. */
function firstSentence(text: string): string {
  const line = (text.split("\n")[0] ?? text).replace(/\. To specify a positional argument .*$/, "");
  const ambiguous = /^Option '(?:-\w, )?(--[\w-]+).*' argument is ambiguous/.exec(line);
  if (ambiguous !== null) {
    return `Option '${ambiguous[1]}' needs a value; write '${ambiguous[1]}=-…' for one with a dash`;
  }
  return line.replace(/\.$/, "");
}
