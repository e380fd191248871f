// Which files go where member groups share a bound of bytes. Pure.

export interface SharedFile {
  readonly memberGroup: number;
  readonly bytes: number;
}

/**
 * Of `files`, the oldest first, those that have to go until `maxBytes` are left: each time the oldest of the member group that has the
 * most, so that a group with many files loses its own and not those of others.
 */
export function filesToDrop<File extends SharedFile>(files: readonly File[], maxBytes: number): readonly File[] {
  const groups = new Map<number, { bytes: number; readonly files: File[] }>();
  let total = 0;
  for (const file of files) {
    const group = groups.get(file.memberGroup) ?? { bytes: 0, files: [] };
    group.bytes += file.bytes;
    group.files.push(file);
    groups.set(file.memberGroup, group);
    total += file.bytes;
  }
  const dropped: File[] = [];
  // From the end, which an array gives away at no cost.
  for (const group of groups.values()) group.files.reverse();
  while (total > maxBytes && groups.size > 0) {
    const largest = [...groups.values()].reduce((most, group) => (group.bytes > most.bytes ? group : most));
    const file = largest.files.pop();
    if (file === undefined) break;
    largest.bytes -= file.bytes;
    total -= file.bytes;
    dropped.push(file);
  }
  return dropped;
}

/**
 * How many bytes each member group gives so that so many go in all: those that have the most come down to a common level, and those
 * below it give nothing.
 */
export function bytesToGive(used: ReadonlyMap<number, number>, bytes: number): ReadonlyMap<number, number> {
  const groups = [...used].sort(([, left], [, right]) => right - left);
  let [level, sum] = [0, 0];
  for (const [at, [, own]] of groups.entries()) {
    sum += own;
    level = Math.max(0, (sum - bytes) / (at + 1));
    if (level >= (groups[at + 1]?.[1] ?? 0)) break;
  }
  return new Map(groups.filter(([, own]) => own > level).map(([group, own]) => [group, Math.ceil(own - level)]));
}
