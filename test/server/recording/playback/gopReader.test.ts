// Several groups with one access to the disk: the same as one after another, damage included.
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PIECE_BYTES, type RecordedGroup } from '../../../../server/recording/playback/gopReader.ts';
import { PacketCursor } from '../../../../server/recording/playback/packetCursor.ts';
import { segmentPath } from '../../../../server/recording/segmentPath.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { FRAME_MS } from '../../../../simulator/clip/clipFormat.ts';
import { type Clip, loadDemoClip } from '../../../../simulator/clip/loadClip.ts';
import { GrowingRecording, recordChannel } from '../../../support/media/recordedDay.ts';
import { openRecordingScene, type RecordingScene } from './scene.ts';

const TRACK = { archiveId: 'van-1', channel: 1 };
const START = Date.UTC(2026, 2, 1, 14);
const END = START + 180_000;
const GROUP_MS = 2_000;

let scene: RecordingScene;
let road: Clip;

beforeEach(async () => {
  scene = await openRecordingScene();
  road = await loadDemoClip('road');
});
afterEach(() => scene.close());

async function groupAt(atMs: number): Promise<RecordedGroup> {
  const found = await scene.gopReader.latestAt(TRACK, wallMs(atMs));
  if (found === undefined) throw new Error('nothing is recorded');
  return found;
}

/** The pictures that a cursor comes by, by their numbers from the start. */
async function pictures(mode: 'all' | 'many'): Promise<number[]> {
  const cursor = new PacketCursor(scene.gopReader, TRACK, START * 1000, mode);
  const found: number[] = [];
  for (let read = await cursor.read(); ; read = await cursor.read()) {
    if (read.kind === 'tail' || (read.kind === 'gap' && read.untilUs === undefined)) return found;
    if (read.kind === 'packets') found.push(...read.packets.map(({ timeUs }) => (timeUs / 1000 - START) / FRAME_MS));
  }
}

test('as many groups as fit in a piece are read at once, each as it is read alone', async () => {
  await recordChannel(scene, { ...TRACK, clip: road, spans: [{ fromMs: START, toMs: END }] });
  const first = await groupAt(START);
  const many = await scene.gopReader.readManyChecked(first);
  expect(many.size).toBeGreaterThan(5);
  let bytes = 0;
  for (const [number, read] of many) {
    const alone = await scene.gopReader.readChecked(await groupAt(START + number * GROUP_MS));
    if (read.kind !== 'bytes' || alone.kind !== 'bytes') throw new Error(read.kind);
    expect(Buffer.compare(read.bytes, alone.bytes)).toBe(0);
    bytes += read.bytes.byteLength;
  }
  expect(bytes).toBeLessThanOrEqual(PIECE_BYTES);
  expect(bytes).toBeGreaterThan(PIECE_BYTES / 2);
  const pictureCount = (END - START) / FRAME_MS;
  expect(await pictures('many')).toEqual(Array.from({ length: pictureCount }, (_, picture) => picture));
});

test('damage costs its group alone, and a file that is gone its groups', async () => {
  const [first, second] = await recordChannel(scene, { ...TRACK, clip: road, spans: [{ fromMs: START, toMs: END }] });
  if (first === undefined || second === undefined) throw new Error('too few segments');
  const file = await open(join(scene.folder, segmentPath(first)), 'r+');
  await file.write(Buffer.alloc(300, 0xee), 0, 300, 120_000);
  await file.close();
  const later = await groupAt(second.startMs);
  await rm(join(scene.folder, segmentPath(second)));
  const kinds = [...(await scene.gopReader.readManyChecked(await groupAt(START))).values()].map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'damaged')).toHaveLength(1);
  const lost = await scene.gopReader.readManyChecked(later);
  expect(lost.size).toBeGreaterThan(5);
  expect([...lost.values()].every(({ kind }) => kind === 'missing')).toBe(true);
  const found = await pictures('many');
  expect(found).toEqual(await pictures('all'));
  expect(found.length).toBeGreaterThan(1_000);
});

test('a segment that is still written is read up to what has reached the file', async () => {
  const recording = new GrowingRecording(scene, { ...TRACK, clip: road }, START);
  scene.recorder = recording;
  await recording.recordUntil(START + 21_000);
  const found = await pictures('many');
  expect(found).toEqual(await pictures('all'));
  expect(found.length).toBeGreaterThan(450);
  const growing = await groupAt(START + 20_500);
  expect(growing.isGrowing).toBe(true);
  expect((await scene.gopReader.readManyChecked(growing)).size).toBe(1);
  expect((await scene.gopReader.readManyChecked(await groupAt(START))).has(growing.number)).toBe(false);
  await recording.close();
});
