// Whose report is made next. Pure.

export interface WaitingJob {
  readonly id: number;
  readonly userId: number;
  readonly memberGroup: number;
}

export interface RunningJobs {
  readonly jobs: readonly Pick<WaitingJob, 'userId' | 'memberGroup'>[];
  /** When a report of a member was last begun, in any unit that rises. */
  lastBegun(userId: number): number;
  /** The same of a member group. */
  lastBegunOfGroup(memberGroup: number): number;
}

/**
 * The oldest report of the member who has the fewest running, and of several the one who has waited longest since the last: so that
 * nobody with ten reports holds up somebody with one. Before members, member groups are compared alike: one with a hundred members
 * holds up no other.
 */
export function nextJob<Job extends WaitingJob>(waiting: readonly Job[], running: RunningJobs): Job | undefined {
  const { jobs } = running;
  const ofGroup = (group: number): number => jobs.filter(({ memberGroup }) => memberGroup === group).length;
  const ofMember = (member: number): number => jobs.filter(({ userId }) => userId === member).length;
  return waiting.toSorted(
    (left, right) =>
      ofGroup(left.memberGroup) - ofGroup(right.memberGroup) ||
      running.lastBegunOfGroup(left.memberGroup) - running.lastBegunOfGroup(right.memberGroup) ||
      ofMember(left.userId) - ofMember(right.userId) ||
      running.lastBegun(left.userId) - running.lastBegun(right.userId) ||
      left.id - right.id,
  )[0];
}
