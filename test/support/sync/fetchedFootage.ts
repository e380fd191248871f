// What lies in the data folder of a gateway that has ended, of recordings that were fetched from cards: every picture is looked at.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createRecordingFiles } from '../../../server/recording/files.ts';
import { parseFileName } from '../../../server/recording/segmentPath.ts';
import type { StoredSegment } from '../../../server/store/recordings/segments.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { type PacketHeader, readPacket, type StreamPacket } from '../../../shared/protocol/stream/streamPacket.ts';
import type { TimeRange } from '../../../shared/protocol/timeRanges.ts';
import { FRAME_MS, frameAt } from '../../../simulator/clip/clipFormat.ts';
import type { Clip } from '../../../simulator/clip/loadClip.ts';
import { openSqliteFile } from '../databases/sqliteFile.ts';
import { gopReaderOf, readGroups } from '../media/readGroups.ts';

/**
 * Files without dates begin where they were asked for: of a piece that was asked for anew they begin with the group before, which
 * is two seconds of the clip. Clocks are compared by whole seconds.
 */
const MAX_MISPLACED_MS = 3_000;

export interface FetchedFootage {
  /** By device: what is recorded, in order. */
  readonly recorded: ReadonlyMap<string, readonly TimeRange[]>;
  readonly pictures: number;
  /** What is wrong, in words; empty when all is right. */
  readonly faults: readonly string[];
}

export async function readFetchedFootage(
  dataDir: string,
  deviceIds: readonly string[],
  clip: Clip,
): Promise<FetchedFootage> {
  const root = join(dataDir, 'recordings');
  const database = await openSqliteFile(join(dataDir, 'fleetglass.db'));
  try {
    const stores = createStores(database.db);
    const rows = await stores.segments.oldest(100_000);
    const faults = sizeFaults(root, rows);
    let pictures = 0;
    for (const row of rows) pictures += await readSegment(root, { row, clip, faults });
    const recorded = new Map<string, readonly TimeRange[]>();
    for (const deviceId of deviceIds) {
      const archiveId = await archiveOf(stores, deviceId);
      const own = rows
        .filter((row) => row.archiveId === archiveId)
        .toSorted((left, right) => left.startMs - right.startMs);
      faults.push(...overlapsOf(deviceId, own));
      recorded.set(
        deviceId,
        own.map(({ startMs, endMs }) => ({ fromMs: startMs, toMs: endMs })),
      );
    }
    return { recorded, pictures, faults };
  } finally {
    await database.close();
  }
}

async function archiveOf(stores: Stores, deviceId: string): Promise<string> {
  const device = await stores.devices.findByDeviceId(deviceId);
  if (device === undefined) throw new Error(`no device ${deviceId}`);
  return device.archiveId;
}

/** The database knows every file, and nothing else; as many bytes of each as it has. */
function sizeFaults(root: string, rows: readonly StoredSegment[]): string[] {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.seg'));
  const onDisk = paths.map((path) => {
    const [day = '', file = ''] = path.split('/').slice(-2);
    return `${parseFileName(day, file)?.startMs}, ${statSync(join(root, path)).size} bytes`;
  });
  const inDatabase = rows.map(({ startMs, bytes }) => `${startMs}, ${bytes} bytes`);
  return [
    ...without(onDisk, inDatabase).map((each) => `the database lacks the segment of ${each}`),
    ...without(inDatabase, onDisk).map((each) => `there is no file of the segment of ${each}`),
  ];
}

function without(all: readonly string[], known: readonly string[]): string[] {
  const left = [...known];
  return all.filter((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function overlapsOf(deviceId: string, rows: readonly StoredSegment[]): string[] {
  return rows.flatMap((row, at) => {
    const before = rows[at - 1];
    const isOver = before !== undefined && row.startMs < before.endMs;
    return isOver ? [`${deviceId} has ${row.startMs} to ${before.endMs} twice`] : [];
  });
}

interface Reading {
  readonly row: StoredSegment;
  readonly clip: Clip;
  readonly faults: string[];
}

/** Every group by its checksum, every picture by its place and by what it shows. Gives the number of pictures. */
async function readSegment(root: string, { row, clip, faults }: Reading): Promise<number> {
  let pictures = 0;
  let lastUs = Number.NEGATIVE_INFINITY;
  for (const { at, packets } of await readGroups(gopReaderOf(createRecordingFiles(root), [row]), row)) {
    const { wallTimeMs, mediaTimeUs } = at.group;
    if (packets === undefined) faults.push(`a group at ${wallTimeMs} is damaged`);
    for (const { timeUs, bytes } of packets?.filter(({ kind }) => kind === 'video') ?? []) {
      const read = readPacket(bytes);
      if (read.kind !== 'packet') throw new Error(`no packet at ${timeUs} µs`);
      pictures++;
      const mediaUs = timeUs - wallTimeMs * 1_000 + mediaTimeUs;
      if (mediaUs <= lastUs) faults.push(`out of order: ${timeUs / 1_000}`);
      if (!isShown(read.packet, timeUs / 1_000, clip)) faults.push(`not the picture of ${timeUs / 1_000}`);
      lastUs = mediaUs;
    }
  }
  const expected = (row.endMs - row.startMs) / FRAME_MS;
  if (Math.abs(pictures - expected) > 1)
    faults.push(`${pictures} pictures, and not ${expected}, from ${row.startMs} on`);
  return pictures;
}

/** Whether it is a picture of the clip at about that moment: its loop is locked to the clock. Parameter sets may be in front. */
function isShown({ payload }: PacketHeader & Pick<StreamPacket, 'payload'>, atMs: number, clip: Clip): boolean {
  const nearest = Math.round(atMs / FRAME_MS);
  const frames = Math.ceil(MAX_MISPLACED_MS / FRAME_MS);
  for (let away = 0; away <= frames; away++)
    for (const moment of [nearest - away, nearest + away]) {
      const frame = clip.frames[frameAt(moment * FRAME_MS)];
      if (frame === undefined) continue;
      const tail = Math.min(200, frame.bytes.byteLength - 40);
      if (Buffer.compare(payload.subarray(-tail), frame.bytes.subarray(-tail)) === 0) return true;
    }
  return false;
}
