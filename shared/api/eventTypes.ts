// Event types and the reasons that events are closed for.
import {
  EVENT_REASONS_PATH,
  EVENT_TYPE_NAMES_PATH,
  EVENT_TYPES_PATH,
  EventReason,
  type EventReasonContent,
  EventReasons,
  type EventTypeContent,
  EventTypeRecord,
  EventTypeRecords,
  EventWords,
} from '../protocol/api/eventTypes.ts';
import { Nothing } from '../protocol/api/records.ts';
import type { ApiResult } from './client.ts';
import { requestRecord } from './requestRecord.ts';

/** What events are called, and how they look and sound: for every signed-in member. */
export function loadEventWords(signal?: AbortSignal): Promise<ApiResult<EventWords>> {
  return requestRecord(EVENT_TYPE_NAMES_PATH, EventWords, { signal });
}

export function loadEventTypes(signal?: AbortSignal): Promise<ApiResult<readonly EventTypeRecord[]>> {
  return requestRecord(EVENT_TYPES_PATH, EventTypeRecords, { signal });
}

export function addEventType(type: EventTypeContent): Promise<ApiResult<EventTypeRecord>> {
  return requestRecord(EVENT_TYPES_PATH, EventTypeRecord, { method: 'POST', body: type });
}

type TypeKey = Pick<EventTypeRecord, 'code' | 'version'>;

export function saveEventType({ code, version }: TypeKey, type: EventTypeContent): Promise<ApiResult<EventTypeRecord>> {
  return requestRecord(pathOf(code), EventTypeRecord, { method: 'PUT', body: { version, ...type } });
}

export function resetEventType({ code, version }: TypeKey): Promise<ApiResult<EventTypeRecord>> {
  return requestRecord(`${pathOf(code)}/reset`, EventTypeRecord, { method: 'POST', body: { version } });
}

/** Refused with `in-use` where events or rules refer to it. */
export function removeEventType({ code, version }: TypeKey): Promise<ApiResult<unknown>> {
  return requestRecord(pathOf(code), Nothing, { method: 'DELETE', query: { version } });
}

function pathOf(code: string): string {
  return `${EVENT_TYPES_PATH}/${encodeURIComponent(code)}`;
}

export function loadEventReasons(signal?: AbortSignal): Promise<ApiResult<readonly EventReason[]>> {
  return requestRecord(EVENT_REASONS_PATH, EventReasons, { signal });
}

export function addEventReason(reason: EventReasonContent): Promise<ApiResult<EventReason>> {
  return requestRecord(EVENT_REASONS_PATH, EventReason, { method: 'POST', body: reason });
}

type ReasonKey = Pick<EventReason, 'id' | 'version'>;

export function saveEventReason(
  { id, version }: ReasonKey,
  reason: EventReasonContent,
): Promise<ApiResult<EventReason>> {
  return requestRecord(`${EVENT_REASONS_PATH}/${id}`, EventReason, { method: 'PUT', body: { version, ...reason } });
}

export function resetEventReason({ id, version }: ReasonKey): Promise<ApiResult<EventReason>> {
  return requestRecord(`${EVENT_REASONS_PATH}/${id}/reset`, EventReason, { method: 'POST', body: { version } });
}

/** Refused with `in-use` where events were closed for it. */
export function removeEventReason({ id, version }: ReasonKey): Promise<ApiResult<unknown>> {
  return requestRecord(`${EVENT_REASONS_PATH}/${id}`, Nothing, { method: 'DELETE', query: { version } });
}
