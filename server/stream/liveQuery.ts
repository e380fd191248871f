import type { StreamQuality } from './channelKey.ts';
import { type LinkedStream, parseLinkedStream } from './streamRoute.ts';

export interface LiveQuery extends LinkedStream {
  readonly wantsAudio: boolean;
  readonly quality: StreamQuality;
}

/** The query of a live stream's address; undefined when it names no device or no channel. */
export function parseLiveQuery(parameters: URLSearchParams): LiveQuery | undefined {
  const stream = parseLinkedStream(parameters, 'live');
  if (stream === undefined) return undefined;
  return {
    ...stream,
    wantsAudio: parameters.get('audio') === '1',
    quality: parameters.get('quality') === 'sub' ? 'sub' : 'main',
  };
}
