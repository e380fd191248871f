// Whose report is made next. Pure.

export interface WaitingJob {
  readonly id: number;
  readonly userId: number;
}

export interface RunningJobs {
  /** Who has a report running, once for each. */
  readonly members: readonly number[];
  /** When a report of a member was last begun, in any unit that rises. */
  lastBegun(userId: number): number;
}

/**
 * The oldest report of the member who has the fewest running, and of several the one who has waited longest since the last: so that
 * nobody with ten reports holds up somebody with one.
 */
export function nextJob<Job extends WaitingJob>(waiting: readonly Job[], running: RunningJobs): Job | undefined {
  const busy = (userId: number): number => running.members.filter((member) => member === userId).length;
  return waiting.toSorted(
    (left, right) =>
      busy(left.userId) - busy(right.userId) ||
      running.lastBegun(left.userId) - running.lastBegun(right.userId) ||
      left.id - right.id,
  )[0];
}
