// A device that was deleted, and another one that has its id now, as the recorder tells them apart.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MARKER_NAME, segmentPath, sidecarPath } from '../../../server/recording/segmentPath.ts';
import type { RecordingPolicy } from '../../../server/store/recordings/recordingPolicies.ts';
import type { StoredSegment } from '../../../server/store/recordings/segments.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { createRecorderScene, type RecorderScene } from './recorderScene.ts';
import { NOON } from './recordingScene.ts';

// Hundreds of rounds on a real disk and a real database.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const ALWAYS: RecordingPolicy = { mode: 'always', quality: 'main', schedule: [], retentionDays: 0 };
const MINUTE = 60_000;
const HOUR = 3_600_000;
const EVERYTHING = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };

describe('what the recorder keeps of a device whose id is used again', () => {
  let scene: RecorderScene;
  beforeEach(async () => {
    scene = await createRecorderScene();
    await scene.stores.devices.insert({ deviceId: 'BUS1', archiveId: 'BUS1', name: 'Bus 1', chn: 1 });
    await scene.files.createRoot(MARKER_NAME).then((file) => file.close());
  });
  afterEach(() => scene.close());

  const setPolicy = (policy: Partial<RecordingPolicy>, deviceId = 'BUS1'): Promise<void> =>
    scene.stores.recordingPolicies.set({ deviceId, channel: 0 }, { ...ALWAYS, ...policy });
  const allSegments = (): Promise<StoredSegment[]> => scene.stores.segments.oldest(10_000);

  /** Segments of a minute each, some hours ago. */
  async function oldSegments(hoursAgo: readonly number[], archiveId: string): Promise<void> {
    for (const hours of hoursAgo) {
      const startMs = wallMs(NOON - hours * HOUR);
      const name = { archiveId, channel: 1, quality: 'main', startMs } as const;
      const times = { endMs: wallMs(startMs + MINUTE), deviceStartMs: wallMs(0), deviceEndMs: wallMs(0) };
      await scene.stores.segments.add([{ ...name, ...times, bytes: 1_000, groupCount: 1 }]);
      for (const path of [segmentPath(name), sidecarPath(name)]) {
        const file = await scene.files.create(path);
        await file.append([new Uint8Array(1_000)]);
        await file.close();
      }
    }
  }

  it('is two recordings, while it is written and when the database is made anew from the files', async () => {
    await setPolicy({}, '');
    const recorder = await scene.startRecorder();
    await scene.run(5);
    const former = await scene.pictures('BUS1');
    expect(former.length).toBeGreaterThan(0);
    const removal = { recordings: false, at: wallMs(scene.clock.now) };
    await scene.stores.deviceRecords.remove({ deviceId: 'BUS1', version: 1 }, removal);
    recorder.deviceRemoved('BUS1');
    expect(recorder.channelCount).toBe(0);
    const { archiveId } = await scene.stores.devices.insert({ deviceId: 'BUS1', name: 'Another', chn: 1 });
    const addedMs = scene.clock.now;
    await scene.run(10);
    const pictures = await scene.pictures(archiveId);
    expect(pictures.length).toBeGreaterThan(0);
    expect(Math.min(...pictures.map(({ wallMs: at }) => at))).toBeGreaterThan(addedMs - 3_000);
    const ofFormer = await scene.pictures('BUS1');
    expect(Math.max(...ofFormer.map(({ wallMs: at }) => at))).toBeLessThanOrEqual(addedMs);
    // Made anew from the files they are still two.
    await recorder.close();
    const ranges = await scene.stores.segments.ranges(EVERYTHING);
    expect(new Set(ranges.map((range) => range.archiveId))).toEqual(new Set(['BUS1', archiveId]));
    await scene.stores.segments.remove(await allSegments());
    await setPolicy({ mode: 'off' }, '');
    await scene.startRecorder();
    const rows = (await allSegments()).flatMap((segment) => [segmentPath(segment), sidecarPath(segment)]);
    const names = readdirSync(join(scene.folder.path, 'recordings'), { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => /\.(?:seg|idx)$/.test(name)).sort()).toEqual(rows.sort());
    const again = await scene.stores.segments.ranges(EVERYTHING);
    expect(again.filter((range) => range.archiveId === archiveId)).toEqual(
      ranges.filter((range) => range.archiveId === archiveId),
    );
  });

  it('goes by the days of the groups that owned a deleted device, not by those of the next one with its id', async () => {
    const [north, south] = [await scene.stores.deviceGroups.insert('N'), await scene.stores.deviceGroups.insert('S')];
    for (const [name, retentionDays, group] of [
      ['North', 2, north],
      ['South', 1, south],
    ] as const) {
      const memberGroup = await scene.stores.memberGroups.insert({ name, retentionDays });
      await scene.stores.memberGroups.setDeviceGroups(memberGroup, [group]);
    }
    await setPolicy({ mode: 'off' }, '');
    await scene.stores.devices.update('BUS1', { deviceGroup: north });
    const removal = { recordings: false, at: wallMs(NOON) };
    await scene.stores.deviceRecords.remove({ deviceId: 'BUS1', version: 1 }, removal);
    const next = await scene.stores.devices.insert({ deviceId: 'BUS1', name: 'Next', chn: 1, deviceGroup: south });
    await setPolicy({ mode: 'off', retentionDays: 1 });
    await oldSegments([23, 25, 47, 49], 'BUS1');
    await oldSegments([23, 25], next.archiveId);
    await scene.startRecorder();
    const left = (await allSegments()).map(({ archiveId, startMs }) => `${archiveId} ${(NOON - startMs) / HOUR}`);
    expect(left.sort()).toEqual(['BUS1 23', 'BUS1 25', 'BUS1 47', `${next.archiveId} 23`].sort());
  });
});
