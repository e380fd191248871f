// The state of the video part at the clock's moment. Pure.
import { isWithin, mergedRanges, type TimeRange } from '../clock/ranges.ts';

export interface RecordedChannel {
  readonly channel: number;
  readonly ranges: readonly TimeRange[];
}

/** Maximum channels: there is no room for more beside a map, and a phone decodes no more. */
const MOST_CHANNELS = 4;

/** `unknown`: the server has none, and the device has not been asked. */
export type VideoState = 'recorded' | 'device' | 'unknown' | 'none';

export function recordedRanges(
  recordings: readonly RecordedChannel[],
  channels: readonly number[],
): readonly TimeRange[] {
  return mergedRanges(recordings.filter(({ channel }) => channels.includes(channel)).flatMap(({ ranges }) => ranges));
}

/** `onDevice`: what the device has, and the stretches that it was asked about. */
export function videoStateAt(
  recorded: readonly TimeRange[],
  onDevice: { readonly asked: readonly TimeRange[]; readonly ranges: readonly TimeRange[] },
  atMs: number,
): VideoState {
  if (recorded.some((range) => isWithin(range, atMs))) return 'recorded';
  if (!onDevice.asked.some((range) => isWithin(range, atMs))) return 'unknown';
  return onDevice.ranges.some((range) => isWithin(range, atMs)) ? 'device' : 'none';
}

/** Up to MOST_CHANNELS channels, ordered by their numbers; recorded ones take precedence over the others. */
export function shownChannels(channels: readonly number[], recordings: readonly RecordedChannel[]): readonly number[] {
  const isRecorded = (channel: number) => recordings.some((each) => each.channel === channel && each.ranges.length > 0);
  const recordedFirst = channels.toSorted((left, right) => Number(isRecorded(right)) - Number(isRecorded(left)));
  return recordedFirst.slice(0, MOST_CHANNELS).toSorted((left, right) => left - right);
}
