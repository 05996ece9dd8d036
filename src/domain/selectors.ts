/**
 * Node ids → the fewest selectors that run exactly these tests.
 *
 * @module
 */

/** How many tests and functions a function, class or file has. */
interface Extent {
  tests: number;
  functions: number;
}

/** What a name in a node id looks like; anything else may hide a `::` of its own. */
const NAME = /^[\p{L}_][\p{L}\p{N}\p{M}_]*$/u;

/** Finds selectors in a collection that is known by the number of tests of each function. */
export class Selectors {
  readonly #functions: ReadonlyMap<string, number>;
  readonly #extents = new Map<string, Extent>();

  constructor(functions: ReadonlyMap<string, number>) {
    this.#functions = functions;
    for (const [id, tests] of functions) {
      for (const name of [id, ...containers(id)]) {
        const extent = this.#extents.get(name) ?? { tests: 0, functions: 0 };
        extent.tests += tests;
        extent.functions++;
        this.#extents.set(name, extent);
      }
    }
  }

  /** A function, class or file stands for its tests when all of them are among the ids. */
  cover(ids: Iterable<string>): string[] {
    const functionOf = new Map([...new Set(ids)].map((id) => [id, this.#functionOf(id)]));
    const covered = new Map<string, number>();
    for (const name of functionOf.values()) {
      if (name === null) continue;
      for (const container of [name, ...containers(name)]) {
        covered.set(container, (covered.get(container) ?? 0) + 1);
      }
    }
    const isWhole = (name: string) => covered.get(name) === this.#extents.get(name)?.tests;
    const selectors = new Set<string>();
    for (const [id, name] of functionOf) {
      if (name === null || !isWhole(name)) {
        selectors.add(id);
        continue;
      }
      // A container of a single function says less than the function.
      const container = containers(name).find((candidate) =>
        isWhole(candidate) && (this.#extents.get(candidate)?.functions ?? 0) > 1
      );
      selectors.add(container ?? name);
    }
    return [...selectors];
  }

  /** The function of a test: parameter ids may hold brackets, and so may paths. */
  #functionOf(id: string): string | null {
    if (this.#functions.has(id)) return id;
    for (let at = id.indexOf("["); at > 0; at = id.indexOf("[", at + 1)) {
      const name = id.slice(0, at);
      if (this.#functions.has(name)) return name;
    }
    return null;
  }
}

/** The file and the classes that hold a function, outermost first. */
function containers(id: string): string[] {
  const found: string[] = [];
  for (let at = id.indexOf("::"); at > 0; at = id.indexOf("::", at + 2)) {
    const names = id.slice(at + 2).split("::");
    // Until a name follows, it is a path with `::` in it.
    if (names.some((name) => name.includes("/"))) continue;
    if (found.length > 0 && !names.every((name) => NAME.test(name))) break;
    found.push(id.slice(0, at));
  }
  return found;
}
