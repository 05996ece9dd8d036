/** Text in colours, or as it is where colours are not welcome. */
export type Style = Readonly<
  Record<"bold" | "dim" | "red" | "green" | "yellow" | "cyan", (text: string) => string>
>;

/** A style that writes ANSI sequences only if asked to. */
export function createStyle(color: boolean): Style {
  const wrap = (on: number, off: number) => (text: string) =>
    color && text !== "" ? `\x1b[${on}m${text}\x1b[${off}m` : text;
  return {
    bold: wrap(1, 22),
    dim: wrap(2, 22),
    red: wrap(31, 39),
    green: wrap(32, 39),
    yellow: wrap(33, 39),
    cyan: wrap(36, 39),
  };
}

/** Our own text for a place where colours are not welcome after all. */
export function withoutColors(text: string): string {
  return text.replace(/\p{Cc}\[\d+m/gu, "");
}

/** Text from elsewhere without colours and control characters: it must not move the cursor. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}\[[\d;]*[A-Za-z]/gu, "").replace(/[^\P{Cc}\n\t]/gu, "\uFFFD");
}
