import { clipInline } from "./clip.ts";
import { plainText } from "./plain_text.ts";

/** How much of the captured output of a failing test is shown. */
export type CaptureMode = "none" | "tail" | "all";

/** A captured section under pytest's heading. */
export interface CapturedSection {
  readonly heading: string;
  readonly text: string;
}

const TAIL_LINES = 5;

/** A line of a log is not longer; a dump is, and its ends tell what it is. */
const TAIL_LINE_CHARS = 300;

/** The sections to show, empty ones left out. */
export function captureSections(
  sections: readonly (readonly [string, string])[],
  mode: CaptureMode,
): CapturedSection[] {
  if (mode === "none") return [];
  return sections.flatMap(([heading, content]) => {
    const text = plainText(content).trimEnd();
    if (text === "") return [];
    const lines = text.split("\n");
    if (mode === "all") return [{ heading, text }];
    const tail = lines.slice(-TAIL_LINES).map((line) => clipInline(line, TAIL_LINE_CHARS));
    const note = lines.length > TAIL_LINES ? ` (last ${TAIL_LINES} of ${lines.length} lines)` : "";
    return [{ heading: heading + note, text: tail.join("\n") }];
  });
}

/** A section as it stands in a traceback. */
export function sectionText({ heading, text }: CapturedSection): string {
  return `--- ${heading} ---\n${text}`;
}
