/**
 * A run as a person sees it: failures as they come and, on a terminal, a bar below them.
 *
 * @module
 */
import type { PytestEvent } from "../domain/pytest_event.ts";
import { toCollectionError } from "../domain/collection_error.ts";
import { LEAN_STYLE } from "../domain/failure_text.ts";
import type { RunProgress } from "../domain/use_case.ts";
import { type FailureDetail, renderCollectionError, renderFailedPhase } from "./failure_text.ts";
import { renderProgressBar } from "./progress_bar.ts";
import { createStyle, printable } from "./style.ts";
import type { Terminal } from "./terminal.ts";

/** Milliseconds between two drawings of the bar: more would only flicker. */
const REDRAW = 100;

/** How a view is made. */
export interface RunViewOptions {
  readonly terminal: Terminal;
  /** also name the tests that pass or are skipped */
  readonly everyTest: boolean;
  /** default: as without parameters */
  readonly detail?: FailureDetail;
  /** milliseconds, from anywhere */
  readonly now: () => number;
}

/** Takes what a run says and writes what a person wants to see of it. */
export interface RunView {
  event(event: PytestEvent): void;
  progress(progress: RunProgress): void;
  /** draws the bar anew: time passes while a test hangs */
  tick(): void;
  /** takes the bar away */
  end(): void;
}

const CLEAR_LINE = "\r\x1b[2K";

/** A view of one run. */
export function createRunView(options: RunViewOptions): RunView {
  const { terminal, everyTest, detail = LEAN_STYLE, now } = options;
  const style = createStyle(terminal.color);
  const started = now();
  const told = new Set<string>();
  let latest: RunProgress = { finished: 0, total: null, passed: 0, failed: 0, current: null };
  let drawnAt = -Infinity;
  let barIsThere = false;

  function write(text: string): void {
    terminal.out(barIsThere ? CLEAR_LINE + text : text);
    barIsThere = false;
    draw();
  }

  function draw(): void {
    if (!terminal.interactive) return;
    drawnAt = now();
    const seconds = (drawnAt - started) / 1000;
    const bar = renderProgressBar(latest, { columns: terminal.columns(), style, seconds });
    terminal.out((barIsThere ? CLEAR_LINE : "") + bar);
    barIsThere = true;
  }

  return {
    event(event) {
      switch (event.event) {
        case "collection_error": {
          const text = renderCollectionError(toCollectionError(event, LEAN_STYLE), style);
          if (told.has(text)) return; // xdist tells it once for each worker
          told.add(text);
          return write(text);
        }
        case "report":
          if (event.outcome === "failed") write(renderFailedPhase(event, style, detail));
          else if (everyTest && event.outcome === "skipped") {
            const reason = printable(event.reason ?? "");
            write(
              `${style.yellow(event.xfail ? "XFAIL" : "SKIPPED")} ${printable(event.id)} ${
                style.dim(reason)
              }\n`,
            );
          }
          return;
        case "passed":
          if (everyTest) write(`${style.green("PASSED")} ${printable(event.id)}\n`);
          return;
      }
    },
    progress(progress) {
      latest = progress;
      if (now() - drawnAt >= REDRAW) draw();
    },
    tick: draw,
    end() {
      if (barIsThere) terminal.out(CLEAR_LINE);
      barIsThere = false;
    },
  };
}
