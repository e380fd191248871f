import {
  EVENT_ACT_PATH,
  EVENT_ASSIGNEES_PATH,
  EVENT_DAYS_PATH,
  EVENT_FILTERS_PATH,
  EVENTS_PATH,
  EventActAnswer,
  type EventActRequest,
  type EventAssignee,
  EventAssignees,
  EventDays,
  type EventDaysQuery,
  EventDetail,
  EventRow,
  type NewEventFilter,
  SavedEventFilter,
  SavedEventFilters,
} from '../protocol/api/events.ts';
import { Nothing } from '../protocol/api/records.ts';
import type { ApiResult } from './client.ts';
import { chosenRows, type ListPage, type ListQuery, requestDownloadAddress, requestList } from './list.ts';
import { requestRecord } from './requestRecord.ts';

/** Filters: those of `EventFilters`. Up to EVENT_LIST_ROWS rows a page. */
export function listEvents(query: ListQuery, signal?: AbortSignal): Promise<ApiResult<ListPage<EventRow>>> {
  return requestList(EVENTS_PATH, EventRow, query, signal);
}

/** Like `requestCsvAddress`, but for a spreadsheet: its names are in the language, its times in the zone. */
export function requestEventSheetAddress(
  query: Omit<ListQuery, 'place' | 'limit'>,
  { lang, timeZone }: { readonly lang: string; readonly timeZone: string },
): Promise<ApiResult<string>> {
  return requestDownloadAddress(`${EVENTS_PATH}/xlsx`, { ...chosenRows(query), lang, timeZone });
}

/** An event with its steps. Code of a refusal: `no-such-event`. */
export function readEvent(id: number, signal?: AbortSignal): Promise<ApiResult<EventDetail>> {
  return requestRecord(`${EVENTS_PATH}/${id}`, EventDetail, { signal });
}

/**
 * The answer lists the events that the act could not be applied to, with the reason. Field codes if the whole request is refused:
 * `required` (`note`, `reason`, `assignee`), `unknown` (`reason`, `assignee`).
 */
export function actOnEvents(request: EventActRequest): Promise<ApiResult<EventActAnswer>> {
  return requestRecord(EVENT_ACT_PATH, EventActAnswer, { method: 'POST', body: request });
}

/** Field codes of a refusal: `required` and `out-of-range` (`from`, `to`), `unknown` (`timeZone`). */
export function readEventDays(query: EventDaysQuery, signal?: AbortSignal): Promise<ApiResult<EventDays>> {
  return requestRecord(EVENT_DAYS_PATH, EventDays, { query, signal });
}

/** Only the first matches; a search text narrows the list. */
export function findEventAssignees(search: string, signal?: AbortSignal): Promise<ApiResult<readonly EventAssignee[]>> {
  return requestRecord(EVENT_ASSIGNEES_PATH, EventAssignees, { query: { search }, signal });
}

/** The user's own saved filters. */
export function listEventFilters(signal?: AbortSignal): Promise<ApiResult<readonly SavedEventFilter[]>> {
  return requestRecord(EVENT_FILTERS_PATH, SavedEventFilters, { signal });
}

/** Replaces the filter of the same name. Code of a refusal: `too-many-filters`. */
export function saveEventFilter(filter: NewEventFilter): Promise<ApiResult<SavedEventFilter>> {
  return requestRecord(EVENT_FILTERS_PATH, SavedEventFilter, { method: 'POST', body: filter });
}

export function removeEventFilter(id: number): Promise<ApiResult<unknown>> {
  return requestRecord(`${EVENT_FILTERS_PATH}/${id}`, Nothing, { method: 'DELETE' });
}
