import type { LinkCredential } from '../../shared/protocol/api.ts';

/** A link's credential and the one channel that is asked for with it: what every stream's address begins with. */
export interface ChannelQuery extends LinkCredential {
  readonly deviceId: string;
  readonly channel: number;
}

/** JT/T 1078 numbers channels in one byte. */
const MAX_CHANNEL = 255;

/** Undefined when the query names no device or no channel. */
export function parseChannelQuery(parameters: URLSearchParams): ChannelQuery | undefined {
  const deviceId = parameters.get('deviceid') ?? '';
  const channelText = parameters.get('channel') ?? '';
  const channel = /^\d{1,3}$/.test(channelText) ? Number(channelText) : 0;
  if (deviceId === '' || channel < 1 || channel > MAX_CHANNEL) return undefined;
  const username = parameters.get('username') ?? '';
  return { deviceId, channel, username, credential: parameters.get('credential') ?? '' };
}
