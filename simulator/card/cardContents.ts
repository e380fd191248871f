// What lies on a simulated terminal's card: files of some minutes, whose pictures are those of the clip at that time. Pure.

export interface CardContents {
  /** Recorded up to now from so long ago. */
  readonly hours?: number;
  /** Recorded up to now from then on, instead: nothing is overwritten. */
  readonly sinceMs?: number;
  readonly fileMinutes?: number;
  /** When nothing was recorded; unless given, one file in each hour is missing. */
  readonly gaps?: readonly CardFile[];
}

/** Milliseconds since the epoch. */
export interface CardFile {
  readonly startMs: number;
  readonly endMs: number;
}

const DEFAULT_HOURS = 6;
const DEFAULT_FILE_MINUTES = 5;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** By default nothing is recorded from the 35th to the 40th minute of an hour. */
const GAP_MS = { from: 35 * MINUTE_MS, to: 40 * MINUTE_MS };

/** The files that touch the range, cut at nothing, oldest first. Files begin on whole minutes, so with a key frame. */
export function cardFiles(contents: CardContents, range: CardFile, nowMs: number): CardFile[] {
  const { hours = DEFAULT_HOURS, fileMinutes = DEFAULT_FILE_MINUTES, gaps } = contents;
  const { sinceMs = nowMs - hours * HOUR_MS } = contents;
  const fileMs = fileMinutes * MINUTE_MS;
  const oldestMs = Math.ceil(sinceMs / fileMs) * fileMs;
  const files: CardFile[] = [];
  const firstMs = Math.max(oldestMs, Math.floor(range.startMs / fileMs) * fileMs);
  for (let startMs = firstMs; startMs < Math.min(range.endMs, nowMs); startMs += fileMs) {
    const file = { startMs, endMs: Math.min(startMs + fileMs, nowMs) };
    files.push(...(gaps === undefined ? outsideHourlyGap(file) : outside(file, gaps)));
  }
  return files.filter(({ startMs, endMs }) => endMs > range.startMs && startMs < range.endMs);
}

function outsideHourlyGap(file: CardFile): CardFile[] {
  const hourMs = Math.floor(file.startMs / HOUR_MS) * HOUR_MS;
  return outside(file, [{ startMs: hourMs + GAP_MS.from, endMs: hourMs + GAP_MS.to }]);
}

/** What is left of a file where gaps are cut out of it. Gaps begin and end on whole minutes. */
function outside(file: CardFile, gaps: readonly CardFile[]): CardFile[] {
  let parts = [file];
  for (const gap of gaps) {
    parts = parts.flatMap(({ startMs, endMs }) => [
      { startMs, endMs: Math.min(endMs, gap.startMs) },
      { startMs: Math.max(startMs, gap.endMs), endMs },
    ]);
    parts = parts.filter(({ startMs, endMs }) => endMs > startMs);
  }
  return mergeSame(parts);
}

/** A gap that touches a file nowhere leaves the same part twice. */
function mergeSame(parts: readonly CardFile[]): CardFile[] {
  return parts.filter(
    ({ startMs, endMs }, at) => parts.findIndex((other) => other.startMs === startMs && other.endMs === endMs) === at,
  );
}
