// Segments on a real disk: read by their sidecar, without it, cut short, and with garbage in them.
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HubPacket } from '../../../../server/media/hubPacket.ts';
import { createRecordingFiles } from '../../../../server/recording/files.ts';
import { GopIndexer } from '../../../../server/recording/gopIndexer.ts';
import type { GopReader, RecordedGroup } from '../../../../server/recording/playback/gopReader.ts';
import { PacketCursor } from '../../../../server/recording/playback/packetCursor.ts';
import { readSegmentIndex } from '../../../../server/recording/playback/readSegmentIndex.ts';
import { placePackets } from '../../../../server/recording/playback/recordedPacket.ts';
import { encodeSidecar, type SegmentGroup, type SegmentIndex } from '../../../../server/recording/segmentFormat.ts';
import { type SegmentName, segmentPath, sidecarPath } from '../../../../server/recording/segmentPath.ts';
import {
  PACKET_HEADER_BYTES,
  PacketFlag,
  PacketKind,
  readMessage,
  readPacket,
  setFlag,
} from '../../../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { type GroupRead, gopReaderOf, readGroups } from '../../../support/media/readGroups.ts';
import { createTempFolder, type TempFolder } from '../../../support/tempFolder.ts';
import {
  GROUP_PICTURES,
  NOON,
  PICTURE_MS,
  type PlacedPicture,
  picture,
  placedPictures,
  sound,
  soundFormat,
} from '../recordingScene.ts';

const NAME: SegmentName = { archiveId: 'BUS1', channel: 1, quality: 'main', startMs: wallMs(NOON) };
const PICTURES = 4 * GROUP_PICTURES;
const GROUP_MS = GROUP_PICTURES * PICTURE_MS;

let folder: TempFolder;
let index: SegmentIndex;
const bytesOf = (packets: readonly HubPacket[]): Buffer => Buffer.concat(packets.map(({ bytes }) => bytes));

/** A segment with sound whose format changes in the second group. */
function scenePackets(): HubPacket[] {
  const packets = [soundFormat()];
  for (let number = 0; number < PICTURES; number++) {
    packets.push(picture(number));
    if (number === GROUP_PICTURES + 3) packets.push(soundFormat(16_000));
    packets.push(sound(number));
  }
  return packets;
}

function indexOf(packets: readonly HubPacket[]): SegmentIndex {
  const indexer = new GopIndexer();
  const groups: SegmentGroup[] = [];
  let pictures = 0;
  for (const { bytes } of packets) {
    const read = readPacket(bytes);
    if (read.kind !== 'packet') throw new Error('no packet');
    const ended = indexer.add({ header: read.packet, bytes }, NOON + pictures * PICTURE_MS);
    if (ended !== undefined) groups.push(ended);
    if (read.packet.kind === PacketKind.Video) pictures++;
  }
  const last = indexer.finish();
  return { startMs: NAME.startMs, groups: last === undefined ? groups : [...groups, last.group], end: last?.end };
}

const file = (path: string): string => join(folder.path, path);

beforeAll(async () => {
  folder = await createTempFolder();
});
beforeEach(() => {
  const packets = scenePackets();
  index = indexOf(packets);
  mkdirSync(dirname(file(segmentPath(NAME))), { recursive: true });
  writeFileSync(file(segmentPath(NAME)), bytesOf(packets));
  writeFileSync(file(sidecarPath(NAME)), encodeSidecar(index));
});
afterAll(() => folder.remove());

/** Opened anew each time: a reader keeps the indexes that it has read. */
const openReader = (): GopReader => gopReaderOf(createRecordingFiles(folder.path), [NAME]);
const readIndex = () => readSegmentIndex(createRecordingFiles(folder.path), NAME);
const readAll = (): Promise<GroupRead[]> => readGroups(openReader(), NAME);

const picturesIn = (groups: readonly GroupRead[]): PlacedPicture[] =>
  placedPictures(groups.flatMap(({ packets }) => packets ?? []));
const numbersOf = (groups: readonly GroupRead[]): number[] => picturesIn(groups).map(({ number }) => number);
const damagedOf = (groups: readonly GroupRead[]): RecordedGroup[] =>
  groups.flatMap(({ at, packets }) => (packets === undefined ? [at] : []));

/** The numbers of the pictures that a viewer gets who begins at that moment. */
async function numbersFrom(atMs: number): Promise<number[]> {
  const cursor = new PacketCursor(openReader(), NAME, atMs * 1_000);
  const numbers: number[] = [];
  for (let read = await cursor.read(); read.kind === 'packets'; read = await cursor.read()) {
    numbers.push(...placedPictures(read.packets).map(({ number }) => number));
  }
  return numbers;
}

function expectOnTime(pictures: readonly PlacedPicture[]): void {
  for (const { number, wallMs: shownMs } of pictures) expect(shownMs).toBe(NOON + number * PICTURE_MS);
}

const counted = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);

describe('a segment', () => {
  it('is read as it was written, each picture at its time', async () => {
    const groups = await readAll();
    expect(numbersOf(groups)).toEqual(counted(0, PICTURES));
    expectOnTime(picturesIn(groups));
  });

  it('is read from any group on', async () => {
    for (const group of [0, 1, 2, 3]) {
      expect(await numbersFrom(NOON + group * GROUP_MS)).toEqual(counted(group * GROUP_PICTURES, PICTURES));
    }
    expect(await numbersFrom(NOON + 4 * GROUP_MS)).toEqual([]);
  });

  it('gives key frames alone, and the format that was in force at each', async () => {
    const gopReader = openReader();
    const rates: number[] = [];
    for (const { at } of await readGroups(gopReader, NAME)) {
      const key = await gopReader.readKeyFrame(at);
      if (key.kind !== 'bytes') throw new Error(key.kind);
      expect(placedPictures(placePackets(key.bytes, at.group).packets)).toEqual([
        { number: at.number * GROUP_PICTURES, wallMs: NOON + at.number * GROUP_MS },
      ]);
      const format = readMessage((await gopReader.readFormat(at)) ?? new Uint8Array(0)).packets[0];
      rates.push((JSON.parse(Buffer.from(format?.payload ?? []).toString()) as { sampleRate: number }).sampleRate);
    }
    expect(rates).toEqual([8_000, 8_000, 16_000, 16_000]);
  });

  it('that is not there is undefined', async () => {
    const files = createRecordingFiles(folder.path);
    const absent = { ...NAME, startMs: wallMs(NOON + 1) };
    expect(await readSegmentIndex(files, absent)).toBeUndefined();
    expect(await readGroups(gopReaderOf(files, [absent]), absent)).toEqual([]);
  });

  it('reads the same without its sidecar, and with one that ends early', async () => {
    const { groups, end } = index;
    for (const sidecar of [
      undefined,
      new Uint8Array(3),
      encodeSidecar({ startMs: NAME.startMs, groups: groups.slice(0, 2), end: undefined }),
    ]) {
      if (sidecar === undefined) rmSync(file(sidecarPath(NAME)));
      else writeFileSync(file(sidecarPath(NAME)), sidecar);
      expect(await readIndex()).toMatchObject({ groups, end });
    }
  });

  it('that was torn at any byte is read up to its last whole packet', async () => {
    rmSync(file(sidecarPath(NAME)));
    const whole = readFileSync(file(segmentPath(NAME)));
    const packets = scenePackets();
    for (let bytes = whole.byteLength - 2_000; bytes > 0; bytes -= 997) {
      truncateSync(file(segmentPath(NAME)), bytes);
      let kept = 0;
      let pictures = 0;
      for (const { bytes: packet, isVideo } of packets) {
        if (kept + packet.byteLength > bytes) break;
        kept += packet.byteLength;
        if (isVideo) pictures++;
      }
      expect(numbersOf(await readAll())).toEqual(counted(0, pictures));
      expect((await readIndex())?.end?.bytes).toBe(pictures === 0 ? 0 : kept);
    }
  });
});

describe('garbage in a segment', () => {
  const SPOILT_GROUP = 1;

  function spoil(bytes: number): void {
    const whole = readFileSync(file(segmentPath(NAME)));
    const { offset = 0 } = index.groups[SPOILT_GROUP] ?? {};
    whole.fill(0xa7, offset + 700, offset + 700 + bytes);
    writeFileSync(file(segmentPath(NAME)), whole);
  }

  const withoutSpoilt = counted(0, PICTURES).filter((number) => Math.floor(number / GROUP_PICTURES) !== SPOILT_GROUP);

  it.each([1, 24, 3_000])('of %d bytes is found by its checksum and costs its group only', async (bytes) => {
    spoil(bytes);
    const groups = await readAll();
    expect(numbersOf(groups)).toEqual(withoutSpoilt);
    expect(damagedOf(groups)).toMatchObject([{ group: { wallTimeMs: NOON + GROUP_MS, durationMs: GROUP_MS } }]);
    expect(await numbersFrom(NOON)).toEqual(withoutSpoilt);
  });

  it('costs its group only when the sidecar is lost too', async () => {
    spoil(3_000);
    rmSync(file(sidecarPath(NAME)));
    const groups = await readAll();
    expect(numbersOf(groups)).toEqual(withoutSpoilt);
    expect(damagedOf(groups)).toHaveLength(1);
    expectOnTime(picturesIn(groups));
  });

  it.each([
    ['of open groups', [PacketFlag.Entry]],
    ['with gradual refresh', [PacketFlag.Entry, PacketFlag.Recovering]],
  ])('costs its group only in a stream %s', async (_, flags) => {
    const whole = readFileSync(file(segmentPath(NAME)));
    const keys = index.groups.map(({ keyOffset }) => keyOffset);
    for (const at of keys) for (const flag of flags) setFlag(whole.subarray(at), flag);
    // The packet behind the key frame's sound.
    for (const at of keys) setFlag(whole.subarray(at + 2 * PACKET_HEADER_BYTES + 200 + 320), PacketFlag.Leading);
    writeFileSync(file(segmentPath(NAME)), whole);
    spoil(3_000);
    rmSync(file(sidecarPath(NAME)));
    expect(numbersOf(await readAll())).toEqual(withoutSpoilt);
  });

  it('at the very start costs the first group', async () => {
    const whole = readFileSync(file(segmentPath(NAME)));
    writeFileSync(file(segmentPath(NAME)), whole.fill(0xa7, 0, 300));
    rmSync(file(sidecarPath(NAME)));
    expect(numbersOf(await readAll())).toEqual(counted(GROUP_PICTURES, PICTURES));
  });

  it('of zeros where blocks were never written is no picture', async () => {
    rmSync(file(sidecarPath(NAME)));
    const whole = readFileSync(file(segmentPath(NAME)));
    writeFileSync(file(segmentPath(NAME)), whole.fill(0, whole.byteLength - 450));
    const numbers = numbersOf(await readAll());
    expect(numbers).toEqual(counted(0, PICTURES - 1));
  });
});
