/** The candidates closest to a word by edit distance, best first; none that shares too little with it. */
export function nearest(word: string, candidates: readonly string[], limit: number): string[] {
  const allowed = Math.max(2, Math.floor(word.length / 3));
  return candidates
    .map((candidate) => ({
      candidate,
      distance: distance(word.toLowerCase(), candidate.toLowerCase()),
    }))
    .filter((entry) => entry.distance <= allowed || entry.candidate.startsWith(word))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map((entry) => entry.candidate);
}

function distance(a: string, b: string): number {
  // Longer words are never close enough to be worth the quadratic cost.
  if (a.length > 64 || b.length > 64) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
