/** Numbers that the same seed gives again. */
export interface Random {
  /** from 0 to below `end` */
  below(end: number): number;
  pick<T>(from: readonly T[]): T;
}

/** Mulberry32: small, and good enough to choose faults. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    pick(from) {
      const [picked] = from.slice(below(from.length));
      if (picked === undefined) throw new Error("there is nothing to pick from");
      return picked;
    },
  };
}
