/** Stands for what JSON.stringify() cannot write: it calls itself for some kinds of nesting, and its stack ends. */
export const TOO_DEEP = "[nested too deeply to be shown]";

/** A value that came as JSON, as JSON again; TOO_DEEP where it goes down for thousands of levels. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value ?? null);
  } catch (error) {
    if (error instanceof RangeError) return TOO_DEEP;
    throw error;
  }
}
