import type { EventRow } from '../../protocol/api/events.ts';

/**
 * Messages and answers overtake one another. Each of these only ever grows in the database: the version with what members do, the
 * rest with what is reported. With the same reports, an event that has ended is later. Pure.
 */
export function laterEvent(known: EventRow | undefined, told: EventRow): EventRow {
  if (known === undefined) return told;
  for (const field of ['version', 'count', 'lastSeenAtMs'] as const) {
    if (known[field] !== told[field]) return known[field] > told[field] ? known : told;
  }
  return known.endAtMs > 0 && told.endAtMs === 0 ? known : told;
}
