// Which stored positions came late: the database doesn't say, but their times do.
import type { Position } from '../../store/fleet/positions.ts';

type Times = Pick<Position, 'deviceTimeMs' | 'receivedAtMs'>;

/** A network takes no longer than that. */
const MIN_AGE_MS = 60_000;
/** How unevenly positions may arrive that are sent as they are measured. */
const UNEVEN_MS = 30_000;

/**
 * Whether a position was sent afterwards. `before`: the one before it by the device's clock. Of a clock that is wrong, every
 * position is old, but they come as far apart as they were measured; those that a terminal had stored come all at once.
 */
export function isLatePosition(position: Times, before: Times | undefined): boolean {
  if (position.receivedAtMs - position.deviceTimeMs < MIN_AGE_MS) return false;
  if (before === undefined) return true;
  const measuredMs = position.deviceTimeMs - before.deviceTimeMs;
  const receivedMs = position.receivedAtMs - before.receivedAtMs;
  return receivedMs < measuredMs / 2 || receivedMs > measuredMs + UNEVEN_MS;
}
