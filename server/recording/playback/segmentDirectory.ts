import type { WallMs } from '../../../shared/protocol/time.ts';
import type { SegmentIndex } from '../segmentFormat.ts';
import type { SegmentName } from '../segmentPath.ts';

/** One camera's recordings, whichever of its two pictures was recorded. */
export interface TrackKey {
  readonly deviceId: string;
  readonly channel: number;
}

/** Which segments there are: the store knows the closed ones, the recorder those that it still writes. */
export interface SegmentDirectory {
  /** The newest segment of the track that began at or before the moment. */
  latestAt(track: TrackKey, atMs: WallMs): Promise<SegmentName | undefined>;
  /** The first that began after the moment. */
  nextAfter(track: TrackKey, atMs: WallMs): Promise<SegmentName | undefined>;
  /**
   * What can be read of a segment that is still written, its last group included as far as it has reached the file;
   * undefined for any other segment.
   */
  openIndex(name: SegmentName): SegmentIndex | undefined;
}
