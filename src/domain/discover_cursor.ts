/**
 * Where the next page begins. A cursor carries all that is needed to continue without any state in the
 * server, and to notice that the request or the collection is another one.
 *
 * @module
 */
import type { ItemGroup } from "./pytest_event.ts";
import { StableHash } from "./stable_hash.ts";

/** A place in one collection of one request. */
export interface Cursor {
  readonly offset: number;
  /** tests of the whole collection, so that a change can be told in numbers */
  readonly count: number;
  readonly request: string;
  readonly collection: string;
}

/** The parameters that decide what is on which page. */
export interface PagedRequest {
  readonly path?: string | undefined;
  readonly pattern?: string | undefined;
  readonly markers?: string | undefined;
  readonly keywords?: string | undefined;
  readonly related_to?: readonly string[] | undefined;
  readonly changed: boolean;
  readonly shard?: Readonly<Record<string, number>> | undefined;
  readonly view: string;
}

/** A cursor as text. */
export function writeCursor({ offset, count, request, collection }: Cursor): string {
  return [offset.toString(36), count.toString(36), request, collection].join("-");
}

/** Reads a cursor; null if it is none. */
export function readCursor(text: string): Cursor | null {
  const parts = /^([0-9a-z]{1,9})-([0-9a-z]{1,9})-([0-9a-z]{1,11})-([0-9a-z]{1,11})$/.exec(text);
  if (parts === null) return null;
  const [, offset = "", count = "", request = "", collection = ""] = parts;
  return { offset: parseInt(offset, 36), count: parseInt(count, 36), request, collection };
}

/** Alike for requests whose pages follow each other. */
export function hashRequest(request: PagedRequest): string {
  const { path, pattern, markers, keywords, related_to, changed, shard, view } = request;
  const parts = [path, pattern, markers, keywords, related_to, changed, shard, view];
  return new StableHash().add(JSON.stringify(parts)).digest();
}

/** Alike for collections whose pages follow each other: a tree has functions, a list each of their parameter sets. */
export function hashCollection(items: readonly ItemGroup[], view: string): string {
  const hash = new StableHash();
  for (const { id, params } of items) {
    hash.add(id).add(String(params?.length ?? 0));
    if (view !== "tree") { for (const param of params ?? []) hash.add(param); }
  }
  return hash.digest();
}
