/**
 * One page of what a collection found, as much as a response holds.
 *
 * @module
 */
import type { DiscoveredTest, DiscoverResult } from "./discover_result.ts";
import type { ItemGroup } from "./pytest_event.ts";
import { TreeBuilder } from "./test_tree.ts";

/** Which part of a collection, and how large it may be. */
export interface PageOptions {
  readonly view: "tests" | "tree";
  /** entries: tests, or functions in a tree */
  readonly offset: number;
  readonly limit: number;
  /** characters of JSON text that the entries may take */
  readonly room: number;
}

/** The entries of a page and where the next one begins; null if this is the last. */
export interface Page extends Pick<DiscoverResult, "tests" | "tree"> {
  readonly nextOffset: number | null;
}

/** How many tests there are. */
export function countTests(items: readonly ItemGroup[]): number {
  return items.reduce((sum, item) => sum + (item.params?.length ?? 1), 0);
}

/** Takes as many entries as fit, and at least one, so that paging always goes on. */
export function takePage(items: readonly ItemGroup[], options: PageOptions): Page {
  return options.view === "tree" ? takeTree(items, options) : takeTests(items, options);
}

function takeTests(items: readonly ItemGroup[], { offset, limit, room }: PageOptions): Page {
  const tests: DiscoveredTest[] = [];
  let size = 0;
  for (const test of testsFrom(items, offset)) {
    size += JSON.stringify(test).length + 1;
    if (tests.length === limit || (size > room && tests.length > 0)) {
      return { tests, tree: null, nextOffset: offset + tests.length };
    }
    tests.push(test);
  }
  return { tests, tree: null, nextOffset: null };
}

function* testsFrom(items: readonly ItemGroup[], offset: number): Generator<DiscoveredTest> {
  let skip = offset;
  for (const item of items) {
    const params = item.params ?? [null];
    for (const param of skip < params.length ? params.slice(skip) : []) yield toTest(item, param);
    skip = Math.max(0, skip - params.length);
  }
}

function toTest(item: ItemGroup, param: string | null): DiscoveredTest {
  return {
    node_id: param === null ? item.id : `${item.id}[${param}]`,
    module: item.module,
    class: item.class,
    function: item.function,
    file: item.file,
    line: item.line,
  };
}

function takeTree(items: readonly ItemGroup[], { offset, limit, room }: PageOptions): Page {
  const tree = new TreeBuilder();
  for (let index = offset; index < items.length; index++) {
    const item = items[index];
    if (item === undefined) break;
    const taken = index - offset;
    if (taken === limit || (taken > 0 && tree.size + tree.sizeOf(item) > room)) {
      return { tests: [], tree: tree.build(), nextOffset: index };
    }
    tree.add(item);
  }
  return { tests: [], tree: tree.build(), nextOffset: null };
}
