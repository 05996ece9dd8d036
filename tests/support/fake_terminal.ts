import type { Terminal } from "../../src/cli/terminal.ts";

/** A terminal that remembers what was written to it. */
export function fakeTerminal(
  options: { interactive?: boolean; color?: boolean; columns?: number } = {},
): Terminal & { stdout(): string; stderr(): string } {
  const { interactive = false, color = false, columns = 80 } = options;
  let [stdout, stderr] = ["", ""];
  return {
    interactive,
    color,
    columns: () => columns,
    out: (text) => void (stdout += text),
    err: (text) => void (stderr += text),
    stdout: () => stdout,
    stderr: () => stderr,
  };
}
