/**
 * A process and all below it, as /proc shows them; elsewhere than on Linux there is nothing to see.
 *
 * @module
 */

/** Whether this system has what the functions here read. */
export const hasProc: boolean = Deno.build.os === "linux";

/** The process and everything below it. */
export function treeOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const { name } of hasProc ? Deno.readDirSync("/proc") : []) {
    const parent = /^\d+$/.test(name) ? fieldsOf(Number(name))?.[1] : undefined;
    if (parent === undefined) continue;
    const siblings = children.get(Number(parent));
    if (siblings === undefined) children.set(Number(parent), [Number(name)]);
    else siblings.push(Number(name));
  }
  const tree = [pid];
  for (const member of tree) tree.push(...children.get(member) ?? []);
  return tree;
}

/** Clock ticks of CPU time that processes have used. */
export function ticksOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = fieldsOf(pid);
    return sum + Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0);
  }, 0);
}

/**
 * Memory in MB. What the tree shares within itself counts once; what it shares with others, such as the
 * pages of a program that also runs elsewhere, counts in full.
 */
export function memoryOf(pids: readonly number[]): number {
  const files = new Map<string, number>();
  let kilobytes = 0;
  for (const pid of pids) {
    const rollup = read(`/proc/${pid}/smaps_rollup`) ?? "";
    const field = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1] ?? 0);
    const program = Deno.readLinkSync(`/proc/${pid}/exe`);
    kilobytes += field("Pss_Anon");
    files.set(program, Math.max(files.get(program) ?? 0, field("Rss") - field("Anonymous")));
  }
  return [...files.values()].reduce((sum, size) => sum + size, kilobytes) / 1024;
}

/** Waits until a tree has `size` processes and none of them does anything. */
export async function quiet(pid: number, size: number): Promise<void> {
  if (!hasProc) return await pause(2_000);
  let before = -1;
  const end = Date.now() + 30_000;
  for (let still = 0; still < 4 && Date.now() < end; await pause(60)) {
    const tree = treeOf(pid);
    const ticks = ticksOf(tree);
    still = ticks === before && tree.length >= size ? still + 1 : 0;
    before = ticks;
  }
}

/** The fields of /proc/PID/stat that follow the name, which may hold anything: state, parent, … */
function fieldsOf(pid: number): string[] | undefined {
  return read(`/proc/${pid}/stat`)?.split(") ").at(-1)?.split(" ");
}

function read(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined; // It has ended.
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
