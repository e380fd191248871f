// The whole recorder: what it records, what it deletes, and what it does when the disk fails.
import { existsSync, readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { MARKER_NAME, segmentPath, sidecarPath } from '../../../server/recording/segmentPath.ts';
import type { RecordingPolicy } from '../../../server/store/recordings/recordingPolicies.ts';
import type { StoredSegment } from '../../../server/store/recordings/segments.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { waitFor } from '../../support/waitFor.ts';
import { createRecorderScene, FLOOR_BYTES, type RecorderScene } from './recorderScene.ts';
import { NOON, PICTURE_MS } from './recordingScene.ts';

const ALWAYS: RecordingPolicy = { mode: 'always', quality: 'main', schedule: [], retentionDays: 0 };
const MINUTE = 60_000;
const HOUR = 3_600_000;
const EVERYTHING = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };

let scene: RecorderScene;
beforeEach(async () => {
  scene = await createRecorderScene();
  await scene.stores.devices.insert({ deviceId: 'BUS1', archiveId: 'BUS1', name: 'Bus 1', chn: 1 });
});
afterEach(() => scene.close());

const setPolicy = (policy: Partial<RecordingPolicy> = {}, deviceId = 'BUS1', channel = 0): Promise<void> =>
  scene.stores.recordingPolicies.set({ deviceId, channel }, { ...ALWAYS, ...policy });

async function allSegments(): Promise<StoredSegment[]> {
  return scene.stores.segments.oldest(10_000);
}

const root = (): string => join(scene.folder.path, 'recordings');

function filesOnDisk(): string[] {
  if (!existsSync(root())) return [];
  const names = readdirSync(root(), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /\.(?:seg|idx)$/.test(name)).sort();
}

/** Files and database agree on the segments. */
async function expectAgreement(): Promise<void> {
  const rows = (await allSegments()).flatMap((segment) => [segmentPath(segment), sidecarPath(segment)]);
  expect(filesOnDisk()).toEqual(rows.sort());
}

/** Every picture is at its own time. */
async function expectRightPlaces(): Promise<number[]> {
  const pictures = await scene.pictures();
  for (const { number, wallMs: at } of pictures) expect(Math.abs(at - (NOON + number * PICTURE_MS))).toBeLessThan(2);
  return pictures.map(({ number }) => number);
}

describe('what is recorded', () => {
  it('shares the device’s stream with who watches, and leaves it to them', async () => {
    await setPolicy();
    const watching = scene.hub.watch({ deviceId: 'BUS1', channel: 1, quality: 'main' }, { deliver: () => undefined });
    await scene.startRecorder();
    expect(scene.sources).toEqual(new Set(['BUS1/1/main']));
    await scene.run(5);
    await setPolicy({ mode: 'off' });
    await scene.run(12);
    expect(scene.sources).toEqual(new Set(['BUS1/1/main']));
    watching.close();
    await scene.run(6);
    expect(scene.sources.size).toBe(0);
  });

  it('can be found and read up to a moment ago, while it is written and after', async () => {
    await setPolicy();
    await scene.startRecorder();
    await scene.run(90);
    const numbers = await expectRightPlaces();
    expect(numbers.length).toBeGreaterThan(89 * 25);
    const [range, ...more] = await scene.recorder().index.ranges({ archiveId: 'BUS1', ...EVERYTHING });
    expect(more).toEqual([]);
    expect(range?.fromMs).toBeLessThan(NOON + 100);
    expect(range?.toMs).toBeGreaterThan(NOON + 89_000);
    await scene.recorder().close();
    expect(await scene.stores.segments.ranges(EVERYTHING)).toMatchObject([{ archiveId: 'BUS1', channel: 1 }]);
    await expectAgreement();
  });

  it('goes by the channel’s policy, the device’s and the one for all, sub stream and channels apart', async () => {
    await scene.stores.devices.update('BUS1', { chn: 3, installchs: '111' });
    await scene.stores.devices.insert({ deviceId: 'BUS2', archiveId: 'BUS2', name: 'Bus 2', chn: 1 });
    await scene.stores.devices.insert({ deviceId: 'OFF', name: 'Off', chn: 1, disabled: true });
    await setPolicy({}, '', 0);
    await setPolicy({ quality: 'sub' }, 'BUS1', 0);
    await setPolicy({ mode: 'off' }, 'BUS1', 2);
    await scene.startRecorder();
    expect(scene.sources).toEqual(new Set(['BUS1/1/sub', 'BUS1/3/sub', 'BUS2/1/main']));
  });

  it('starts and ends with the ignition', async () => {
    await setPolicy({ mode: 'ignition' });
    await scene.startRecorder();
    await scene.run(3);
    expect(scene.recorder().channelCount).toBe(0);
    scene.ignition.set('BUS1', true);
    await scene.run(10);
    scene.ignition.set('BUS1', false);
    await scene.run(10);
    const [segment, ...more] = await allSegments();
    expect(more).toEqual([]);
    expect((segment?.endMs ?? 0) - (segment?.startMs ?? 0)).toBeGreaterThan(8_000);
    expect(segment?.endMs).toBeLessThan(NOON + 15_000);
    expect(scene.sources.size).toBe(0);
  });

  it('is what the preset says where nobody set a policy', async () => {
    await scene.startRecorder({ preset: ALWAYS });
    expect(scene.recorder().channelCount).toBe(1);
  });
});

describe('what is deleted', () => {
  /** Segments of a minute each, some hours ago, with files of 1,000 bytes. */
  async function oldSegments(hoursAgo: readonly number[], archiveId = 'BUS1'): Promise<void> {
    for (const hours of hoursAgo) {
      const startMs = wallMs(NOON - hours * HOUR);
      const name = { archiveId, channel: 1, quality: 'main', startMs } as const;
      for (const path of [segmentPath(name), sidecarPath(name)]) {
        const file = await scene.files.create(path);
        await file.append([new Uint8Array(1_000)]);
        await file.close();
      }
      const times = { endMs: wallMs(startMs + MINUTE), deviceStartMs: wallMs(0), deviceEndMs: wallMs(0) };
      await scene.stores.segments.add([{ ...name, ...times, bytes: 1_000, groupCount: 1 }]);
    }
  }

  const hoursLeft = async (): Promise<number[]> => (await allSegments()).map(({ startMs }) => (NOON - startMs) / HOUR);

  beforeEach(async () => {
    await scene.files.createRoot(MARKER_NAME).then((file) => file.close());
  });

  it('is past its retention, by the smaller of policy and group', async () => {
    const deviceGroup = await scene.stores.deviceGroups.insert('Buses');
    const memberGroup = await scene.stores.memberGroups.insert({ name: 'North', retentionDays: 2 });
    await scene.stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
    await scene.stores.devices.update('BUS1', { deviceGroup });
    await scene.stores.devices.insert({ deviceId: 'BUS2', archiveId: 'BUS2', name: 'Bus 2', chn: 1 });
    await setPolicy({ mode: 'off', retentionDays: 30 }, '', 0);
    await oldSegments([25, 47, 49, 720]);
    await oldSegments([25, 49, 719, 721], 'BUS2');
    await scene.startRecorder();
    const left = await allSegments();
    const shown = left.map(({ archiveId, startMs }) => `${archiveId} ${(NOON - startMs) / HOUR}`);
    expect(shown.sort()).toEqual(['BUS1 25', 'BUS1 47', 'BUS2 25', 'BUS2 49', 'BUS2 719']);
    await expectAgreement();
    expect(existsSync(join(root(), 'BUS1/ch1/2026-10-22'))).toBe(false);
  });

  it('is all of a device that was deleted with its recordings, evidence excepted, what is being written included', async () => {
    await oldSegments([3, 2, 1]);
    await oldSegments([2], 'BUS2');
    await scene.stores.devices.insert({ deviceId: 'BUS2', archiveId: 'BUS2', name: 'Bus 2', chn: 1 });
    const held = { archiveId: 'BUS1', channel: 0, reason: 'accident', heldBy: 'chief' };
    const range = { fromMs: wallMs(NOON - 2 * HOUR), toMs: wallMs(NOON - 2 * HOUR + 1_000) };
    await scene.stores.evidenceHolds.add({ ...held, ...range }, wallMs(NOON));
    await setPolicy();
    const recorder = await scene.startRecorder();
    await scene.run(5);
    expect(recorder.channelCount).toBe(1);
    const removal = { recordings: true, at: wallMs(scene.clock.now) };
    const removed = await scene.stores.deviceRecords.remove({ deviceId: 'BUS1', version: 1 }, removal);
    expect(removed.ok).toBe(true);
    recorder.deviceRemoved('BUS1');
    await scene.run(8);
    expect((await allSegments()).map(({ archiveId, startMs }) => [archiveId, (NOON - startMs) / HOUR])).toEqual([
      ['BUS1', 2],
      ['BUS2', 2],
    ]);
    await expectAgreement();
    expect(await scene.stores.deviceRecords.removals()).toEqual([]);
  });

  it('is what a device recorded that was deleted before a restart, and not what the next one of that id records', async () => {
    await oldSegments([3]);
    const removal = { recordings: true, at: wallMs(NOON - 2 * HOUR) };
    await scene.stores.deviceRecords.remove({ deviceId: 'BUS1', version: 1 }, removal);
    const again = await scene.stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1 again', chn: 1 });
    await oldSegments([1], again.archiveId);
    await scene.startRecorder();
    await scene.run(5);
    expect(await hoursLeft()).toEqual([1]);
  });

  it('is the oldest when the limit is passed, and never evidence', async () => {
    await oldSegments([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    const held = { archiveId: 'BUS1', channel: 0, reason: 'accident', heldBy: 'chief' };
    const [from, to] = [wallMs(NOON - 9 * HOUR + 10_000), wallMs(NOON - 8 * HOUR + 10_000)];
    const id = await scene.stores.evidenceHolds.add({ ...held, fromMs: from, toMs: to }, wallMs(NOON));
    await scene.startRecorder({ maximumBytes: 5_000 });
    // Five too many, and a little more: ten and seven to three hours ago, since nine and eight are held.
    expect(await hoursLeft()).toEqual([9, 8, 2, 1]);
    await expectAgreement();
    await scene.stores.evidenceHolds.release(id, 'chief', wallMs(NOON));
    await oldSegments([0.9, 0.8, 0.7]);
    await scene.run(6);
    expect(await hoursLeft()).toEqual([1, 0.9, 0.8, 0.7]);
  });

  it('is the oldest when less is free than the floor', async () => {
    await oldSegments([3, 2, 1]);
    scene.files.freeBytes = FLOOR_BYTES;
    await scene.startRecorder();
    expect(await hoursLeft()).toEqual([3, 2, 1]);
    scene.files.freeBytes = FLOOR_BYTES - 1_000;
    await scene.run(6);
    expect((await hoursLeft()).length).toBeLessThan(3);
  });
});

describe('when the disk', () => {
  beforeEach(async () => {
    await setPolicy();
    await scene.startRecorder();
    await scene.run(30);
  });

  async function expectPause(state: string): Promise<void> {
    expect(scene.recorder().disk.state).toBe(state);
    expect(scene.recorder().channelCount).toBe(0);
    expect(scene.log).toContain(`disk of the recordings: ${state}`);
  }

  async function expectResumed(): Promise<void> {
    await scene.run(30);
    expect(scene.recorder().disk.state).toBe('ok');
    await scene.recorder().close();
    const numbers = await expectRightPlaces();
    expect(numbers.filter((number) => number < 25 * 29).length).toBeGreaterThan(25 * 28);
    expect(Math.max(...numbers)).toBeGreaterThan(Math.round((scene.clock.now - NOON) / PICTURE_MS) - 30);
    await expectAgreement();
  }

  it.each([
    ['is full', 'ENOSPC', 'full'],
    ['becomes read-only', 'EROFS', 'read-only'],
    ['fails', 'EIO', 'gone'],
    ['fails for a reason that nobody knows', 'EREMOTEIO', 'failing'],
  ])('%s, recording pauses, live goes on, and all resumes by itself', async (_what, code, state) => {
    const live: unknown[] = [];
    scene.hub.watch({ deviceId: 'BUS1', channel: 1, quality: 'main' }, { deliver: (packet) => live.push(packet) });
    const told: string[] = [];
    scene.recorder().disk.subscribe((now) => told.push(now));
    scene.files.writeError = code;
    const before = live.length;
    await scene.run(12);
    expect(live.length - before).toBe(12 * 25);
    await expectPause(state);
    expect(scene.recorder().counters.failures).toBeGreaterThan(0);
    scene.files.writeError = undefined;
    await expectResumed();
    expect(told).toEqual([state, 'ok']);
  });

  it('is not to blame for one failure of an unknown kind, recording goes on', async () => {
    const told: string[] = [];
    scene.recorder().disk.subscribe((now) => told.push(now));
    scene.recorder().disk.fault(Object.assign(new Error('file closed'), { code: 'EBADF' }));
    await scene.run(12);
    expect(told).toEqual([]);
    expect(scene.recorder().disk.state).toBe('ok');
    expect(scene.recorder().channelCount).toBe(1);
  });

  it('is pulled, nothing of the database is believed lost, and it resumes when it is back', async () => {
    const before = await waitFor(
      'a segment to find',
      () => scene.pictures(),
      (list) => list.length > 0,
    );
    renameSync(root(), `${root()}-away`);
    await scene.run(12);
    await expectPause('gone');
    expect(existsSync(root())).toBe(false);
    renameSync(`${root()}-away`, root());
    await expectResumed();
    expect(before.length).toBeGreaterThan(0);
  });

  it('is full by a quota that its figures do not show, the oldest make room', async () => {
    await scene.run(40);
    scene.files.quotaBytes = scene.files.usedBytes() + 20_000;
    // Where the segment before could not be closed, what is torn is removed after a minute.
    await scene.run(90);
    expect(scene.log).toContain('disk of the recordings: full');
    expect(scene.recorder().counters.deletedSegments).toBeGreaterThan(0);
    await scene.run(20);
    await scene.recorder().close();
    const numbers = await expectRightPlaces();
    expect(numbers.length).toBeGreaterThan(0);
    await expectAgreement();
  });

  it('is full of nothing but what is torn, the oldest of that makes room unless it is held', async () => {
    const held = { archiveId: 'BUS1', channel: 0, reason: 'accident', heldBy: 'chief' };
    const [from, to] = [wallMs(NOON - HOUR), wallMs(NOON + HOUR)];
    const id = await scene.stores.evidenceHolds.add({ ...held, fromMs: from, toMs: to }, wallMs(NOON));
    expect(await allSegments()).toEqual([]);
    scene.files.quotaBytes = scene.files.usedBytes();
    await scene.run(90);
    await expectPause('full');
    const [torn = ''] = filesOnDisk().filter((name) => name.endsWith('.seg'));
    const { size: bytes } = statSync(join(root(), torn));
    expect(bytes).toBeGreaterThan(0);
    expect(scene.recorder().counters.deletedSegments).toBe(0);
    await scene.stores.evidenceHolds.release(id, 'chief', wallMs(NOON));
    await scene.run(10);
    expect(scene.recorder().counters).toMatchObject({ deletedSegments: 1, deletedBytes: bytes });
    expect(scene.recorder().disk.state).toBe('ok');
    expect(scene.recorder().channelCount).toBe(1);
    await scene.recorder().close();
    await expectAgreement();
  });

  it('runs low with nothing left to delete, it is said before recording ends', async () => {
    scene.files.freeBytes = FLOOR_BYTES / 2;
    await scene.run(6);
    expect(scene.recorder().disk.state).toBe('low');
    expect(scene.recorder().channelCount).toBe(1);
    scene.files.freeBytes = FLOOR_BYTES / 5;
    await scene.run(6);
    await expectPause('full');
    scene.files.freeBytes = FLOOR_BYTES * 2;
    await scene.run(12);
    expect(scene.recorder().disk.state).toBe('ok');
  });
});

describe('a start', () => {
  beforeEach(async () => {
    await setPolicy();
    await scene.startRecorder();
    await scene.run(150);
    await scene.recorder().close();
    await setPolicy({ mode: 'off' });
  });

  it('finds files and database in agreement and leaves them so', async () => {
    const before = await allSegments();
    expect(before.length).toBeGreaterThan(2);
    await scene.startRecorder();
    expect(await allSegments()).toEqual(before);
    expect(scene.recorder().counters).toMatchObject({ torn: 0, orphans: 0 });
    await expectAgreement();
  });

  it('makes a lost database anew from the files', async () => {
    const before = await allSegments();
    const ranges = await scene.stores.segments.ranges(EVERYTHING);
    await scene.stores.segments.remove(before);
    await scene.startRecorder();
    expect((await allSegments()).map(({ id: _id, ...rest }) => rest)).toEqual(
      before.map(({ id: _id, ...rest }) => rest),
    );
    expect(await scene.stores.segments.ranges(EVERYTHING)).toEqual(ranges);
  });

  it('cuts a torn tail at the last whole packet and makes its sidecar anew', async () => {
    const [, , torn] = await allSegments();
    if (torn === undefined) throw new Error('no third segment');
    await scene.stores.segments.remove([torn]);
    rmSync(join(root(), sidecarPath(torn)));
    truncateSync(join(root(), segmentPath(torn)), torn.bytes - 100);
    const before = await scene.pictures();
    await scene.startRecorder();
    expect(scene.recorder().counters.torn).toBe(1);
    await expectAgreement();
    const after = await expectRightPlaces();
    const ofTorn = Math.round((torn.endMs - torn.startMs) / PICTURE_MS);
    expect(after.length).toBe(before.length + ofTorn - 1);
  });

  it('forgets rows without files, removes sidecars without segments and files with nothing in them', async () => {
    const [first, second, third] = await allSegments();
    if (first === undefined || second === undefined || third === undefined) throw new Error('too few');
    rmSync(join(root(), segmentPath(first)));
    const empty = { ...third, startMs: wallMs(third.startMs - 1) };
    writeFileSync(join(root(), segmentPath(empty)), 'no packet');
    writeFileSync(join(root(), 'BUS1/ch1/readme.txt'), 'foreign');
    await scene.startRecorder();
    await expectAgreement();
    expect(await allSegments()).not.toContainEqual(first);
    expect(existsSync(join(root(), 'BUS1/ch1/readme.txt'))).toBe(true);
    expect(scene.recorder().counters.orphans).toBe(3);
    const ranges = await scene.stores.segments.ranges(EVERYTHING);
    expect(ranges).toMatchObject([{ fromMs: second.startMs }]);
  });

  describe('while a large archive is still listed', () => {
    /** Holds the listing of the channel's days up: before it is read, or when it has been. */
    function holdListing(when: 'before' | 'after'): { readonly isHeld: () => boolean; readonly release: () => void } {
      const { list } = scene.files;
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      let isHeld = false;
      scene.files.list = async (folder) => {
        const isDay = folder.startsWith('BUS1/ch1/');
        const early = isDay && when === 'before' ? undefined : await list(folder);
        isHeld ||= isDay;
        if (isDay) await gate;
        return early ?? list(folder);
      };
      onTestFinished(release);
      return { isHeld: () => isHeld, release };
    }

    it.each(['before', 'after'] as const)('records at once, and what it records is left alone (%s)', async (when) => {
      const [, , torn] = await allSegments();
      if (torn === undefined) throw new Error('no third segment');
      await scene.stores.segments.remove([torn]);
      truncateSync(join(root(), segmentPath(torn)), torn.bytes - 100);
      rmSync(join(root(), sidecarPath(torn)));
      await setPolicy();
      const { isHeld, release } = holdListing(when);
      const started = scene.startRecorder();
      await waitFor('the listing', isHeld);
      await waitFor('recording', () => scene.recorder().channelCount === 1);
      await scene.run(150);
      expect(scene.recorder().counters.torn).toBe(0);
      // Some of what was recorded since is whole and in the database, and one segment is still written.
      await waitFor('a whole one', async () => (await allSegments()).some(({ startMs }) => startMs > torn.endMs));
      release();
      await started;
      expect(scene.recorder().counters.torn).toBe(1);
      await scene.run(5);
      await scene.recorder().close();
      await expectAgreement();
      const numbers = await expectRightPlaces();
      expect(scene.clock.now - NOON - (numbers.at(-1) ?? 0) * PICTURE_MS).toBeLessThan(1_000);
      // There is one hole, between the two runs.
      expect(numbers.filter((number, at) => at > 0 && number !== (numbers[at - 1] ?? 0) + 1)).toHaveLength(1);
    });

    it('ends when the recorder is closed, and leaves the rest to the next start', async () => {
      const { isHeld, release } = holdListing('before');
      const started = scene.startRecorder();
      await waitFor('the listing', isHeld);
      const said = scene.log.length;
      const closed = scene.recorder().close();
      release();
      await Promise.all([started, closed]);
      await expectAgreement();
      expect(scene.log.slice(said)).toEqual([]);
    });

    it('does not begin behind a recorder that is closed before the disk was looked at', async () => {
      const started = scene.startRecorder();
      await Promise.all([scene.recorder().close(), started]);
      const list = vi.spyOn(scene.files, 'list');
      // The listing would ask for the devices first, and the database answers in order.
      await scene.stores.devices.list();
      expect(list).not.toHaveBeenCalled();
    });

    it('does not take a disk that goes away for an archive that is empty', async () => {
      const before = await allSegments();
      const { list } = scene.files;
      let isAway = false;
      scene.files.list = async (folder) => {
        isAway ||= folder.startsWith('BUS1/ch1');
        return isAway ? [] : list(folder);
      };
      const said = scene.log.length;
      await scene.startRecorder();
      expect(await allSegments()).toEqual(before);
      expect(scene.log.slice(said)).not.toContain('recordings are in order');
    });

    it('lets a segment go that its retention has deleted since it was listed', async () => {
      const [, , gone] = await allSegments();
      if (gone === undefined) throw new Error('no third segment');
      await scene.stores.segments.remove([gone]);
      const { isHeld, release } = holdListing('after');
      const said = scene.log.length;
      const started = scene.startRecorder();
      await waitFor('the listing', isHeld);
      for (const path of [segmentPath(gone), sidecarPath(gone)]) rmSync(join(root(), path));
      release();
      await started;
      await expectAgreement();
      expect(scene.log.slice(said)).toContain('recordings are in order');
    });
  });

  it('takes a folder without its mark for a disk that is away, and touches nothing', async () => {
    const before = await allSegments();
    rmSync(root(), { recursive: true });
    await scene.startRecorder();
    expect(scene.recorder().disk.state).toBe('gone');
    expect(await allSegments()).toEqual(before);
    expect(existsSync(root())).toBe(false);
  });
});
