import { type InnerPageLink, innerPageLink } from '../frame/innerPageLink.ts';
import { queryText } from '../frame/pageQuery.ts';

const GPS_PLAYBACK_SRC = '/innerpage/gpsplayback.html';

/** Moments of the gateway's clock. */
export interface PlaybackMoment {
  readonly deviceId: string;
  /** What is shown; left out: the day of the reader that is under way. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** Where the clock stands. */
  readonly atMs?: number | undefined;
}

/** To GPS Playback of a device at a moment. For every user who sees the device. */
export function gpsPlaybackLink({ deviceId, fromMs, toMs, atMs }: PlaybackMoment): InnerPageLink {
  const query = new URLSearchParams({ device: deviceId });
  if (fromMs !== undefined && toMs !== undefined) {
    query.set('from', String(Math.floor(fromMs)));
    query.set('to', String(Math.ceil(toMs)));
  }
  if (atMs !== undefined) query.set('at', String(Math.floor(atMs)));
  return innerPageLink({ src: GPS_PLAYBACK_SRC }, queryText(query));
}
