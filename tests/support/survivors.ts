/**
 * Finds processes by a variable in their environment: a name or a parent can change, this cannot.
 *
 * @module
 */

/** The variable that marks every process of one run. */
export const MARK = "PYTEST_MCP_TEST_MARK";

/** How long a tree may take to go, by the contract. */
const SECONDS_TO_GO = 3;

/** Processes that carry the mark, as `pid command line`. Linux only: elsewhere it finds nothing. */
export function markedProcesses(mark: string): string[] {
  if (Deno.build.os !== "linux") return [];
  const found: string[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (!Deno.readTextFileSync(`/proc/${name}/environ`).includes(`${MARK}=${mark}\0`)) continue;
      const state = /\) (\S)/.exec(Deno.readTextFileSync(`/proc/${name}/stat`))?.[1];
      if (state === "Z") continue;
      const command = Deno.readTextFileSync(`/proc/${name}/cmdline`).replaceAll("\0", " ");
      found.push(`${name} ${command.slice(0, 120)}`);
    } catch {
      // It ended while we looked, or belongs to somebody else.
    }
  }
  return found;
}

/** What is left of a run when its time to go is over. */
export async function survivors(mark: string): Promise<string[]> {
  const end = Date.now() + SECONDS_TO_GO * 1000;
  while (true) {
    const found = markedProcesses(mark);
    if (found.length === 0 || Date.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
