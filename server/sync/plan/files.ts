// The recordings of devices in the form in which planning uses them. Pure.
import type { SyncStream } from '../../../shared/protocol/sync/syncWords.ts';
import { clipRange, mergeRanges, type TimeRange } from '../../../shared/protocol/timeRanges.ts';
import { subtract } from '../../../shared/protocol/timeSpans.ts';
import type { DeviceClock } from '../../../shared/protocol/tracks/deviceClock.ts';
import type { StoredRecording } from '../../store/sync/deviceRecordings.ts';

/** A file of a device on the gateway's clock, or a part of it. */
export interface DeviceFile extends TimeRange {
  readonly channel: number;
  readonly stream: SyncStream;
  /** Gateway's clock minus device's clock. */
  readonly offsetMs: number;
  readonly hasAlarm: boolean;
  readonly isGone: boolean;
  readonly bytes: number;
}

const NO_ALARMS = /^0*$/;

/** The offset at its begin applies to the whole file: the device wrote it as one. */
export function fileOf(recording: StoredRecording, clock: Pick<DeviceClock, 'offsetAt'>): DeviceFile {
  const { channel, stream, fromMs, toMs, alarms, isGone, bytes } = recording;
  const offsetMs = clock.offsetAt(fromMs);
  return {
    channel,
    stream,
    fromMs: fromMs + offsetMs,
    toMs: toMs + offsetMs,
    offsetMs,
    hasAlarm: !NO_ALARMS.test(alarms),
    isGone,
    bytes,
  };
}

const PREFERENCE: readonly SyncStream[] = ['main', 'any', 'sub'];

/** Parts of files that don't overlap, in order: where there are several streams of a moment, the better one counts. */
export function apart(files: readonly DeviceFile[]): DeviceFile[] {
  const chosen: DeviceFile[] = [];
  let covered: TimeRange[] = [];
  for (const stream of PREFERENCE) {
    const ofStream = files.filter((file) => file.stream === stream).sort((left, right) => left.fromMs - right.fromMs);
    const added: DeviceFile[] = [];
    let endMs = Number.NEGATIVE_INFINITY;
    for (const file of ofStream) {
      // Files of one stream overlap where a device's clock was set back: the first one counts.
      const fromMs = Math.max(file.fromMs, endMs);
      if (fromMs >= file.toMs) continue;
      endMs = file.toMs;
      for (const part of subtract([{ fromMs, toMs: file.toMs }], covered)) added.push(partOf(file, part));
    }
    chosen.push(...added);
    covered = mergeRanges([...covered, ...added], 0);
  }
  return chosen.sort((left, right) => left.fromMs - right.fromMs);
}

/** The parts of files within ranges, which are in order and apart. */
export function within(files: readonly DeviceFile[], ranges: readonly TimeRange[]): DeviceFile[] {
  const parts: DeviceFile[] = [];
  let at = 0;
  for (const file of files) {
    while ((ranges[at]?.toMs ?? Number.POSITIVE_INFINITY) <= file.fromMs) at++;
    for (let next = at; ; next++) {
      const range = ranges[next];
      if (range === undefined || range.fromMs >= file.toMs) break;
      const part = clipRange(file, range);
      if (part !== undefined) parts.push(partOf(file, part));
    }
  }
  return parts;
}

function partOf(file: DeviceFile, { fromMs, toMs }: TimeRange): DeviceFile {
  if (fromMs === file.fromMs && toMs === file.toMs) return file;
  const share = (toMs - fromMs) / (file.toMs - file.fromMs);
  return { ...file, fromMs, toMs, bytes: Math.round(file.bytes * share) };
}
