// Decides which files are deleted where member groups share a limit of bytes. Pure.

export interface SharedFile {
  readonly memberGroup: number;
  readonly bytes: number;
}

/**
 * The files to delete until `maxBytes` are left; `files` has the oldest first. Each is the oldest of the member group that uses the
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
  // Taken from the end, which costs an array nothing.
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
 * The bytes that each member group gives up so that `bytes` are freed in all: the groups with the most come down to a common level,
 * and those below it give up nothing.
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
