import type { LinkCredential } from '../protocol/api.ts';
import type { WallSeconds } from '../protocol/time.ts';
import { type ApiResult, requestJson } from './client.ts';

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
