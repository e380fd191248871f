import { type LiveQuery, parseLiveQuery } from '../live/liveQuery.ts';

export interface LocalPlaybackQuery extends LiveQuery {
  readonly streamId: number;
  /** Where a session begins that this socket is the first of. */
  readonly startMs: number;
}

/** Stream numbers are positive and have at most eight digits; anything else means 0. */
const STREAM_ID = /^[1-9]\d{0,7}$/;
/** Seconds up to the year 9999, perhaps with a fraction. */
const EPOCH_SECONDS = /^\d{1,12}(\.\d{1,3})?$/;

/** The query of a local playback stream's address; undefined when it names no device, no channel or no time. */
export function parseLocalPlaybackQuery(parameters: URLSearchParams): LocalPlaybackQuery | undefined {
  const live = parseLiveQuery(parameters);
  const seconds = parameters.get('spbtime') ?? '';
  if (live === undefined || !EPOCH_SECONDS.test(seconds)) return undefined;
  const streamId = parameters.get('streamid') ?? '';
  return {
    ...live,
    streamId: STREAM_ID.test(streamId) ? Number(streamId) : 0,
    startMs: Math.round(Number(seconds) * 1000),
  };
}
