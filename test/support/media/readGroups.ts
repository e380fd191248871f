// What a recording holds, read as playback reads it: group by group, each checked, its packets placed in time.

import type { RecordingFiles } from '../../../server/recording/files.ts';
import { GopReader, type RecordedGroup } from '../../../server/recording/playback/gopReader.ts';
import { placePackets, type RecordedPacket } from '../../../server/recording/playback/recordedPacket.ts';
import type { SegmentDirectory, TrackKey } from '../../../server/recording/playback/segmentDirectory.ts';
import type { SegmentName } from '../../../server/recording/segmentPath.ts';
import { wallMs } from '../../../shared/protocol/time.ts';

export interface GroupRead {
  readonly at: RecordedGroup;
  /** In decoding order; undefined when the group is damaged. */
  readonly packets: readonly RecordedPacket[] | undefined;
}

/** Segments of one track, and no others. `openIndex` knows those that are still written; none by default. */
export function gopReaderOf(
  files: RecordingFiles,
  segments: readonly SegmentName[],
  openIndex: SegmentDirectory['openIndex'] = () => undefined,
): GopReader {
  const sorted = [...segments].sort((left, right) => left.startMs - right.startMs);
  const directory: SegmentDirectory = {
    latestAt: async (_track, atMs) => sorted.findLast(({ startMs }) => startMs <= atMs),
    nextAfter: async (_track, atMs) => sorted.find(({ startMs }) => startMs > atMs),
    openIndex,
  };
  return new GopReader({ files, directory });
}

/** Every group of the track, damaged ones included. */
export async function readGroups(gopReader: GopReader, track: TrackKey): Promise<GroupRead[]> {
  const read: GroupRead[] = [];
  let at: RecordedGroup | 'none' | 'later' = (await gopReader.firstAfter(track, wallMs(-1))) ?? 'none';
  while (typeof at !== 'string') {
    read.push({ at, packets: await packetsOf(gopReader, at) });
    at = await gopReader.next(at);
  }
  return read;
}

/** The packets of all groups; throws when one is damaged. */
export async function readTrack(gopReader: GopReader, track: TrackKey): Promise<RecordedPacket[]> {
  return (await readGroups(gopReader, track)).flatMap(({ at, packets }) => {
    if (packets === undefined) throw new Error(`the group at ${at.group.wallTimeMs} is damaged`);
    return packets;
  });
}

async function packetsOf(gopReader: GopReader, at: RecordedGroup): Promise<readonly RecordedPacket[] | undefined> {
  const checked = await gopReader.readChecked(at);
  // One that is larger than a piece comes back empty once it has been checked.
  const isLarge = checked.kind === 'bytes' && checked.bytes.byteLength === 0;
  const read = isLarge ? await gopReader.readPiece(at, at.group.offset, at.group.bytes) : checked;
  if (read.kind === 'missing') throw new Error(`no file of the segment of ${at.segment.startMs}`);
  if (read.kind === 'damaged') return undefined;
  const { packets, consumedBytes, isDamaged } = placePackets(read.bytes, at.group);
  return isDamaged || consumedBytes < read.bytes.byteLength ? undefined : packets;
}
