/** The value below which a share of the sample lies, by the nearest rank; NaN for an empty sample. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Differences between neighbours. */
export function gaps(values: readonly number[]): number[] {
  return values.slice(1).map((value, index) => value - (values[index] ?? value));
}

export const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits));
