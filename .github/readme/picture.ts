/**
 * An exchange as a picture: text in a window, light or dark as the reader's system is.
 *
 * @module
 */
import { readable } from "../../tests/support/readable.ts";
import type { Exchange } from "./exchange.ts";

/** Measures in pixels, of a monospaced font at 13 pixels. */
const CELL = 8;
const LINE = 19;
const COLUMNS = 118;
const PADDING = 18;
const BAR = 34;

type Paint = "fg" | "dim" | "in" | "out" | "bad";

/** The exchange, as SVG. */
export function renderPicture({ tool, parameters, answer }: Exchange): string {
  const lines: [Paint, string][] = [
    ["dim", "the agent calls"],
    ["in", `${tool} ${JSON.stringify(parameters)}`],
    ["fg", ""],
    ["dim", "pytest-mcp answers"],
    ...readable(answer).split("\n").flatMap(wrap).map((line): [Paint, string] => [
      /^ *message: /.test(line) ? "bad" : /^ *- node_id: /.test(line) ? "in" : "out",
      line,
    ]),
  ];
  const width = Math.ceil(COLUMNS * CELL + PADDING * 2);
  const height = BAR + lines.length * LINE + PADDING;
  const text = lines.map(([paint, line], index) =>
    `<text class="${paint}" x="${PADDING}" y="${BAR + (index + 1) * LINE - 4}">${
      escape(line)
    }</text>`
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="An agent calls ${tool}; pytest-mcp answers with counts, the failing test and its cause">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; }
.window { fill: #ffffff; stroke: #d0d7de; } .bar { fill: #f6f8fa; }
.fg { fill: #1f2328; } .dim { fill: #59636e; } .in { fill: #0550ae; } .out { fill: #1f2328; } .bad { fill: #b3261e; }
@media (prefers-color-scheme: dark) {
.window { fill: #0d1117; stroke: #3d444d; } .bar { fill: #151b23; }
.fg { fill: #f0f6fc; } .dim { fill: #9198a1; } .in { fill: #79c0ff; } .out { fill: #f0f6fc; } .bad { fill: #ff7b72; }
}
</style>
<rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
<path class="bar" d="M1 ${BAR - 8}V9a8 8 0 0 1 8-8h${width - 18}a8 8 0 0 1 8 8v${BAR - 17}z"/>
<text class="dim" x="${PADDING}" y="18">pytest-mcp</text>
${text.join("\n")}
</svg>
`;
}

/** Long lines go on below, indented as far as they began. */
function wrap(line: string): string[] {
  const indent = /^\s*(?:- )?/.exec(line)?.[0].length ?? 0;
  const lines: string[] = [];
  let rest = line;
  while (rest.length > COLUMNS) {
    const space = Math.max(rest.lastIndexOf(" ", COLUMNS), rest.lastIndexOf(",", COLUMNS - 1) + 1);
    const at = space > indent + 20 ? space : COLUMNS;
    lines.push(rest.slice(0, at));
    rest = `${" ".repeat(indent + 2)}${rest.slice(at).trimStart()}`;
  }
  return [...lines, rest];
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
