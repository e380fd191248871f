import { appendFile, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CursorMode, type CursorRead, PacketCursor } from '../../../../server/recording/playback/packetCursor.ts';
import { stepTarget } from '../../../../server/recording/playback/stepTarget.ts';
import { emptyReport, repairSegment } from '../../../../server/recording/recovery.ts';
import { segmentPath, sidecarPath } from '../../../../server/recording/segmentPath.ts';
import { readPacket } from '../../../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { FRAME_MS } from '../../../../simulator/clip/clipFormat.ts';
import { type Clip, loadDemoClip } from '../../../../simulator/clip/loadClip.ts';
import { clipFrame, recordChannel, shownFrame } from '../../../support/media/recordedDay.ts';
import { openRecordingScene, type RecordingScene } from './scene.ts';

const DEVICE = 'van-1';
/** Three minutes from a quarter to midnight's last minute on, with a hole of 20 s. */
const START = Date.UTC(2026, 2, 1, 23, 58, 30);
const GAP_FROM = START + 60_000;
const GAP_TO = START + 80_000;
const END = START + 200_000;

let scene: RecordingScene;
let road: Clip;
let cabin: Clip;

beforeAll(async () => {
  scene = await openRecordingScene();
  [road, cabin] = await Promise.all([loadDemoClip('road'), loadDemoClip('cabin')]);
  const spans = [
    { fromMs: START, toMs: GAP_FROM },
    { fromMs: GAP_TO, toMs: END },
  ];
  await recordChannel(scene, { archiveId: DEVICE, channel: 1, clip: road, spans, withSound: true });
  await recordChannel(scene, { archiveId: DEVICE, channel: 2, clip: cabin, spans: [{ fromMs: START, toMs: END }] });
});
afterAll(() => scene.close());

interface ReadPart {
  readonly parts: readonly CursorRead[];
  /** What was read of pictures, by the frame numbers that their times stand for. */
  readonly frames: readonly number[];
}

async function readUntil(channel: number, fromMs: number, toMs: number, mode?: CursorMode): Promise<ReadPart> {
  const cursor = new PacketCursor(scene.gopReader, { archiveId: DEVICE, channel }, fromMs * 1000, mode);
  const parts: CursorRead[] = [];
  const frames: number[] = [];
  for (;;) {
    const read = await cursor.read();
    parts.push(read);
    if (read.kind === 'tail' || (read.kind === 'gap' && read.untilUs === undefined)) break;
    if (read.kind === 'gap') continue;
    for (const { kind, timeUs } of read.packets) if (kind === 'video') frames.push(timeUs / 1000 / FRAME_MS);
    if (read.packets.some(({ timeUs }) => timeUs > toMs * 1000)) break;
  }
  return { parts, frames };
}

test('every picture is on the time line at the moment that it shows', async () => {
  const { frames } = await readUntil(1, START, GAP_FROM - 1_000);
  const first = START / FRAME_MS;
  expect(frames.slice(0, 1_400)).toEqual(Array.from({ length: 1_400 }, (_, index) => first + index));
});

test('the stored pictures come out byte for byte, with the time in their header', async () => {
  const cursor = new PacketCursor(scene.gopReader, { archiveId: DEVICE, channel: 1 }, (START + 30_000) * 1000);
  const read = await cursor.read();
  if (read.kind !== 'packets') throw new Error(read.kind);
  const videos = read.packets.filter(({ kind }) => kind === 'video');
  expect(videos).toHaveLength(50);
  for (const { bytes, timeUs } of videos) {
    const parsed = readPacket(bytes);
    if (parsed.kind !== 'packet') throw new Error(parsed.kind);
    expect(parsed.packet.mediaTimeUs).toBe(timeUs);
    const stored = clipFrame(road, timeUs / 1000 / FRAME_MS).bytes;
    expect(Buffer.compare(parsed.packet.payload.subarray(-200), stored.subarray(-200))).toBe(0);
  }
});

test('reading begins at the key frame at or before the moment, marked as a break', async () => {
  const { parts, frames } = await readUntil(1, START + 31_234, START + 31_500);
  expect(frames[0]).toBe((START + 30_000) / FRAME_MS);
  const [first] = parts;
  if (first?.kind !== 'packets') throw new Error('no packets');
  const flags = first.packets.filter(({ kind }) => kind === 'video').map(({ bytes }) => bytes[3]);
  expect(flags[0]).toBe(3);
  expect(flags.slice(1).every((flag) => flag === 0)).toBe(true);
});

test('segments follow one another across midnight without a break', async () => {
  const midnight = Date.UTC(2026, 2, 2);
  const { parts, frames } = await readUntil(1, midnight - 5_000, midnight + 5_000);
  expect(parts.every(({ kind }) => kind === 'packets')).toBe(true);
  const sorted = [...frames].sort((left, right) => left - right);
  expect(sorted.every((frame, index) => index === 0 || frame === (sorted[index - 1] ?? 0) + 1)).toBe(true);
  const breaks = parts
    .flatMap((part) => (part.kind === 'packets' ? part.packets : []))
    .filter(({ bytes }) => ((bytes[3] ?? 0) & 2) !== 0);
  expect(breaks).toHaveLength(1);
});

test('a hole is told with its end, and what follows begins with a break', async () => {
  const { parts } = await readUntil(1, GAP_FROM - 2_000, GAP_TO + 1_000);
  const at = parts.findIndex(({ kind }) => kind === 'gap');
  expect(parts[at]).toEqual({ kind: 'gap', fromUs: GAP_FROM * 1000, untilUs: (GAP_TO + 0) * 1000 });
  const next = parts[at + 1];
  if (next?.kind !== 'packets') throw new Error('nothing follows');
  expect((next.packets.find(({ kind }) => kind === 'video')?.bytes[3] ?? 0) & 2).toBe(2);
});

test('a moment inside a hole says so first', async () => {
  const { parts } = await readUntil(1, GAP_FROM + 5_000, GAP_TO);
  expect(parts[0]).toEqual({ kind: 'gap', fromUs: (GAP_FROM + 5_000) * 1000, untilUs: GAP_TO * 1000 });
});

test('the end is told, again and again', async () => {
  const cursor = new PacketCursor(scene.gopReader, { archiveId: DEVICE, channel: 1 }, (END - 1_000) * 1000);
  expect((await cursor.read()).kind).toBe('packets');
  expect(await cursor.read()).toEqual({ kind: 'gap', fromUs: END * 1000, untilUs: undefined });
  expect(await cursor.read()).toEqual({ kind: 'gap', fromUs: END * 1000, untilUs: undefined });
});

test('a channel of which nothing is recorded has one gap without an end', async () => {
  const { parts } = await readUntil(9, START, END);
  expect(parts).toEqual([{ kind: 'gap', fromUs: START * 1000, untilUs: undefined }]);
});

test('key frames alone are read for fast play', async () => {
  const { frames } = await readUntil(1, START + 11_000, START + 30_000, 'key-frames');
  const first = (START + 10_000) / FRAME_MS;
  expect(frames).toEqual(Array.from({ length: 12 }, (_, index) => first + index * 50));
});

test('pictures in another order keep their decoding order and their times', async () => {
  const { frames } = await readUntil(2, START + 4_000, START + 5_000);
  const first = (START + 4_000) / FRAME_MS;
  const expected = Array.from({ length: 25 }, (_, index) => shownFrame(clipFrame(cabin, first + index), first + index));
  expect(frames.slice(0, 25)).toEqual(expected);
});

const step = (channel: number, positionMs: number, frames: number) =>
  stepTarget(scene.gopReader, { archiveId: DEVICE, channel }, { positionMs: wallMs(positionMs), frames });

test.each([
  [1, START + 10_000, 1, START + 10_040],
  [1, START + 10_010, 1, START + 10_040],
  [1, START + 10_000, -1, START + 9_960],
  [1, START + 11_960, 1, START + 12_000],
  [1, START + 10_000, 120, START + 14_800],
  [1, START + 10_000, -120, START + 5_200],
  [2, START + 10_000, 1, START + 10_040],
  [2, START + 10_120, -2, START + 10_040],
  [1, GAP_FROM - 40, 1, GAP_TO],
  [1, GAP_TO, -1, GAP_FROM - 40],
  [1, START, -3, START],
  [1, END - 40, 5, END - 40],
])('channel %d at %d: a step of %d leads to %d', async (channel, fromMs, frames, toMs) => {
  expect(await step(channel, fromMs, frames)).toBe(toMs);
});

test('no step leads anywhere where nothing is recorded', async () => {
  expect(await step(9, START, 1)).toBeUndefined();
});

test('garbage costs its group alone, and a file that is gone is a gap', async () => {
  const own = await openRecordingScene();
  try {
    const channel = { archiveId: DEVICE, channel: 1, clip: road, spans: [{ fromMs: START, toMs: START + 180_000 }] };
    const [first, second] = await recordChannel(own, channel);
    if (first === undefined || second === undefined) throw new Error('too few segments');
    const file = await open(join(own.folder, segmentPath(first)), 'r+');
    await file.write(Buffer.alloc(300, 0xee), 0, 300, 120_000);
    await file.close();
    await rm(join(own.folder, segmentPath(second)));
    const cursor = new PacketCursor(own.gopReader, channel, START * 1000);
    const frames: number[] = [];
    const gaps: CursorRead[] = [];
    for (let read = await cursor.read(); ; read = await cursor.read()) {
      if (read.kind === 'gap') gaps.push(read);
      if (read.kind !== 'packets') {
        if (read.kind === 'gap' && read.untilUs !== undefined) continue;
        break;
      }
      frames.push(...read.packets.map(({ timeUs }) => (timeUs / 1000 - START) / FRAME_MS));
    }
    const missing = Array.from({ length: 1_500 }, (_, frame) => frame).filter((frame) => !frames.includes(frame));
    expect(missing).toHaveLength(50);
    expect((missing[0] ?? 1) % 50).toBe(0);
    expect(gaps[0]).toEqual({ kind: 'gap', fromUs: second.startMs * 1000, untilUs: second.endMs * 1000 });
  } finally {
    await own.close();
  }
});

test('a hole inside a segment is a gap, and what follows it in the segment is read', async () => {
  const archiveId = 'van-2';
  const spans = [
    { fromMs: START, toMs: START + 10_000 },
    { fromMs: START + 20_000, toMs: START + 30_000 },
  ];
  await recordChannel(scene, { archiveId, channel: 1, clip: road, spans });
  const window = { archiveId, channel: 1, fromMs: START, toMs: START + 60_000 };
  const [first, second] = await scene.segments.find(window);
  if (first === undefined || second === undefined) throw new Error('no two segments');
  const pathOf = (path: string): string => join(scene.folder, path);
  await appendFile(pathOf(segmentPath(first)), await readFile(pathOf(segmentPath(second))));
  for (const path of [segmentPath(second), sidecarPath(second), sidecarPath(first)]) await rm(pathOf(path));
  const repaired = await repairSegment(scene.files, first, emptyReport());
  if (repaired === undefined) throw new Error('nothing in it');
  await scene.segments.remove([first, second]);
  await scene.segments.add([repaired]);
  expect(await scene.segments.ranges(window)).toMatchObject(spans);

  const cursor = new PacketCursor(scene.gopReader, { archiveId, channel: 1 }, (START + 15_000) * 1000);
  const gap = { kind: 'gap', fromUs: (START + 15_000) * 1000, untilUs: (START + 20_000) * 1000 };
  expect(await cursor.read()).toEqual(gap);
  const behind = await cursor.read();
  expect(behind.kind === 'packets' && behind.packets[0]?.timeUs).toBe((START + 20_000) * 1000);

  const whole = new PacketCursor(scene.gopReader, { archiveId, channel: 1 }, START * 1000);
  const reads: CursorRead[] = [];
  while (reads.at(-1)?.kind !== 'gap') reads.push(await whole.read());
  expect(reads.at(-1)).toEqual({ ...gap, fromUs: (START + 10_000) * 1000 });
});
