export interface FileTime {
  readonly file: string;
  /** The name of the Vitest project; empty where there is only one. */
  readonly project: string;
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

/** One line for each project of several: the sum over its files, which workers run side by side. */
export function secondsOfProjects(times: readonly FileTime[]): string[] {
  const projects = new Map<string, { files: number; ms: number }>();
  for (const { project, ms } of times) {
    const { files, ms: before } = projects.get(project) ?? { files: 0, ms: 0 };
    projects.set(project, { files: files + 1, ms: before + ms });
  }
  if (projects.size < 2) return [];
  const lines = [...projects].map(
    ([project, { files, ms }]) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${project} (${files} files)`,
  );
  return ['Projects, summed over their files:', ...lines];
}
