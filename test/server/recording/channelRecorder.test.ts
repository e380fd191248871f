// One channel's recorder on a real disk, with the clock in the test's hands.
import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { HubPacket } from '../../../server/media/hubPacket.ts';
import { ChannelRecorder } from '../../../server/recording/channelRecorder.ts';
import { createRecordingFiles, type RecordingFile, type RecordingFiles } from '../../../server/recording/files.ts';
import { MemoryBudget } from '../../../server/recording/memoryBudget.ts';
import { emptyReport, repairSegment } from '../../../server/recording/recovery.ts';
import { decodeSidecar } from '../../../server/recording/segmentFormat.ts';
import { MARKER_NAME, segmentPath, sidecarPath } from '../../../server/recording/segmentPath.ts';
import type { Segment } from '../../../server/store/recordings/segments.ts';
import { PacketFlag } from '../../../shared/protocol/stream/streamPacket.ts';
import { gopReaderOf, readTrack } from '../../support/media/readGroups.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { NOON, PICTURE_MS, picture, placedPictures, sound, soundFormat } from './recordingScene.ts';

const KEY = { archiveId: 'BUS1', channel: 1, quality: 'main' } as const;

interface Scene {
  readonly files: RecordingFiles;
  readonly folder: string;
  readonly recorder: ChannelRecorder;
  readonly closed: Segment[];
  readonly failed: unknown[];
  readonly dropped: { packets: number };
  readonly clock: { now: number };
  /** Delivers pictures on time, with a flush after so many. */
  play(from: number, to: number, options?: Parameters<typeof picture>[1]): Promise<void>;
}

async function createScene(
  budgetBytes = 1e9,
  wrap: (files: RecordingFiles) => RecordingFiles = (files) => files,
): Promise<Scene> {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const files = wrap(createRecordingFiles(folder.path));
  await (await files.createRoot(MARKER_NAME)).close();
  const clock = { now: NOON };
  const closed: Segment[] = [];
  const failed: unknown[] = [];
  const dropped = { packets: 0 };
  const recorder = new ChannelRecorder(KEY, {
    files,
    now: () => clock.now,
    budget: new MemoryBudget(budgetBytes),
    syncIntervalMs: 5_000,
    runSync: (job) => job(),
    // Segments are made whole side by side: the later one may be done first.
    onClosed: (segment) => {
      closed.push(segment);
      closed.sort((left, right) => left.startMs - right.startMs);
    },
    onFailed: (error) => failed.push(error),
    onWritten: () => undefined,
    onDropped: (packets) => {
      dropped.packets += packets;
    },
  });
  return {
    files,
    folder: folder.path,
    recorder,
    closed,
    failed,
    dropped,
    clock,
    play: async (from, to, options) => {
      for (let number = from; number < to; number++) {
        clock.now = NOON + number * PICTURE_MS;
        recorder.deliver(picture(number, options));
        if (number % 8 === 0) await recorder.flush();
      }
      await recorder.flush();
      await recorder.settled();
    },
  };
}

/** Numbers and wall times of the pictures of some segments, read as playback reads them. */
async function picturesOf(files: RecordingFiles, segments: readonly Segment[]): Promise<[number, number][]> {
  const packets = await readTrack(gopReaderOf(files, segments), KEY);
  return placedPictures(packets).map(({ number, wallMs }) => [number, wallMs]);
}

const onTime = (from: number, to: number): [number, number][] =>
  Array.from({ length: to - from }, (_, at) => [from + at, NOON + (from + at) * PICTURE_MS]);

let scene: Scene;
beforeEach(async () => {
  scene = await createScene();
});

describe('a channel’s recorder', () => {
  it('writes a segment a minute, each from a key frame on, without a hole between them', async () => {
    await scene.play(0, 4_000); // 160 s
    await scene.recorder.close();
    const minutes = scene.closed.map(({ startMs, endMs }) => [startMs - NOON, endMs - NOON]);
    expect(minutes).toEqual([
      [0, 60_000],
      [60_000, 120_000],
      [120_000, 160_000],
    ]);
    expect(await picturesOf(scene.files, scene.closed)).toEqual(onTime(0, 4_000));
    expect(scene.failed).toEqual([]);
  });

  it('keeps what was relayed byte for byte, the sound’s format before each segment’s key frame', async () => {
    const packets: HubPacket[] = [];
    const deliver = (packet: HubPacket): void => {
      packets.push(packet);
      scene.recorder.deliver(packet);
    };
    deliver(soundFormat());
    for (let number = 0; number < 1_550; number++) {
      scene.clock.now = NOON + number * PICTURE_MS;
      deliver(picture(number));
      deliver(sound(number));
    }
    await scene.recorder.close();
    const written = scene.closed.map((segment) => readFileSync(join(scene.folder, segmentPath(segment))));
    const format = Buffer.from(soundFormat().bytes);
    expect(written).toHaveLength(2);
    expect(written[1]?.subarray(0, format.byteLength).equals(format)).toBe(true);
    const relayed = Buffer.concat(packets.map(({ bytes }) => bytes));
    const [first = Buffer.of(), second = Buffer.of()] = written;
    expect(Buffer.concat([first, second.subarray(format.byteLength)]).equals(relayed)).toBe(true);
  });

  it('says in the row what lies in the file', async () => {
    await scene.play(0, 100, { deviceAheadMs: -20 * 365 * 86_400_000 });
    await scene.recorder.close();
    const [segment] = scene.closed;
    if (segment === undefined) throw new Error('no segment');
    expect(segment).toMatchObject({ ...KEY, startMs: NOON, endMs: NOON + 4_000, groupCount: 4 });
    const deviceStart = NOON - 20 * 365 * 86_400_000;
    expect(segment).toMatchObject({ deviceStartMs: deviceStart, deviceEndMs: deviceStart + 99 * PICTURE_MS });
    expect(segment.bytes).toBe(readFileSync(join(scene.folder, segmentPath(segment))).byteLength);
    const sidecar = decodeSidecar(readFileSync(join(scene.folder, sidecarPath(segment))));
    expect(sidecar).toMatchObject({ kind: 'read', index: { groups: { length: 4 }, end: { bytes: segment.bytes } } });
  });

  it('begins with the first key frame', async () => {
    await scene.play(10, 60);
    await scene.recorder.close();
    expect(await picturesOf(scene.files, scene.closed)).toEqual(onTime(25, 60));
  });

  it('says of pictures that refer to those before the recording that these are missing, and of no others', async () => {
    await scene.play(0, 1_600, { isRecovering: true });
    await scene.recorder.close();
    expect(scene.closed).toHaveLength(2);
    const firsts = scene.closed.map((segment) => {
      const [, , , flags = 0] = readFileSync(join(scene.folder, segmentPath(segment)));
      return flags & PacketFlag.Discontinuity;
    });
    expect(firsts).toEqual([PacketFlag.Discontinuity, 0]);
  });

  it('begins a new segment at a discontinuity, and leaves the hole a hole', async () => {
    await scene.play(0, 50);
    await scene.play(150, 200, { mediaStartMs: -3_000, discontinuity: true });
    await scene.recorder.close();
    expect(scene.closed.map(({ startMs, endMs }) => [startMs - NOON, endMs - NOON])).toContainEqual([0, 2_000]);
    expect((await picturesOf(scene.files, scene.closed)).slice(0, 51)).toEqual([...onTime(0, 50), [150, NOON + 6_000]]);
  });

  it('leaves a hole a hole that only the times of the pictures tell of', async () => {
    await scene.play(0, 50);
    await scene.play(100, 150);
    await scene.recorder.close();
    expect(scene.closed.map(({ startMs, endMs }) => [startMs - NOON, endMs - NOON])).toEqual([
      [0, 2_000],
      [4_000, 6_000],
    ]);
    expect(await picturesOf(scene.files, scene.closed)).toEqual([...onTime(0, 50), ...onTime(100, 150)]);
  });

  it('keeps the pictures behind a hole inside a group, and claims the time from the next key frame on', async () => {
    await scene.play(0, 60);
    await scene.play(110, 150);
    await scene.recorder.close();
    expect(scene.closed.map(({ startMs, endMs }) => [startMs - NOON, endMs - NOON])).toEqual([
      [0, 2_400],
      [5_000, 6_000],
    ]);
    expect(await picturesOf(scene.files, scene.closed)).toEqual([...onTime(0, 60), ...onTime(110, 150)]);
  });

  it('goes on where the device sets its clock between key frames: nothing is missing there', async () => {
    await scene.play(0, 30);
    await scene.play(30, 31, { discontinuity: true, deviceAheadMs: 3_600_000 });
    await scene.play(31, 100, { deviceAheadMs: 3_600_000 });
    await scene.recorder.close();
    expect(scene.closed.map(({ startMs, endMs }) => [startMs - NOON, endMs - NOON])).toEqual([[0, 4_000]]);
    expect(await picturesOf(scene.files, scene.closed)).toEqual(onTime(0, 100));
  });

  it('claims no hole when it is made anew from its packets alone', async () => {
    await scene.play(0, 50);
    await scene.play(100, 150);
    await scene.recorder.close();
    const [first, second] = scene.closed;
    if (first === undefined || second === undefined) throw new Error('no two segments');
    const pathOf = (segment: Segment): string => join(scene.folder, segmentPath(segment));
    appendFileSync(pathOf(first), readFileSync(pathOf(second)));
    rmSync(join(scene.folder, sidecarPath(first)));
    const repaired = await repairSegment(scene.files, first, emptyReport());
    expect(repaired).toMatchObject({ startMs: NOON, endMs: NOON + 6_000 });
    expect(repaired?.covered).toEqual([
      { fromMs: NOON, toMs: NOON + 2_000 },
      { fromMs: NOON + 4_000, toMs: NOON + 6_000 },
    ]);
  });

  it('makes a segment whole ten seconds after its last packet', async () => {
    await scene.play(0, 50);
    scene.clock.now += 9_000;
    await scene.recorder.flush();
    expect(scene.closed).toEqual([]);
    scene.clock.now += 2_000;
    await scene.recorder.flush();
    await scene.recorder.settled();
    expect(scene.closed).toMatchObject([{ startMs: NOON, endMs: NOON + 2_000 }]);
    expect(scene.recorder.openSegments()).toEqual([]);
  });

  it('ends a segment whose key frames stay away', async () => {
    await scene.play(0, 15_100, { groupPictures: 1_000_000 });
    expect(scene.closed).toMatchObject([{ startMs: NOON, groupCount: 1 }]);
    expect(scene.closed[0]?.endMs).toBe(NOON + 600_000 + PICTURE_MS);
  });

  it('shows the segment that it writes, to the last byte that is on the disk', async () => {
    await scene.play(0, 30);
    const [open] = scene.recorder.openSegments();
    if (open === undefined) throw new Error('nothing is written');
    const packets = await readTrack(
      gopReaderOf(scene.files, [open.name], () => open.index),
      KEY,
    );
    expect(placedPictures(packets).map(({ number }) => number)).toEqual(onTime(0, 30).map(([number]) => number));
    await scene.recorder.close();
  });

  it('finds another name when the clock was set back onto one that is taken', async () => {
    await scene.play(0, 50);
    await scene.recorder.close();
    await scene.play(0, 50, { mediaStartMs: 90_000 });
    await scene.recorder.close();
    expect(scene.closed.map(({ startMs }) => startMs - NOON)).toEqual([0, 2_000]);
    expect(readdirSync(join(scene.folder, 'BUS1/ch1/2026-11-21'))).toHaveLength(4);
  });

  it('is synced every five seconds, so that a power cut costs no more', async () => {
    const syncedMs: number[] = [];
    const synced = await createScene(1e9, (files) => ({
      ...files,
      create: async (path) => {
        const file = await files.create(path);
        const sync = async () => {
          if (path.endsWith('.seg')) syncedMs.push(synced.clock.now - NOON);
          await file.sync();
        };
        return { ...file, sync };
      },
    }));
    for (let number = 0; number < 800; number += 5) await synced.play(number, number + 5);
    const betweenMs = syncedMs.slice(1).map((atMs, index) => atMs - (syncedMs[index] ?? 0));
    expect(betweenMs.length).toBeGreaterThanOrEqual(4);
    expect(Math.min(...betweenMs)).toBeGreaterThanOrEqual(5_000);
    // Its turn comes with a flush, here a fifth of a second apart.
    expect(Math.max(...betweenMs)).toBeLessThanOrEqual(5_200);
    await synced.recorder.close();
  });

  it('writes the sidecar behind the pictures, so that it never tells of what a power cut may take', async () => {
    await scene.play(0, 100);
    expect(readdirSync(join(scene.folder, 'BUS1/ch1/2026-11-21'))).toEqual(['120000.000-main.seg']);
    await scene.play(100, 160);
    expect(readdirSync(join(scene.folder, 'BUS1/ch1/2026-11-21'))).toContain('120000.000-main.idx');
    await scene.recorder.close();
  });
});

describe('a stream that begins with the group under way', () => {
  it('has its first group in its place, though it comes in one burst that takes a while', async () => {
    scene = await createScene();
    const { clock, recorder } = scene;
    const joinedMs = NOON + 40 * PICTURE_MS;
    for (let number = 0; number < 40; number++) {
      clock.now = joinedMs + number * 5;
      recorder.deliver(picture(number));
      if (number % 10 === 0) await recorder.flush();
    }
    await scene.play(46, 100);
    await recorder.close();
    const pictures = await picturesOf(scene.files, scene.closed);
    expect(pictures[0]?.[0]).toBe(0);
    // The last of the burst was five pictures late itself.
    for (const [number, wallMs] of pictures)
      expect(Math.abs(wallMs - (NOON + number * PICTURE_MS))).toBeLessThanOrEqual(200);
  });
});

describe('when the disk is slow', () => {
  it('whole groups of pictures are left out, and the next segment begins behind them', async () => {
    scene = await createScene(30_000);
    await scene.play(0, 25);
    // Nothing is written while these come: the budget takes some 130 of them.
    for (let number = 25; number < 260; number++) {
      scene.clock.now = NOON + number * PICTURE_MS;
      scene.recorder.deliver(picture(number));
    }
    await scene.play(260, 325);
    await scene.recorder.close();
    expect(scene.dropped.packets).toBeGreaterThan(50);
    const pictures = await picturesOf(scene.files, scene.closed);
    expect(pictures.every(([number, wallMs]) => wallMs === NOON + number * PICTURE_MS)).toBe(true);
    expect(pictures.length + scene.dropped.packets).toBe(325);
    expect(scene.closed).toHaveLength(2);
    expect(pictures.filter(([number]) => number >= 275)).toHaveLength(50);
  });
});

describe('when a write', () => {
  const shortly = (files: RecordingFiles): RecordingFiles => ({
    ...files,
    create: async (path) => {
      const file = await files.create(path);
      // Takes 100 bytes at a time, from whatever buffer they are in.
      const append = (buffers: readonly Uint8Array[]) => file.append([Buffer.concat(buffers).subarray(0, 100)]);
      return { ...file, append };
    },
  });

  it('takes only a part, the rest is written behind it', async () => {
    scene = await createScene(1e9, shortly);
    await scene.play(0, 100);
    await scene.recorder.close();
    expect(await picturesOf(scene.files, scene.closed)).toEqual(onTime(0, 100));
  });

  it('fails in the middle, the failure is told and the next key frame begins anew', async () => {
    let writes = 0;
    const failing = (files: RecordingFiles): RecordingFiles => ({
      ...files,
      create: async (path) => {
        const file: RecordingFile = await files.create(path);
        const append = (buffers: readonly Uint8Array[]) => {
          writes++;
          if (writes === 5) return Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC' }));
          return file.append(buffers);
        };
        return { ...file, append };
      },
    });
    scene = await createScene(1e9, failing);
    await scene.play(0, 100);
    await scene.recorder.close();
    expect(scene.failed).toHaveLength(1);
    expect(scene.closed).toHaveLength(1);
    const pictures = await picturesOf(scene.files, scene.closed);
    expect(pictures[0]?.[0] ?? 1).toBe(50);
    expect(pictures).toEqual(onTime(50, 100));
  });
});
