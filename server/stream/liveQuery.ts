import type { LinkCredential } from '../../shared/protocol/api.ts';
import type { StreamQuality } from './channelKey.ts';

export interface LiveQuery extends LinkCredential {
  readonly deviceId: string;
  readonly channel: number;
  readonly wantsAudio: boolean;
  readonly quality: StreamQuality;
}

/** JT/T 1078 numbers channels in one byte. */
const MAX_CHANNEL = 255;

/** The query of a live stream's address; undefined when it names no device or no channel. */
export function parseLiveQuery(parameters: URLSearchParams): LiveQuery | undefined {
  const deviceId = parameters.get('deviceid') ?? '';
  const channelText = parameters.get('channel') ?? '';
  const channel = /^\d{1,3}$/.test(channelText) ? Number(channelText) : 0;
  if (deviceId === '' || channel < 1 || channel > MAX_CHANNEL) return undefined;
  return {
    deviceId,
    channel,
    username: parameters.get('username') ?? '',
    credential: parameters.get('credential') ?? '',
    wantsAudio: parameters.get('audio') === '1',
    quality: parameters.get('quality') === 'sub' ? 'sub' : 'main',
  };
}
