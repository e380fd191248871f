// Failures of one key, each forgotten after a time. Pure.

export interface FailureCount {
  /** Failures that are not forgotten yet; a fraction is on its way out. */
  readonly count: number;
  readonly atMs: number;
}

/** More are not counted, so that a long attack is not remembered for longer than it takes to forget these. */
const MAX_COUNT = 40;

export function countAt(failures: FailureCount | undefined, nowMs: number, forgetMs: number): number {
  if (failures === undefined) return 0;
  return Math.max(0, failures.count - Math.max(0, nowMs - failures.atMs) / forgetMs);
}

export function addFailure(count: number, nowMs: number): FailureCount {
  return { count: Math.min(MAX_COUNT, count + 1), atMs: nowMs };
}
