/** Above every time in milliseconds until the year 2286. */
export const SEVERITY_STEP = 10_000_000_000_000;
const LEAST_SEVERE = 3;

/**
 * One number that sorts by severity and, within one, by time: descending, the most severe and newest comes first.
 * An index over two columns can't be walked by row comparison on both engines where their directions differ.
 */
export function severityOrder(severity: number, beginAtMs: number): number {
  return (LEAST_SEVERE - severity) * SEVERITY_STEP + beginAtMs;
}
