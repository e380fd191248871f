// Which stage each device of a task belongs to. Pure.

export interface StagePlan {
  /** Ids of devices that come first, as a stage of their own. */
  readonly canaries: readonly string[];
  /** Share of the other devices that is reached with each stage, in percent, rising. */
  readonly stages: readonly number[];
}

/** By the devices' order: the same devices give the same stages. A stage that would be empty is left out. */
export function stagesOf(deviceIds: readonly string[], { canaries, stages }: StagePlan): ReadonlyMap<string, number> {
  const named = new Set(canaries);
  const first = deviceIds.filter((id) => named.has(id));
  const others = deviceIds.filter((id) => !named.has(id));
  const placed = new Map(first.map((id) => [id, 0]));
  let stage = first.length > 0 ? 1 : 0;
  let begun = 0;
  for (const [at, percent] of stages.entries()) {
    const isLast = at === stages.length - 1;
    // Rounded up, so that a stage of a small fleet isn't empty.
    const reached = isLast ? others.length : Math.min(others.length, Math.ceil((others.length * percent) / 100));
    if (reached <= begun) continue;
    for (const id of others.slice(begun, reached)) placed.set(id, stage);
    begun = reached;
    stage++;
  }
  return placed;
}

/** Rising, and the last is all of them. */
export function areStages(stages: readonly number[]): boolean {
  return stages.at(-1) === 100 && stages.every((percent, at) => at === 0 || percent > (stages[at - 1] ?? 0));
}
