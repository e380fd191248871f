// How long the packing of positions rests after a part of it. Pure.

/** What the packing takes of the time in which positions are stored. */
const SHARE = 0.1;
/** When it is behind by a day: half of the database's thread is still left to others. */
const SHARE_BEHIND = 0.5;
const HOUR_MS = 3_600_000;
/** Rounds that last no longer keep up: what has gathered for six hours is packed before as much has gathered again. */
const IN_TIME_MS = 6 * HOUR_MS;
const BEHIND_MS = 24 * HOUR_MS;
/** In which the statements of others have their turn, however short the part was. */
const MIN_PAUSE_MS = 100;
/** One part that met a slow disk or a computer asleep says little about the next. */
const MAX_PAUSE_MS = 2_000;

export interface PackingPace {
  /** What the last part took, with its waiting for others: whatever slows the database down slows the packing down. */
  readonly partMs: number;
  /** How long the round has lasted. */
  readonly roundMs: number;
}

export function pauseAfterPart({ partMs, roundMs }: PackingPace): number {
  const share = shareOf(roundMs);
  return Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, Math.round((partMs * (1 - share)) / share)));
}

function shareOf(roundMs: number): number {
  const behind = Math.min(1, Math.max(0, (roundMs - IN_TIME_MS) / (BEHIND_MS - IN_TIME_MS)));
  return SHARE + (SHARE_BEHIND - SHARE) * behind;
}
