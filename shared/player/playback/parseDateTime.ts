// What a viewer types to go to a moment: a date and time, or a time of the day that is shown. Pure.
import { parsePlaybackTime } from '../../protocol/playbackTime.ts';
import { formatDay } from './timeline/wallClock.ts';

const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/;

/** Milliseconds since the epoch; undefined for what is no moment. `shownMs` lies in the day that a time alone is of. */
export function parseDateTime(text: string, shownMs: number): number | undefined {
  const trimmed = text.trim();
  const time = TIME.exec(trimmed);
  const [, hours = '', minutes = '', seconds = '00'] = time ?? [];
  const whole = time === null ? trimmed : `${formatDay(shownMs)} ${hours.padStart(2, '0')}:${minutes}:${seconds}`;
  const moment = parsePlaybackTime(whole);
  return moment === undefined ? undefined : moment * 1_000;
}
