// Selected events, also those of other pages of the list. Pure.
import type { EventRow } from '../../../../shared/protocol/api/events.ts';

/** The events with these IDs, from the page in view or else from the previous selection. */
export function selectedRows(
  ids: readonly (string | number)[],
  inView: readonly EventRow[],
  before: readonly EventRow[],
): readonly EventRow[] {
  const known = new Map([...before, ...inView].map((row) => [row.id, row]));
  return ids.flatMap((id) => known.get(Number(id)) ?? []);
}

/** The events in their current state: the page in view and the events that acts have changed may be newer. */
export function newestRows(rows: readonly EventRow[], others: readonly EventRow[]): readonly EventRow[] {
  const newest = new Map<number, EventRow>();
  for (const row of others) {
    const known = newest.get(row.id);
    if (known === undefined || row.version > known.version) newest.set(row.id, row);
  }
  return rows.map((row) => {
    const other = newest.get(row.id);
    return other !== undefined && other.version > row.version ? other : row;
  });
}
