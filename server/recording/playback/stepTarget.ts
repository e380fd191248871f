// Where a step of so many pictures leads: the time of the n-th picture after or before the one on the screen.
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { Limit } from '../../limits/limit.ts';
import type { GopReader, RecordedGroup } from './gopReader.ts';
import { shownIndex } from './pictureOrder.ts';
import { placePackets } from './recordedPacket.ts';
import type { TrackKey } from './segmentDirectory.ts';

/** Frames to step forward or back, all queued steps together. A step is a key press; a held key makes a few dozen. It steps no further. */
export const STEPS_LIMIT: Limit = { name: 'playback.step-pictures.session', max: 1_000 };

/**
 * The position of the picture `frames` away from the one shown at `positionMs`, in whole milliseconds at or behind its
 * time; the last or first there is when the recording ends before. Undefined when nothing is recorded.
 */
export async function stepTarget(
  gopReader: GopReader,
  track: TrackKey,
  { positionMs, frames }: { readonly positionMs: WallMs; readonly frames: number },
): Promise<number | undefined> {
  const start = (await gopReader.latestAt(track, positionMs)) ?? (await gopReader.firstAfter(track, positionMs));
  if (start === undefined) return undefined;
  const wanted = Math.min(Math.max(Math.trunc(frames), -STEPS_LIMIT.max), STEPS_LIMIT.max);
  let times = await pictureTimes(gopReader, start);
  let index = shownIndex(times, positionMs * 1000) + wanted;
  for (let at: RecordedGroup | undefined = start; index < 0; ) {
    at = await gopReader.previous(at);
    if (at === undefined) return toPosition(times[0]);
    const before = await pictureTimes(gopReader, at);
    index += before.length;
    times = [...before, ...times];
  }
  for (let at: RecordedGroup = start; index >= times.length; ) {
    const next = await gopReader.next(at);
    if (typeof next === 'string') return toPosition(times.at(-1));
    times = [...times, ...(await pictureTimes(gopReader, next))];
    at = next;
  }
  return toPosition(times[index]);
}

function toPosition(timeUs: number | undefined): number | undefined {
  return timeUs === undefined ? undefined : Math.ceil(timeUs / 1000);
}

/** When the group's pictures are shown, rising; none for one that cannot be read. */
async function pictureTimes(gopReader: GopReader, at: RecordedGroup): Promise<number[]> {
  const times: number[] = [];
  const end = at.group.offset + at.group.bytes;
  const checked = await gopReader.readChecked(at);
  if (checked.kind !== 'bytes') return [];
  let piece = checked.bytes;
  for (let offset = at.group.offset; ; ) {
    const { packets, consumedBytes, isDamaged } = placePackets(piece, at.group);
    for (const { kind, timeUs } of packets) if (kind === 'video') times.push(timeUs);
    offset += consumedBytes;
    const isStuck = piece.byteLength > 0 && consumedBytes === 0;
    if (offset >= end || isDamaged) break;
    const read = await gopReader.readPiece(at, offset, isStuck ? end - offset : undefined);
    if (read.kind !== 'bytes' || read.bytes.byteLength === 0 || (isStuck && read.bytes.byteLength < end - offset))
      break;
    piece = read.bytes;
  }
  return times.sort((left, right) => left - right);
}
