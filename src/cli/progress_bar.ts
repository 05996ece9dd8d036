import type { RunProgress } from "../domain/use_case.ts";
import { printable, type Style } from "./style.ts";

/** How the bar is drawn. */
export interface BarOptions {
  readonly columns: number;
  readonly style: Style;
  /** since the run began */
  readonly seconds: number;
}

/** Cells of the bar itself; a narrow terminal gets a third of its width. */
const BAR_CELLS = 24;

/** Fewer would not look like a bar. */
const LEAST_CELLS = 3;

/** One line, never wider than the terminal: bar, counts, rate, and the test that runs. */
export function renderProgressBar(progress: RunProgress, options: BarOptions): string {
  const { columns, style, seconds } = options;
  const { finished, total, passed, failed, current } = progress;
  const room = Math.max(0, columns - 1); // the last column makes some terminals wrap
  if (total === null) return cut(`collecting … ${seconds.toFixed(0)}s`, room);
  const parts: [text: string, paint: (text: string) => string][] = [
    [`${finished}/${total}`, style.bold],
    [`${passed} passed`, style.green],
    ...(failed > 0 ? [[`${failed} failed`, style.red]] satisfies typeof parts : []),
    [`${rate(finished, seconds)}/s`, style.dim],
  ];
  // the counts say more than the bar
  const counts = parts.slice(0, -1).reduce((width, [text]) => width + 2 + text.length, 0);
  const cells = Math.min(BAR_CELLS, Math.floor(room / 3), Math.max(LEAST_CELLS, room - counts));
  const filled = total === 0 ? cells : Math.floor(cells * Math.min(1, finished / total));
  const paint = failed > 0 ? style.red : style.green;
  let line = paint("━".repeat(filled)) + style.dim("─".repeat(cells - filled));
  let used = cells;
  for (const [text, color] of parts) {
    if (used + 2 + text.length > room) return line;
    line += `  ${color(text)}`;
    used += 2 + text.length;
  }
  const name = current === null ? "" : cut(printable(current).replace(/\s/g, " "), room - used - 2);
  return name === "" ? line : `${line}  ${name}`;
}

function rate(finished: number, seconds: number): string {
  const perSecond = seconds > 0 ? finished / seconds : 0;
  return perSecond >= 10 ? perSecond.toFixed(0) : perSecond.toFixed(1);
}

/** The end of a test's name says more than its beginning. */
function cut(text: string, room: number): string {
  const characters = [...text];
  if (characters.reduce((sum, each) => sum + cellsOf(each), 0) <= room) return text;
  let kept = "";
  let left = room - 1;
  for (const character of characters.reverse()) {
    left -= cellsOf(character);
    if (left < 0) break;
    kept = character + kept;
  }
  return room < 2 ? "" : `…${kept}`;
}

/** From Hangul on, most characters take two cells; one that does not leaves a gap, no harm done. */
function cellsOf(character: string): number {
  return (character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1;
}
