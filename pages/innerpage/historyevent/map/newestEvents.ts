// The newest events of a filter, a few calls' worth.
import type { ApiResult } from '../../../../shared/api/client.ts';
import { listEvents } from '../../../../shared/api/events.ts';
import type { ListPlace, ListQuery } from '../../../../shared/api/list.ts';
import { EVENT_LIST_ROWS, type EventRow } from '../../../../shared/protocol/api/events.ts';

const MAP_EVENTS_MAX = 1_000;

export interface NewestEvents {
  readonly events: readonly EventRow[];
  /** There are more than these. */
  readonly isCut: boolean;
}

export async function loadNewestEvents(
  { search, filters }: Pick<ListQuery, 'search' | 'filters'>,
  signal?: AbortSignal,
): Promise<ApiResult<NewestEvents>> {
  const events: EventRow[] = [];
  let place: ListPlace = { offset: 0 };
  while (events.length < MAP_EVENTS_MAX) {
    const limit = Math.min(EVENT_LIST_ROWS, MAP_EVENTS_MAX - events.length);
    const page = await listEvents({ place, limit, sort: 'time', descending: true, search, filters }, signal);
    if (!page.ok) return page;
    events.push(...page.value.rows);
    if (page.value.next === null || page.value.rows.length === 0) return { ok: true, value: { events, isCut: false } };
    place = { after: page.value.next };
  }
  return { ok: true, value: { events, isCut: true } };
}
