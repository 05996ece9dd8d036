/**
 * What Linux says about a process and those below it.
 *
 * @module
 */

/** The pids below a process, nearest first. */
export function descendants(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const [state, parent] = readStat(name);
    if (state === undefined || state === "Z") continue;
    children.set(Number(parent), [...children.get(Number(parent)) ?? [], Number(name)]);
  }
  const found: number[] = [];
  for (let level = children.get(pid) ?? []; level.length > 0;) {
    found.push(...level);
    level = level.flatMap((below) => children.get(below) ?? []);
  }
  return found;
}

/** State and parent; nothing for a process that has just ended. */
function readStat(pid: string): string[] {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/stat`).replace(/^.*\) /s, "").split(" ", 2);
  } catch {
    return [];
  }
}

/** Ends a process at once; it may have ended already. */
export function killNow(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It was faster.
  }
}

/** How many files a process has open. */
export function openFiles(pid: number): number {
  return [...Deno.readDirSync(`/proc/${pid}/fd`)].length;
}

/** Whether a process waits because nobody reads what it writes into a pipe. */
export function waitsForReader(pid: number): boolean {
  return [...Deno.readDirSync(`/proc/${pid}/task`)].some(({ name }) => {
    try {
      return Deno.readTextFileSync(`/proc/${pid}/task/${name}/wchan`).endsWith("pipe_write");
    } catch {
      return false; // the thread has ended
    }
  });
}
