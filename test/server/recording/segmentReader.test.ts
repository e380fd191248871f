// Segments on a real disk: read by their sidecar, without it, cut short, and with garbage in them.
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HubPacket } from '../../../server/media/hubPacket.ts';
import { createRecordingFiles } from '../../../server/recording/files.ts';
import { GopIndexer } from '../../../server/recording/gopIndexer.ts';
import { encodeSidecar, type SegmentGroup, type SegmentIndex } from '../../../server/recording/segmentFormat.ts';
import { type SegmentName, segmentPath, sidecarPath } from '../../../server/recording/segmentPath.ts';
import { openSegment, type SegmentPart, type SegmentReader } from '../../../server/recording/segmentReader.ts';
import { PacketKind, readPacket } from '../../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { createTempFolder, type TempFolder } from '../../support/tempFolder.ts';
import { GROUP_PICTURES, NOON, PICTURE_MS, picture, pictureNumber, sound, soundFormat } from './recordingScene.ts';

const NAME: SegmentName = { archiveId: 'BUS1', channel: 1, quality: 'main', startMs: wallMs(NOON) };
const PICTURES = 4 * GROUP_PICTURES;

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

async function withReader<T>(use: (reader: SegmentReader) => Promise<T>): Promise<T> {
  const reader = await openSegment(createRecordingFiles(folder.path), NAME);
  if (reader === undefined) throw new Error('no segment');
  try {
    return await use(reader);
  } finally {
    await reader.close();
  }
}

function readAll(fromGroup = 0): Promise<SegmentPart[]> {
  return withReader(async (reader) => {
    const parts: SegmentPart[] = [];
    for await (const part of reader.parts(fromGroup)) parts.push(part);
    return parts;
  });
}

function numbersOf(parts: readonly SegmentPart[]): number[] {
  return parts.flatMap((part) =>
    part.kind === 'packet' && part.packet.kind === PacketKind.Video ? [pictureNumber(part.packet.payload)] : [],
  );
}

const counted = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);

describe('a segment', () => {
  it('is read as it was written, each picture at its time', async () => {
    const parts = await readAll();
    expect(numbersOf(parts)).toEqual(counted(0, PICTURES));
    for (const part of parts) {
      if (part.kind !== 'packet' || part.packet.kind !== PacketKind.Video) continue;
      expect(part.wallTimeMs).toBe(NOON + pictureNumber(part.packet.payload) * PICTURE_MS);
    }
  });

  it('is read from any group on', async () => {
    expect(numbersOf(await readAll(2))).toEqual(counted(2 * GROUP_PICTURES, PICTURES));
    expect(await readAll(4)).toEqual([]);
  });

  it('gives key frames alone, and the format that was in force at each', async () => {
    await withReader(async (reader) => {
      const rates: number[] = [];
      for (const [at, group] of reader.index.groups.entries()) {
        const key = await reader.readKeyFrame(group);
        expect(key.kind === 'intact' && pictureNumber(key.packet.payload)).toBe(at * GROUP_PICTURES);
        const format = await reader.readFormat(group);
        rates.push((JSON.parse(Buffer.from(format?.payload ?? []).toString()) as { sampleRate: number }).sampleRate);
      }
      expect(rates).toEqual([8_000, 8_000, 16_000, 16_000]);
    });
  });

  it('that is not there is undefined', async () => {
    const files = createRecordingFiles(folder.path);
    expect(await openSegment(files, { ...NAME, startMs: wallMs(NOON + 1) })).toBeUndefined();
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
      const read = await withReader(async (reader) => reader.index);
      expect(read.groups).toEqual(groups);
      expect(read.end).toEqual(end);
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
      const parts = await readAll();
      expect(numbersOf(parts)).toEqual(counted(0, pictures));
      expect((await withReader(async (reader) => reader.index)).end?.bytes).toBe(pictures === 0 ? 0 : kept);
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
    const parts = await readAll();
    expect(numbersOf(parts)).toEqual(withoutSpoilt);
    const lost = { fromMs: NOON + 1_000, untilMs: NOON + 2_000 };
    expect(parts.filter(({ kind }) => kind === 'damaged')).toEqual([{ kind: 'damaged', ...lost }]);
  });

  it('costs its group only when the sidecar is lost too', async () => {
    spoil(3_000);
    rmSync(file(sidecarPath(NAME)));
    const parts = await readAll();
    expect(numbersOf(parts)).toEqual(withoutSpoilt);
    expect(parts.filter(({ kind }) => kind === 'damaged')).toHaveLength(1);
    for (const part of parts) {
      if (part.kind !== 'packet' || part.packet.kind !== PacketKind.Video) continue;
      expect(part.wallTimeMs).toBe(NOON + pictureNumber(part.packet.payload) * PICTURE_MS);
    }
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
