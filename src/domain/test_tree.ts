import type { TestTree } from "./discover_result.ts";
import type { ItemGroup } from "./pytest_event.ts";

type Leaf = number | null | (number | null)[];

/** The file of an item, by its id where it has none of its own. */
export function fileOf({ file, id }: ItemGroup): string {
  return file ?? id.split("::", 1)[0] ?? id;
}

/** Builds file → class → function → line, and knows how long its JSON text is. */
export class TreeBuilder {
  readonly #files = new Map<string, Map<string, Map<string, Leaf>>>();
  #size = 2;

  /** Characters of the JSON text so far, at most. */
  get size(): number {
    return this.#size;
  }

  /** Characters that an item would add, at most. */
  sizeOf(item: ItemGroup): number {
    const { file, className, name, leaf } = place(item);
    const classes = this.#files.get(file);
    const functions = classes?.get(className);
    // A key takes its colon, its comma and, where something is nested, two braces.
    return (classes ? 0 : key(file) + 2) + (functions ? 0 : key(className) + 2) +
      key(name) + JSON.stringify(leaf).length;
  }

  /** Adds an item. */
  add(item: ItemGroup): void {
    this.#size += this.sizeOf(item);
    const { file, className, name, leaf } = place(item);
    const classes = this.#files.get(file) ?? new Map<string, Map<string, Leaf>>();
    const functions = classes.get(className) ?? new Map<string, Leaf>();
    const same = functions.get(name);
    functions.set(name, same === undefined ? leaf : join(same, leaf));
    classes.set(className, functions);
    this.#files.set(file, classes);
  }

  /** The tree as a plain object; no name of a file or function is special in it. */
  build(): TestTree {
    return Object.fromEntries(
      [...this.#files].map(([file, classes]) => [
        file,
        Object.fromEntries(
          [...classes].map(([name, functions]) => [name, Object.fromEntries(functions)]),
        ),
      ]),
    );
  }
}

function key(name: string): number {
  return JSON.stringify(name).length + 2;
}

function place(item: ItemGroup): { file: string; className: string; name: string; leaf: Leaf } {
  const file = fileOf(item);
  const rest = item.id.startsWith(`${file}::`) ? item.id.slice(file.length + 2) : item.id;
  return {
    file,
    className: item.class ?? "",
    name: item.function ?? rest,
    leaf: item.params === null ? item.line : [item.line, item.params.length],
  };
}

/** Items of the same name, as plugins make them, count like parameter sets of one. */
function join(first: Leaf, second: Leaf): Leaf {
  const [line, count] = Array.isArray(first) ? first : [first, 1];
  const more = Array.isArray(second) ? second[1] : 1;
  return [line ?? null, (count ?? 1) + (more ?? 1)];
}
