import { EventTrack, eventTrackPath } from '../protocol/api/eventTrack.ts';
import type { ApiResult } from './client.ts';
import { requestRecord } from './requestRecord.ts';

/** Empty for an event without a device. Code of a refusal: `no-such-event`. */
export function readEventTrack(id: number, signal?: AbortSignal): Promise<ApiResult<EventTrack>> {
  return requestRecord(eventTrackPath(id), EventTrack, { signal });
}
