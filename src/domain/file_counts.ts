import type { ItemGroup } from "./pytest_event.ts";
import { fileOf } from "./test_tree.ts";

/** Tests by file; by directory (`tests/unit/`) where the files would take more than `room` characters. */
export function countFiles(items: readonly ItemGroup[], room: number): Record<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) add(counts, fileOf(item), item.params?.length ?? 1);
  let folded = counts;
  const depths = new Set([...counts.keys()].map((file) => file.split("/").length - 1));
  const deepest = Math.max(0, ...depths);
  for (let depth = deepest; sizeOf(folded) > room && depth >= 0; depth--) {
    folded = new Map();
    for (const [file, count] of counts) add(folded, fold(file, depth), count);
  }
  return Object.fromEntries(folded);
}

function fold(file: string, depth: number): string {
  const segments = file.split("/");
  if (depth === 0) return "./";
  return segments.length <= depth ? file : `${segments.slice(0, depth).join("/")}/`;
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

function sizeOf(counts: ReadonlyMap<string, number>): number {
  return JSON.stringify(Object.fromEntries(counts)).length;
}
