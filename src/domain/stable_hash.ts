/**
 * A small hash (cyrb53) that is the same on every machine: it tells requests and collections apart and
 * protects nothing.
 */
export class StableHash {
  #high = 0xdeadbeef;
  #low = 0x41c6ce57;

  /** Adds a text; `add("ab")` and `add("a").add("b")` differ. */
  add(text: string): this {
    for (let index = 0; index < text.length; index++) this.#mix(text.charCodeAt(index));
    this.#mix(0x10000);
    return this;
  }

  /** Up to eleven characters of base 36. */
  digest(): string {
    const high = finish(this.#high, this.#low);
    const low = finish(this.#low, this.#high);
    return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
  }

  #mix(code: number): void {
    this.#high = Math.imul(this.#high ^ code, 2654435761);
    this.#low = Math.imul(this.#low ^ code, 1597334677);
  }
}

function finish(own: number, other: number): number {
  return Math.imul(own ^ (own >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
}
