// Finds the stored positions that came late: the database doesn't say, but their times do.
import type { Position } from '../../store/fleet/positions.ts';

type Times = Pick<Position, 'deviceTimeMs' | 'receivedAtMs'>;

/** Longest delay in a network. */
const MIN_AGE_MS = 60_000;
/** Unevenness in the arrival of positions that are sent as they are measured. */
const UNEVEN_MS = 30_000;

/**
 * Whether a position was sent afterwards. `before`: the one before it by the device's clock. If that clock is wrong, every position is
 * old, but they come as far apart as they were measured; positions that a terminal had stored come all at once.
 */
export function isLatePosition(position: Times, before: Times | undefined): boolean {
  if (position.receivedAtMs - position.deviceTimeMs < MIN_AGE_MS) return false;
  if (before === undefined) return true;
  const measuredMs = position.deviceTimeMs - before.deviceTimeMs;
  const receivedMs = position.receivedAtMs - before.receivedAtMs;
  return receivedMs < measuredMs / 2 || receivedMs > measuredMs + UNEVEN_MS;
}
