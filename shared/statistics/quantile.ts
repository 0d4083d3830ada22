/** The median: for an even number of values, the mean of the middle two. NaN for no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  return (at(Math.floor((sorted.length - 1) / 2)) + at(Math.floor(sorted.length / 2))) / 2;
}

/** The value nearest to a quantile: the smallest at 0, the largest at 1. NaN for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
}

/** The item with the median of a figure: the lower one for an even number of items. Undefined for no items. */
export function medianItem<T>(items: readonly T[], figureOf: (item: T) => number): T | undefined {
  const sorted = items.toSorted((a, b) => figureOf(a) - figureOf(b));
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/** The arithmetic mean. NaN for no values. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
