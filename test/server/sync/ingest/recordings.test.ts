// What was fetched beside what is recorded: gaps, the disk, recovery, and packets that a device plays.
import { existsSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GopReader } from '../../../../server/recording/playback/gopReader.ts';
import { createSegmentDirectory } from '../../../../server/recording/playback/segmentDirectory.ts';
import { segmentPath, sidecarPath } from '../../../../server/recording/segmentPath.ts';
import type { Segment, StoredSegment } from '../../../../server/store/recordings/segments.ts';
import type { LastGroup } from '../../../../server/sync/ingest/ingest.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { readTrack } from '../../../support/media/readGroups.ts';
import { createIngestScene, FROM, type IngestScene } from '../../../support/sync/ingestScene.ts';
import { GROUP_PICTURES, NOON, PICTURE_MS, picture, placedPictures } from '../../recording/recordingScene.ts';

const SPAN_MS = 20_000;
const PICTURES = SPAN_MS / PICTURE_MS;
const TRACK = { archiveId: 'BUS1', channel: 1 };
const ALL = { ...TRACK, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };

let scene: IngestScene;
beforeEach(async () => {
  scene = await createIngestScene();
});
afterEach(async () => {
  expect(scene.faults).toEqual([]);
  await scene.close();
});

const pathOf = (path: string): string => join(scene.folder.path, 'recordings', path);
const stored = (): Promise<StoredSegment[]> => scene.stores.segments.find(ALL);

/** Pictures that bear their numbers, dated from what was asked for on. */
async function play(from = 0, to = PICTURES, quality: 'main' | 'sub' = 'main', lastGroup?: LastGroup) {
  const stream = scene.ingest.stream(scene.target({ quality }));
  for (let number = from; number < to; number++) {
    const mayGoOn = stream.packet(picture(number, { deviceAheadMs: FROM - NOON, payloadBytes: 2_000 }));
    if (!mayGoOn) await stream.drained();
  }
  return stream.end(lastGroup);
}

/** Each picture that can be played, which is where it belongs and comes once. */
async function expectPictures(): Promise<number[]> {
  const { index } = scene.recorder();
  const reader = new GopReader({ files: scene.files, directory: createSegmentDirectory(index) });
  const pictures = placedPictures(await readTrack(reader, TRACK));
  for (const { number, wallMs: at } of pictures) expect(Math.abs(at - (FROM + number * PICTURE_MS))).toBeLessThan(2);
  const numbers = pictures.map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
  return numbers;
}

describe('packets that a device plays', () => {
  it('become a segment that playback reads, and whose file tells where it came from', async () => {
    expect(await play()).toMatchObject({ kind: 'stored', addedMs: SPAN_MS });
    expect(await expectPictures()).toHaveLength(PICTURES);
    const ranges = await scene.recorder().index.ranges({ ...ALL });
    expect(ranges).toEqual([{ ...TRACK, fromMs: FROM, toMs: FROM + SPAN_MS }]);
    const window = { archiveId: 'BUS1', fromMs: FROM + 5_000, toMs: FROM + 10_000, limit: 10 };
    expect(await scene.stores.segments.fetched(window)).toEqual([
      { ...TRACK, fromMs: FROM + 5_000, toMs: FROM + 10_000 },
    ]);
  });

  it('can be played while more comes', async () => {
    const stream = scene.ingest.stream(scene.target());
    for (let number = 0; number < PICTURES; number++) {
      stream.packet(picture(number, { deviceAheadMs: FROM - NOON }));
    }
    await stream.drained();
    expect(await expectPictures()).toHaveLength(PICTURES - GROUP_PICTURES);
    await stream.end();
    expect(await expectPictures()).toHaveLength(PICTURES);
  });

  it('that end early leave whole groups, and the rest is added later', async () => {
    expect(await play(0, 210)).toMatchObject({ kind: 'stored', addedMs: 8_400 });
    expect(await play()).toMatchObject({ kind: 'stored', addedMs: SPAN_MS - 9_000 });
    expect(await expectPictures()).toEqual([
      ...Array.from({ length: 210 }, (_, number) => number),
      ...Array.from({ length: PICTURES - 225 }, (_, number) => number + 225),
    ]);
  });

  it('that are cut off in the middle of a group leave that group to the next time, and nothing is missing', async () => {
    expect(await play(0, 20, 'main', 'cut-off')).toEqual({ kind: 'stored', addedMs: 0, bytes: 0 });
    expect(await play(0, 210, 'main', 'cut-off')).toMatchObject({ kind: 'stored', addedMs: 8_000 });
    expect(await play(200)).toMatchObject({ kind: 'stored', addedMs: SPAN_MS - 8_000 });
    expect(await expectPictures()).toEqual(Array.from({ length: PICTURES }, (_, number) => number));
  });

  it('fill the gap between what is recorded of either picture', async () => {
    await play(0, 100, 'sub');
    await play(300, PICTURES);
    expect(await play()).toMatchObject({ kind: 'stored', addedMs: 8_000 });
    expect(await expectPictures()).toEqual(Array.from({ length: PICTURES }, (_, number) => number));
    const ranges = await scene.recorder().index.ranges({ ...ALL });
    expect(ranges).toEqual([{ ...TRACK, fromMs: FROM, toMs: FROM + SPAN_MS }]);
  });

  it('are refused as nothing where no picture came', async () => {
    const stream = scene.ingest.stream(scene.target());
    expect(await stream.end()).toEqual({ kind: 'failed', fault: 'nothing-sent' });
  });

  it('of the present are left to the recorder', async () => {
    const target = scene.target({ deviceFromMs: wallMs(NOON - 40_000), deviceToMs: wallMs(NOON) });
    const stream = scene.ingest.stream(target);
    for (let number = 0; number < 1_000; number++) stream.packet(picture(number, { deviceAheadMs: -40_000 }));
    expect(await stream.end()).toMatchObject({ kind: 'stored', addedMs: 10_000 });
  });

  it('become segments of a minute', async () => {
    const target = scene.target({ deviceToMs: wallMs(FROM + 150_000) });
    const stream = scene.ingest.stream(target);
    for (let number = 0; number < 150 * 25; number++) stream.packet(picture(number, { deviceAheadMs: FROM - NOON }));
    expect(await stream.end()).toMatchObject({ addedMs: 150_000 });
    expect((await stored()).map(({ startMs, endMs }) => [startMs - FROM, endMs - FROM])).toEqual([
      [0, 60_000],
      [60_000, 120_000],
      [120_000, 150_000],
    ]);
  });
});

describe('the disk', () => {
  it('that has no room is said to be full, before anything is read', async () => {
    scene.files.freeBytes = 1;
    await scene.run(6);
    expect(await scene.ingest.file('/nowhere', scene.target(), new AbortController().signal)).toEqual({
      kind: 'failed',
      fault: 'disk-full',
    });
    expect(await play()).toEqual({ kind: 'failed', fault: 'disk-full' });
  });

  it('that fails ends what is written, and recovery keeps whole groups', async () => {
    const stream = scene.ingest.stream(scene.target());
    for (let number = 0; number < 300; number++) stream.packet(picture(number, { deviceAheadMs: FROM - NOON }));
    await stream.drained();
    scene.files.writeError = 'EIO';
    for (let number = 300; number < PICTURES; number++) stream.packet(picture(number, { deviceAheadMs: FROM - NOON }));
    expect(await stream.end()).toEqual({ kind: 'failed', fault: 'disk-full' });
    scene.files.writeError = undefined;
    // The disk is back, and recovery has only just begun.
    await scene.run(12);
    const again = await play();
    expect(again).toMatchObject({ kind: 'stored' });
    expect(again.kind === 'stored' ? again.addedMs : SPAN_MS).toBeLessThan(SPAN_MS);
    expect(await expectPictures()).toEqual(Array.from({ length: PICTURES }, (_, number) => number));
  });
});

describe('after a crash', () => {
  /** The segment as a kill -9 leaves it: no row, no end, and a last group that is cut off. */
  async function tear(cutBytes: number): Promise<Segment> {
    await play();
    const [segment] = await stored();
    if (segment === undefined) throw new Error('no segment');
    await scene.recorder().close();
    await scene.stores.segments.remove([segment]);
    const sidecar = pathOf(sidecarPath(segment));
    truncateSync(sidecar, statSync(sidecar).size - 5 * 64);
    truncateSync(pathOf(segmentPath(segment)), segment.bytes - cutBytes);
    return segment;
  }

  it('whole groups alone are kept, known as fetched, and what is missing is added once', async () => {
    const { startMs } = await tear(30_000);
    await scene.startRecorder();
    const [repaired] = await stored();
    expect(repaired).toMatchObject({ startMs, endMs: FROM + SPAN_MS - 1_000, origin: 'fetched' });
    expect(await expectPictures()).toHaveLength(PICTURES - GROUP_PICTURES);
  });

  it('a segment of which nothing is whole is removed', async () => {
    await play(0, GROUP_PICTURES);
    const [segment] = await stored();
    if (segment === undefined) throw new Error('no segment');
    await scene.recorder().close();
    await scene.stores.segments.remove([segment]);
    truncateSync(pathOf(sidecarPath(segment)), 16);
    truncateSync(pathOf(segmentPath(segment)), segment.bytes - 100);
    await scene.startRecorder();
    expect(await stored()).toEqual([]);
    expect(existsSync(pathOf(segmentPath(segment)))).toBe(false);
  });

  it('a database that was lost knows again what was fetched', async () => {
    await play();
    const before = await stored();
    await scene.recorder().close();
    await scene.stores.segments.remove(before);
    await scene.startRecorder();
    expect((await stored()).map(({ id, ...segment }) => segment)).toEqual(before.map(({ id, ...segment }) => segment));
  });

  it('one without its sidecar is repaired like any other', async () => {
    await play();
    const [segment] = await stored();
    if (segment === undefined) throw new Error('no segment');
    await scene.recorder().close();
    await scene.stores.segments.remove([segment]);
    rmSync(pathOf(sidecarPath(segment)));
    await scene.startRecorder();
    expect(await stored()).toMatchObject([{ startMs: FROM, endMs: FROM + SPAN_MS }]);
  });
});
