import type { StreamQuality } from '../../media/channelKey.ts';
import { type ChannelQuery, parseChannelQuery } from '../channelQuery.ts';

export interface LiveQuery extends ChannelQuery {
  readonly wantsAudio: boolean;
  readonly quality: StreamQuality;
}

/** The query of a live stream's address; undefined when it names no device or no channel. */
export function parseLiveQuery(parameters: URLSearchParams): LiveQuery | undefined {
  const query = parseChannelQuery(parameters);
  if (query === undefined) return undefined;
  const quality = parameters.get('quality') === 'sub' ? 'sub' : 'main';
  return { ...query, wantsAudio: parameters.get('audio') === '1', quality };
}
