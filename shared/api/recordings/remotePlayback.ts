import type { RecordedRange } from '../../protocol/api/recordings.ts';
import type { LinkCredential } from '../../protocol/api.ts';
import type { WallSeconds } from '../../protocol/time.ts';
import { type ApiResult, mapResult, requestJson } from '../client.ts';
import type { DeviceQuery } from '../devices/device.ts';
import { field, list } from './recordings.ts';

export interface RemotePlayRequest {
  readonly deviceid: string;
  readonly streamid: number;
  readonly spbtime: WallSeconds;
  /** Seconds, 1 to 1800. */
  readonly duration: number;
  /** Mask of the one channel. */
  readonly chs: number;
}

/** Asks the device to send what it recorded; the stream may be opened once this has succeeded. */
export async function playRemote(
  link: LinkCredential,
  play: RemotePlayRequest,
  signal?: AbortSignal,
): Promise<ApiResult<unknown>> {
  const { deviceid, streamid, spbtime, duration, chs } = play;
  return requestJson('/api/playback/remote/play', {
    method: 'POST',
    query: { username: link.username, credential: link.credential },
    // 0 lets the device choose between its main and its sub stream.
    body: { deviceid, streamid, spbtime, duration, chs, main: 0 },
    signal,
  });
}

/** What a device has recorded of a channel with pictures, in a stretch of at most 50 hours. An addition of ours to the contract. */
export async function getDeviceRecordings(
  query: DeviceQuery & { readonly channel: number },
  { fromMs, toMs }: RecordedRange,
  signal?: AbortSignal,
): Promise<ApiResult<readonly RecordedRange[]>> {
  const { username, credential, deviceid, channel } = query;
  const result = await requestJson<unknown>('/api/playback/remote/recordings', {
    query: { username, credential, deviceid, channel, from: fromMs, to: toMs },
    signal,
  });
  return mapResult(result, readDeviceRecordings);
}

/** Total: what is no recording is left out. */
function readDeviceRecordings(data: unknown): readonly RecordedRange[] {
  return list(field(data, 'recordings')).flatMap((entry) => {
    const fromMs = field(entry, 'startMs');
    const toMs = field(entry, 'endMs');
    if (typeof fromMs !== 'number' || typeof toMs !== 'number' || fromMs >= toMs) return [];
    return field(entry, 'media') === 'audio' ? [] : [{ fromMs, toMs }];
  });
}
