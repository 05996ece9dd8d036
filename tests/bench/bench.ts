/**
 * `deno task bench`: pytest-mcp and two Python servers against bare pytest, measured side by side.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { SetupError } from "../support/base_python.ts";
import { writeToStderr } from "../support/build_once.ts";
import { type ContenderName, CONTENDERS } from "./contenders.ts";
import { measureRow, type RowResult } from "./measure_row.ts";
import { type Row, ROWS } from "./rows.ts";
import { notes, tableCells, toJson, toMarkdown, toText } from "./table.ts";

const HELP = `deno task bench [flags]
  --rows a,b         ${ROWS.map(({ name }) => name).join(", ")}; default: all
  --contenders a,b   ${CONTENDERS.join(", ")}; default: all
  --rounds N         instead of each row's own number
  --json             every value, for machines
  --markdown         the table for a document

Each cell: median (quartiles) of the ratio to the first column in the same round.
`;

interface Flags {
  readonly rows: readonly Row[];
  readonly contenders: readonly ContenderName[];
  readonly rounds: number | undefined;
  readonly form: "text" | "json" | "markdown";
}

function readFlags(args: readonly string[]): Flags | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: "string" },
      contenders: { type: "string" },
      rounds: { type: "string" },
      json: { type: "boolean", default: false },
      markdown: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) {
    throw new SetupError(`--rounds must be a whole number from 1: current value is ${rounds}`);
  }
  return {
    rows: choose(ROWS, values.rows, ({ name }) => name),
    contenders: choose(CONTENDERS, values.contenders, (name) => name),
    rounds,
    form: values.json ? "json" : values.markdown ? "markdown" : "text",
  };
}

/** Those that a flag names, in the order of the table. */
function choose<T>(all: readonly T[], names: string | undefined, nameOf: (one: T) => string): T[] {
  if (names === undefined) return [...all];
  const wanted = names.split(",").map((name) => name.trim());
  const unknown = wanted.find((name) => !all.some((one) => nameOf(one) === name));
  if (unknown !== undefined) {
    throw new SetupError(`There is no "${unknown}": known are ${all.map(nameOf).join(", ")}`);
  }
  return all.filter((one) => wanted.includes(nameOf(one)));
}

async function bench(flags: Flags): Promise<string> {
  const directory = await Deno.realPath(await Deno.makeTempDir({ prefix: "pytest-mcp-bench-" }));
  const results: RowResult[] = [];
  try {
    for (const row of flags.rows) {
      const rounds = flags.rounds ?? row.rounds;
      const options = { contenders: flags.contenders, rounds, directory, say: writeToStderr };
      results.push(await measureRow(row, options));
    }
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
  if (flags.form === "json") return JSON.stringify(toJson(results), null, 2);
  const cells = tableCells(results, flags.contenders);
  const table = flags.form === "markdown" ? toMarkdown(cells) : toText(cells);
  return [table, "", ...notes(results)].join("\n").trimEnd();
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

try {
  const flags = readFlags(Deno.args);
  say(flags === "help" ? HELP : await bench(flags));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  Deno.exitCode = 2;
}
