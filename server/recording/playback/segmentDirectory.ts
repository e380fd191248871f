import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { RecordedIndex } from '../recordedIndex.ts';
import type { SegmentIndex } from '../segmentFormat.ts';
import type { SegmentName } from '../segmentPath.ts';

/** One camera's recordings, whichever of its two streams was recorded. */
export interface TrackKey {
  /** Archive ID of the device, and of no other one that has or had its ID. */
  readonly archiveId: string;
  readonly channel: number;
}

/** Lists the segments of a track. */
export interface SegmentDirectory {
  /** The newest segment of the track that began at or before the moment. */
  latestAt(track: TrackKey, atMs: WallMs): Promise<SegmentName | undefined>;
  /** The first segment that began after the moment. */
  nextAfter(track: TrackKey, atMs: WallMs): Promise<SegmentName | undefined>;
  /**
   * The readable part of a segment that is still being written, its last group included as far as it has reached the
   * file; undefined for any other segment.
   */
  openIndex(name: SegmentName): SegmentIndex | undefined;
}

export function createSegmentDirectory(
  recorded: Pick<RecordedIndex, 'latest' | 'next' | 'openIndex'>,
): SegmentDirectory {
  return {
    latestAt: ({ archiveId, channel }, atMs) => recorded.latest(archiveId, channel, atMs),
    nextAfter: ({ archiveId, channel }, atMs) => recorded.next(archiveId, channel, wallMs(atMs + 1)),
    openIndex: (name) => recorded.openIndex(name),
  };
}
