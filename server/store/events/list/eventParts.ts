// The events of a list window after window, in the list's order: what lies behind the page is not read.
import type { EventSort } from '../../../../shared/protocol/api/events.ts';
import type { StoreDb } from '../../engine/database.ts';
import type { PageRequest } from '../../engine/listPage.ts';
import type { EventAccess } from './eventAccess.ts';
import type { EventSearch } from './eventChecks.ts';
import { type EventKeys, foundBy, keysIn } from './eventScans.ts';
import { walkedEvents } from './eventWalk.ts';
import { windowsOf } from './eventWindows.ts';

export interface WantedEvents {
  readonly search: EventSearch;
  readonly query: PageRequest<EventSort>;
}

/** The events of each window, in no order: of `search` all that there are, of others those that the page may need. */
export async function* eventParts(
  db: StoreDb,
  access: EventAccess,
  { search, query }: WantedEvents,
): AsyncGenerator<{ readonly rows: EventKeys }> {
  for (const { severities, fromMs, toMs } of windowsOf(search, query, await edgeOf(db, query))) {
    const part = { ...search, severities, fromMs, toMs };
    const events = access === 'search' ? foundBy(db, access, part) : walkedEvents(db, access, part, query);
    yield { rows: keysIn(db, events) };
  }
}

/** When the first event of the list's order began, whoever sees it. */
async function edgeOf(db: StoreDb, { descending, position }: PageRequest): Promise<number> {
  const isDownward = descending !== (position.at === 'before');
  const began = db
    .selectFrom('event')
    .select('begin_at_ms')
    .orderBy('begin_at_ms', isDownward ? 'desc' : 'asc');
  return (await began.limit(1).executeTakeFirst())?.begin_at_ms ?? 0;
}
