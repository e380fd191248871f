// The segments of the store and those that the recorder still writes, as one list.
import { wallMs } from '../../../shared/protocol/time.ts';
import type { SegmentStore } from '../../store/segments.ts';
import type { SegmentIndex } from '../segmentFormat.ts';
import type { SegmentName } from '../segmentPath.ts';
import type { SegmentDirectory, TrackKey } from './segmentDirectory.ts';

/** A segment stays in the list until the store has it: between the two a viewer would see the end of the recording. */
export interface OpenSegment {
  readonly name: SegmentName;
  readonly index: SegmentIndex;
}

export interface OpenSegments {
  openSegments(track: TrackKey): readonly OpenSegment[];
}

export function createSegmentDirectory(
  segments: Pick<SegmentStore, 'latest' | 'next'>,
  recorder: OpenSegments,
): SegmentDirectory {
  return {
    latestAt: async (track, atMs) => {
      const open = namesOf(recorder, track).filter(({ startMs }) => startMs <= atMs);
      const stored = await segments.latest(track.deviceId, track.channel, atMs);
      return [...open, ...(stored === undefined ? [] : [stored])].sort(byStart).at(-1);
    },
    nextAfter: async (track, atMs) => {
      const open = namesOf(recorder, track).filter(({ startMs }) => startMs > atMs);
      const stored = await segments.next(track.deviceId, track.channel, wallMs(atMs + 1));
      return [...open, ...(stored === undefined ? [] : [stored])].sort(byStart)[0];
    },
    openIndex: (name) => recorder.openSegments(name).find((open) => open.name.startMs === name.startMs)?.index,
  };
}

function namesOf(recorder: OpenSegments, track: TrackKey): SegmentName[] {
  return recorder.openSegments(track).map(({ name }) => name);
}

function byStart(left: SegmentName, right: SegmentName): number {
  return left.startMs - right.startMs;
}
