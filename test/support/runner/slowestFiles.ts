export interface FileTime {
  readonly file: string;
  readonly ms: number;
}

const MOST_FILES = 20;

/** One line for each of the slowest files, the slowest first, under a heading; nothing without files. */
export function slowestFiles(times: readonly FileTime[]): string[] {
  const slowest = times.toSorted((one, other) => other.ms - one.ms).slice(0, MOST_FILES);
  if (slowest.length === 0) return [];
  const lines = slowest.map(({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}`);
  return ['Slowest files:', ...lines];
}
