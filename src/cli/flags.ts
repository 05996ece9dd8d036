/**
 * Command line flags as data: one list is parsed, shown by --help and compared with the documents.
 *
 * @module
 */
import type { ParseArgsConfig } from "node:util";

/** One flag of a command. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** what stands for the value in the help text; a flag without it takes no value */
  readonly value?: string;
  /** may be given more than once */
  readonly multiple?: boolean;
  /** may be taken back: `--no-name` makes it false */
  readonly negatable?: boolean;
  /** its letter can be counted: `-vv` is `-v 2` */
  readonly counted?: boolean;
  readonly help: string;
}

/** The value of each flag that was given. */
export type FlagValues = Readonly<Record<string, string | boolean | (string | boolean)[]>>;

/** A command line taken apart, or the one sentence that says what is wrong with it. */
export type ParsedFlags =
  | { readonly ok: true; readonly values: FlagValues; readonly positionals: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** Reads `args` by `flags`; anything that is not among them is an error. */
export async function parseFlags(
  args: readonly string[],
  flags: readonly Flag[],
): Promise<ParsedFlags> {
  if (args.length === 0) return { ok: true, values: {}, positionals: [] };
  // Most servers are started without flags: their start does not pay for this.
  const { parseArgs } = await import("node:util");
  const options: NonNullable<ParseArgsConfig["options"]> = {};
  for (const flag of flags) {
    options[flag.name] = {
      type: flag.value === undefined ? "boolean" : "string",
      ...(flag.short === undefined ? {} : { short: flag.short }),
      ...(flag.multiple === undefined ? {} : { multiple: flag.multiple }),
    };
    if (flag.negatable) options[`no-${flag.name}`] = { type: "boolean" };
  }
  try {
    const counted = countLetters(args, flags);
    const parsed = parseArgs({ args: counted, options, allowPositionals: true, strict: true });
    const values: Record<string, string | boolean | (string | boolean)[]> = {};
    for (const [name, value] of Object.entries(parsed.values)) {
      if (value !== undefined) values[name] = value;
    }
    for (const { name } of flags.filter((flag) => flag.negatable)) {
      const { [`no-${name}`]: taken } = values;
      if (taken === undefined) continue;
      if (values[name] === true) {
        return { ok: false, message: `--${name} and --no-${name} contradict each other` };
      }
      values[name] = false;
    }
    return { ok: true, values, positionals: parsed.positionals };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { ok: false, message: firstSentence(text) };
  }
}

/** `-v` and `-vv` with their number spelled out; `-v 2` has one already. */
function countLetters(args: readonly string[], flags: readonly Flag[]): string[] {
  return args.map((arg, at) => {
    if (args.slice(0, at).includes("--") || !/^-([a-z])\1*$/.test(arg)) return arg;
    const flag = flags.find(({ counted, short }) => counted && short === arg[1]);
    const number = arg.length === 2 && /^-?\d+$/.test(args[at + 1] ?? "");
    return flag === undefined || number ? arg : `--${flag.name}=${arg.length - 1}`;
  });
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
  const no = flag.negatable ? "[no-]" : "";
  return [`${short}--${no}${flag.name}${value}`, flag.help];
}

/** Two aligned columns, the right one wrapped at `width`. */
export function twoColumns(rows: readonly (readonly [string, string])[], width: number): string {
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
