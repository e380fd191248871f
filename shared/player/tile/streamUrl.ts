import type { DeviceQuery } from '../../api/devices/device.ts';
import { buildWebSocketUrl } from '../../api/query.ts';
import type { WallSeconds } from '../../protocol/time.ts';

export interface StreamQuery extends DeviceQuery {
  /** The playback session that the stream belongs to. */
  readonly streamid?: number;
  /** Where that session begins. */
  readonly spbtime?: WallSeconds;
}

/** The address of one channel's stream. Sound belongs to the device's first channel, wherever its tile stands. */
export function streamUrl(path: string, query: StreamQuery, channel: number): string {
  return buildWebSocketUrl(path, { ...query, channel, audio: channel === 1 ? 1 : 0 });
}
