/**
 * Tokens (o200k) of our answers beside those of pytest's own, on the same projects in the same run.
 * `--json` prints the figures for machines. Ends with 1 when a promise is not kept.
 *
 * @module
 */
// deno-lint-ignore-file no-console -- a program for a person
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";
import { toMcpTool } from "../../src/mcp/to_mcp_tool.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { environment } from "../support/environments.ts";
import { answersTo } from "./token_answers.ts";
import { TOKEN_SITUATIONS, type TokenSituation } from "./token_situations.ts";

interface Row {
  readonly situation: string;
  readonly ours: number;
  readonly pytest: number | null;
  readonly short: number | null;
  readonly json_report: number | null;
  readonly promise: string;
  readonly kept: boolean;
}

/** Tokens of both tools' names, descriptions and input schemas. */
const DEFINITIONS = 1_600;

function count(text: string | null): number | null {
  return text === null ? null : countTokens(text, { disallowedSpecial: new Set() });
}

function promiseOf({ atMost, share }: TokenSituation, short: number | null) {
  if (atMost !== undefined) return { promise: `≤ ${atMost}`, limit: atMost };
  if (share === undefined || short === null) return { promise: "", limit: Infinity };
  return { promise: `≤ ${share} × short`, limit: share * short };
}

async function measure(): Promise<Row[]> {
  const pythons = {
    plain: (await environment("pytest9")).python,
    withJsonReport: (await environment("rich")).python,
  };
  const rows: Row[] = [];
  for (const situation of TOKEN_SITUATIONS) {
    const answers = await answersTo(situation, pythons);
    const ours = count(answers.ours) ?? 0;
    const short = count(answers.short);
    const { promise, limit } = promiseOf(situation, short);
    rows.push({
      situation: situation.name,
      ours,
      pytest: count(answers.pytest),
      short,
      json_report: count(answers.jsonReport),
      promise,
      kept: ours <= limit && answers.ours.length <= DEFAULT_SETTINGS.maxResponseChars,
    });
  }
  const definitions = TOOLS.map((tool) => {
    const { name, description, inputSchema } = toMcpTool(tool, DEFAULT_SETTINGS);
    return JSON.stringify({ name, description, inputSchema });
  }).join("\n");
  const ours = count(definitions) ?? 0;
  const promise = `≤ ${DEFINITIONS}`;
  const none = { pytest: null, short: null, json_report: null };
  rows.push({
    situation: "both tool definitions",
    ours,
    ...none,
    promise,
    kept: ours <= DEFINITIONS,
  });
  return rows;
}

function cell(tokens: number | null): string {
  return tokens === null ? "—" : tokens.toLocaleString("en-US");
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ situation, ours, pytest, short, json_report, promise, kept }) =>
    `| ${situation} | **${cell(ours)}** | ${cell(pytest)} | ${cell(short)} | ${
      cell(json_report)
    } | ` +
    `${promise}${kept ? "" : " MISSED"} |`
  );
  return [
    "| situation | pytest-mcp | `pytest` | `pytest -q --tb=short --no-header` | pytest-json-report | promise |",
    "|---|---:|---:|---:|---:|---|",
    ...lines,
  ].join("\n");
}

const rows = await measure();
console.log(Deno.args.includes("--json") ? JSON.stringify(rows, null, 2) : table(rows));
Deno.exit(rows.every(({ kept }) => kept) ? 0 : 1);
