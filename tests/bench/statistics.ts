/** The middle of some values and how far they spread. */
export interface Spread {
  readonly median: number;
  /** a quarter of the values is below */
  readonly low: number;
  /** a quarter of the values is above */
  readonly high: number;
}

/** Median and quartiles, interpolated between neighbours; at least one value. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: at(sorted, 0.5), low: at(sorted, 0.25), high: at(sorted, 0.75) };
}

/** Each value by its partner of the same round: what slows a round down slows both. */
export function ratios(values: readonly number[], base: readonly number[]): number[] {
  return values.flatMap((value, round) => {
    const by = base[round];
    return by === undefined ? [] : [value / by];
  });
}

function at(sorted: readonly number[], fraction: number): number {
  const place = (sorted.length - 1) * fraction;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) throw new Error("There are no values");
  return below + (above - below) * (place - Math.floor(place));
}
