// Pictures and files of events.
import { EVENT_MEDIA_PATH, type EventMedia, EventMediaList } from '../protocol/api/eventMedia.ts';
import { EVENTS_PATH } from '../protocol/api/events.ts';
import { type ApiResult, mapResult, requestRange } from './client.ts';
import { requestDownloadAddress } from './list.ts';
import { requestRecord } from './requestRecord.ts';

/** Code of a refusal: `no-such-event`. */
export function listEventMedia(eventId: number, signal?: AbortSignal): Promise<ApiResult<readonly EventMedia[]>> {
  return requestRecord(`${EVENTS_PATH}/${eventId}/media`, EventMediaList, { signal });
}

/** A stored one. Through a call and not by its address, since a framed page may have no cookie to open it with. */
export async function loadEventMedia(
  { id, bytes, contentType }: Pick<EventMedia, 'id' | 'bytes' | 'contentType'>,
  signal?: AbortSignal,
): Promise<ApiResult<Blob>> {
  const part = await requestRange(`${EVENT_MEDIA_PATH}/${id}`, { offset: 0, length: bytes, signal });
  return mapResult(part, (file) => new Blob([file.bytes], { type: contentType }));
}

/** Where the browser downloads the signed archive of an event from. For users with `evidence`. */
export function requestEventPackage(eventId: number): Promise<ApiResult<string>> {
  return requestDownloadAddress(`${EVENTS_PATH}/${eventId}/package`, {});
}
