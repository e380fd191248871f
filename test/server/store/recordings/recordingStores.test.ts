import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Segment } from '../../../../server/store/recordings/segments.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { describeOnBothEngines, openWithReading, type TestDatabase } from '../testDatabase.ts';

const T0 = 1_795_000_000_000;
const MINUTE = 60_000;

/** A segment from one minute of the scene to another. */
function segment(fromMinute: number, toMinute: number, channel = 1, archiveId = 'BUS1'): Segment {
  return {
    archiveId,
    channel,
    quality: 'main',
    startMs: wallMs(T0 + fromMinute * MINUTE),
    endMs: wallMs(T0 + toMinute * MINUTE),
    deviceStartMs: wallMs(5),
    deviceEndMs: wallMs(0),
    bytes: 7_500_000,
    groupCount: 30,
  };
}

describeOnBothEngines('the stores of recordings', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openWithReading(engine);
    stores = createStores(database.db, undefined, database.reading);
  });
  beforeEach(async () => {
    for (const table of ['segment', 'recorded_range', 'recording_policy', 'evidence_hold', 'device'] as const) {
      await database.db.deleteFrom(table).execute();
    }
  });
  afterAll(() => database.close());

  /** Ranges as minutes of the scene. */
  async function rangesOf(fromMinute = 0, toMinute = 1_000, archiveId?: string): Promise<number[][]> {
    const window = { fromMs: T0 + fromMinute * MINUTE, toMs: T0 + toMinute * MINUTE };
    const ranges = await stores.segments.ranges({ ...window, ...(archiveId !== undefined && { archiveId }) });
    return ranges.map((range) => [range.channel, (range.fromMs - T0) / MINUTE, (range.toMs - T0) / MINUTE]);
  }

  describe('segments', () => {
    it('are found as they were put in, by channel and window', async () => {
      const segments = [segment(0, 1), segment(1, 2), segment(2, 3), segment(1, 2, 2), segment(1, 2, 1, 'BUS2')];
      await stores.segments.add(segments);
      const window = { archiveId: 'BUS1', channel: 1, fromMs: T0 + 1.5 * MINUTE, toMs: T0 + 2 * MINUTE + 1 };
      const found = await stores.segments.find(window);
      expect(found.map(({ id: _id, ...rest }) => rest)).toEqual([segment(1, 2), segment(2, 3)]);
      const next = await stores.segments.next('BUS1', 1, T0 + 1);
      expect(next).toMatchObject(segment(1, 2));
      expect(await stores.segments.next('BUS1', 1, T0 + 3 * MINUTE)).toBeUndefined();
    });

    it('keep where they came from, and those that were fetched are found by window', async () => {
      const fetched = [
        { ...segment(1, 2), origin: 'fetched' as const },
        { ...segment(1, 3, 2), origin: 'fetched' as const },
        { ...segment(1, 2, 1, 'BUS2'), origin: 'fetched' as const },
      ];
      await stores.segments.add([segment(0, 1), ...fetched]);
      const { segments } = stores;
      expect((await segments.oldest(10)).map(({ origin }) => origin)).toEqual([
        undefined,
        'fetched',
        'fetched',
        'fetched',
      ]);
      const window = { archiveId: 'BUS1', fromMs: T0, toMs: T0 + 2.5 * MINUTE, limit: 10 };
      const found = await segments.fetched(window);
      expect(found.map(({ channel, fromMs, toMs }) => [channel, (fromMs - T0) / MINUTE, (toMs - T0) / MINUTE])).toEqual(
        [
          [1, 1, 2],
          [2, 1, 2.5],
        ],
      );
      expect(await segments.fetched({ ...window, limit: 1 })).toHaveLength(1);
      await segments.add([segment(1, 2)]);
      expect(await segments.fetched(window)).toHaveLength(1);
    });

    it('with holes in them claim no more than is in them', async () => {
      const covered = [
        { fromMs: T0, toMs: T0 + 2 * MINUTE },
        { fromMs: T0 + 3 * MINUTE, toMs: T0 + 4 * MINUTE },
      ];
      await stores.segments.add([{ ...segment(0, 4), covered }, segment(4, 5)]);
      expect(await rangesOf()).toEqual([
        [1, 0, 2],
        [1, 3, 5],
      ]);
    });

    it('that are added twice are there once, with what was said last', async () => {
      await stores.segments.add([segment(0, 1)]);
      await stores.segments.add([{ ...segment(0, 1), bytes: 9 }]);
      expect(await stores.segments.totals()).toEqual({ segments: 1, bytes: 9 });
      expect(await rangesOf()).toEqual([[1, 0, 1]]);
    });

    it('are listed from the oldest on, page by page', async () => {
      await stores.segments.add([segment(3, 4), segment(1, 2), segment(1, 2, 2), segment(0, 1)]);
      const first = await stores.segments.oldest(2);
      const rest = await stores.segments.oldest(10, first[1]);
      const minutes = [...first, ...rest].map(({ startMs }) => (startMs - T0) / MINUTE);
      expect(minutes).toEqual([0, 1, 1, 3]);
      expect(new Set([...first, ...rest].map(({ id }) => id)).size).toBe(4);
    });

    it('that ended before a moment are told from those that reach past it', async () => {
      await stores.segments.add([segment(0, 1), segment(1, 2), segment(2, 3)]);
      const ended = await stores.segments.ended(
        { archiveId: 'BUS1', channel: 1, fromMs: 0, toMs: T0 + 2 * MINUTE + 1 },
        10,
      );
      expect(ended.map(({ startMs }) => (startMs - T0) / MINUTE)).toEqual([0, 1]);
    });

    it('say which channels have any, and what a channel’s are named', async () => {
      await stores.segments.add([segment(0, 1), segment(1, 2), segment(0, 1, 3)]);
      const channels = await stores.segments.channels();
      expect(channels).toHaveLength(2);
      expect(channels).toEqual(
        expect.arrayContaining([
          { archiveId: 'BUS1', channel: 1 },
          { archiveId: 'BUS1', channel: 3 },
        ]),
      );
      const names = await stores.segments.names('BUS1', 1);
      expect(names.map(({ startMs, quality }) => [(startMs - T0) / MINUTE, quality])).toEqual([
        [0, 'main'],
        [1, 'main'],
      ]);
    });
  });

  describe('recorded ranges', () => {
    it('tell of what there is when the newest is added while the oldest is removed', async () => {
      await stores.segments.add(Array.from({ length: 40 }, (_, minute) => segment(minute, minute + 1)));
      for (let minute = 0; minute < 30; minute++) {
        await Promise.all([
          stores.segments.add([segment(40 + minute, 41 + minute)]),
          stores.segments.remove([segment(minute, minute + 1)]),
        ]);
      }
      expect(await rangesOf()).toEqual([[1, 30, 70]]);
    });

    it('join what follows without a hole, in whatever order it is added', async () => {
      await stores.segments.add([segment(2, 3), segment(0, 1)]);
      expect(await rangesOf()).toEqual([
        [1, 0, 1],
        [1, 2, 3],
      ]);
      await stores.segments.add([segment(1, 2)]);
      expect(await rangesOf()).toEqual([[1, 0, 3]]);
      await stores.segments.add([segment(3, 4), segment(7, 8, 2)]);
      expect(await rangesOf()).toEqual([
        [1, 0, 4],
        [2, 7, 8],
      ]);
    });

    it('join over less than a second and no more', async () => {
      await stores.segments.add([segment(0, 1), segment(1 + 1 / 60, 2), segment(2 + 1.001 / 60, 3)]);
      expect(await rangesOf()).toEqual([
        [1, 0, 2],
        [1, 2 + 1.001 / 60, 3],
      ]);
    });

    it('are clipped to the window, and to the device that is asked for', async () => {
      await stores.segments.add([segment(0, 10), segment(0, 10, 1, 'BUS2')]);
      expect(await rangesOf(2, 5, 'BUS2')).toEqual([[1, 2, 5]]);
      expect(await rangesOf(10, 20)).toEqual([]);
    });

    it('lose what is removed: at an end, in the middle, and all of it', async () => {
      await stores.segments.add([0, 1, 2, 3, 4].map((minute) => segment(minute, minute + 0.999)));
      const name = (minute: number) => segment(minute, minute + 1);
      await stores.segments.remove([name(0)]);
      expect(await rangesOf()).toEqual([[1, 1, 4.999]]);
      await stores.segments.remove([name(3)]);
      expect(await rangesOf()).toEqual([
        [1, 1, 2.999],
        [1, 4, 4.999],
      ]);
      await stores.segments.remove([name(1), name(2), name(4)]);
      expect(await rangesOf()).toEqual([]);
      expect(await stores.segments.totals()).toEqual({ segments: 0, bytes: 0 });
    });

    it('are after many additions and removals what the segments say', async () => {
      const all = Array.from({ length: 60 }, (_, minute) => segment(minute, minute + 1));
      const shuffled = all.map((each, at) => ({ each, rank: (at * 37) % 60 })).sort((a, b) => a.rank - b.rank);
      for (const { each } of shuffled) await stores.segments.add([each]);
      expect(await rangesOf()).toEqual([[1, 0, 60]]);
      const gone = all.filter((_, minute) => minute % 3 === 0);
      await stores.segments.remove(gone);
      expect(await rangesOf()).toEqual(Array.from({ length: 20 }, (_, at) => [1, at * 3 + 1, at * 3 + 3]));
    });
  });

  describe('recording policies', () => {
    const policy = {
      mode: 'ignition',
      quality: 'sub',
      schedule: [{ days: [1, 7], fromMinute: 480, toMinute: 120 }],
      retentionDays: 30,
    } as const;

    it('are kept by scope, and replaced', async () => {
      await stores.recordingPolicies.set({ deviceId: 'BUS1', channel: 2 }, policy);
      await stores.recordingPolicies.set({ deviceId: '', channel: 0 }, { ...policy, mode: 'always', schedule: [] });
      await stores.recordingPolicies.set({ deviceId: 'BUS1', channel: 2 }, { ...policy, mode: 'off' });
      expect(await stores.recordingPolicies.list()).toEqual([
        { deviceId: '', channel: 0, ...policy, mode: 'always', schedule: [] },
        { deviceId: 'BUS1', channel: 2, ...policy, mode: 'off' },
      ]);
      expect(await stores.recordingPolicies.remove({ deviceId: 'BUS1', channel: 2 })).toBe(true);
      expect(await stores.recordingPolicies.remove({ deviceId: 'BUS1', channel: 2 })).toBe(false);
    });

    it('of all devices are changed by version: of two who begin alike, one is told', async () => {
      const { recordingPolicies } = stores;
      expect(await recordingPolicies.forAll()).toBeUndefined();
      const firsts = await Promise.all([
        recordingPolicies.setForAll(policy, 0),
        recordingPolicies.setForAll({ ...policy, mode: 'off' }, 0),
      ]);
      expect(firsts.filter(Boolean)).toHaveLength(1);
      const kept = await recordingPolicies.forAll();
      expect(kept).toEqual({ policy: { ...policy, mode: firsts[0] ? 'ignition' : 'off' }, version: 1 });
      expect(await recordingPolicies.setForAll({ ...policy, mode: 'always' }, 1)).toBe(true);
      expect(await recordingPolicies.setForAll(policy, 1)).toBe(false);
      expect(await recordingPolicies.forAll()).toEqual({ policy: { ...policy, mode: 'always' }, version: 2 });
      expect([await recordingPolicies.removeForAll(1), await recordingPolicies.removeForAll(2)]).toEqual([false, true]);
      expect(await recordingPolicies.forAll()).toBeUndefined();
    });

    it('of devices that are no more are removed, the default is not', async () => {
      await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1 });
      for (const deviceId of ['', 'BUS1', 'GONE']) await stores.recordingPolicies.set({ deviceId, channel: 0 }, policy);
      await stores.recordingPolicies.removeOrphans();
      expect((await stores.recordingPolicies.list()).map(({ deviceId }) => deviceId)).toEqual(['', 'BUS1']);
    });
  });

  describe('evidence holds', () => {
    const hold = {
      archiveId: 'BUS1@one',
      channel: 0,
      fromMs: wallMs(T0),
      toMs: wallMs(T0 + MINUTE),
      reason: 'accident 17',
      heldBy: 'chief',
    };

    it('are in force until they are released, once', async () => {
      const id = await stores.evidenceHolds.add(hold, wallMs(7));
      await stores.evidenceHolds.add({ ...hold, archiveId: 'BUS2' }, wallMs(8));
      expect(await stores.evidenceHolds.inForce('BUS1@one')).toEqual([
        { id, ...hold, deviceId: 'BUS1', heldAtMs: 7, releasedBy: '', releasedAtMs: 0 },
      ]);
      expect(await stores.evidenceHolds.release(id, 'deputy', wallMs(9))).toBe(true);
      expect(await stores.evidenceHolds.release(id, 'deputy', wallMs(10))).toBe(false);
      expect((await stores.evidenceHolds.inForce()).map(({ deviceId }) => deviceId)).toEqual(['BUS2']);
      expect(await stores.evidenceHolds.list({ deviceId: 'BUS1', limit: 10 })).toMatchObject([
        { releasedBy: 'deputy', releasedAtMs: 9 },
      ]);
      const older = { deviceId: undefined, beforeId: id + 1, limit: 10 };
      expect(await stores.evidenceHolds.list(older)).toHaveLength(1);
      expect(await stores.evidenceHolds.find(id)).toBeUndefined();
      expect(await stores.evidenceHolds.removeReleased(9, 10)).toBe(0);
      expect(await stores.evidenceHolds.removeReleased(10, 10)).toBe(1);
      expect(await stores.evidenceHolds.list(older)).toEqual([]);
    });

    it('take what their segments take, each once, whatever range names it', async () => {
      const segments = [segment(0, 1), segment(0, 1, 2), segment(1, 2), segment(0, 1, 1, 'BUS2'), segment(5, 6)];
      await stores.segments.add(segments);
      const range = { archiveId: 'BUS1', channel: 1, fromMs: wallMs(T0), toMs: wallMs(T0 + MINUTE) };
      const { bytes } = segment(0, 1);
      const bytesWith = async (asked: typeof range) => {
        const [all] = await stores.evidenceHolds.bytesByGroup({ range: asked, isMember: true });
        return all?.bytes;
      };
      expect(await bytesWith(range)).toBe(bytes);
      await stores.evidenceHolds.add({ ...hold, archiveId: 'BUS1' }, wallMs(7));
      const released = await stores.evidenceHolds.add({ ...hold, archiveId: 'BUS2' }, wallMs(8));
      await stores.evidenceHolds.release(released, 'chief', wallMs(9));
      expect(await bytesWith(range)).toBe(2 * bytes);
      expect(await stores.evidenceHolds.bytesIn(range)).toBe(bytes);
      expect(await bytesWith({ ...range, toMs: wallMs(T0 + 2 * MINUTE) })).toBe(3 * bytes);
      expect(await stores.evidenceHolds.countInForce('chief')).toBe(1);
    });

    it('count for the member group of the device, and of a deleted one for that which owned it', async () => {
      const groups = [await stores.deviceGroups.insert('First'), await stores.deviceGroups.insert('Second')];
      const [first, second] = [
        await stores.memberGroups.insert({ name: 'First' }),
        await stores.memberGroups.insert({ name: 'Second' }),
      ];
      await stores.memberGroups.setDeviceGroups(first, groups.slice(0, 1));
      await stores.memberGroups.setDeviceGroups(second, groups);
      for (const [index, deviceId] of ['BUS1', 'BUS2', 'BUS3'].entries()) {
        const deviceGroup = groups[index];
        await stores.devices.insert({ deviceId, archiveId: deviceId, name: 'Bus', chn: 1, deviceGroup });
        await stores.segments.add([segment(0, 1, 1, deviceId), segment(1, 2, 1, deviceId)]);
      }
      const { bytes } = segment(0, 1);
      await stores.evidenceHolds.add({ ...hold, archiveId: 'BUS1', channel: 1 }, wallMs(7));
      for (const [index, deviceId] of ['BUS1', 'BUS2', 'BUS3'].entries()) await holdForEvent(index + 1, deviceId);
      const byGroup = [
        { memberGroup: 0, bytes: 2 * bytes, memberBytes: 0 },
        { memberGroup: first, bytes: 2 * bytes, memberBytes: bytes },
        { memberGroup: second, bytes: 2 * bytes, memberBytes: 0 },
      ];
      const held = async (asked?: Parameters<typeof stores.evidenceHolds.bytesByGroup>[0]) =>
        (await stores.evidenceHolds.bytesByGroup(asked)).sort((one, other) => one.memberGroup - other.memberGroup);
      expect(await held()).toEqual(byGroup);
      const range = { archiveId: 'BUS2', channel: 1, fromMs: wallMs(T0), toMs: wallMs(T0 + MINUTE) };
      expect((await held({ range, isMember: true }))[2]).toEqual({ ...byGroup[2], memberBytes: bytes });
      expect(await held({ range, isMember: false })).toEqual(byGroup);
      const groupsOf = () => Promise.all(['BUS1', 'BUS2', 'BUS3', 'GONE'].map(stores.evidenceHolds.groupOf));
      expect(await groupsOf()).toEqual([first, second, 0, 0]);
      await stores.devices.remove('BUS2');
      expect(await groupsOf()).toEqual([first, second, 0, 0]);
      expect(await held()).toEqual(byGroup);
      expect(await stores.eventHolds.countByGroup()).toEqual(new Map([first, second, 0].map((each) => [each, 1])));
      const oldestOf = async (memberGroup: number, afterId = 0) =>
        (await stores.eventHolds.oldestOf(memberGroup, { afterId, limit: 9 })).map(({ eventId }) => eventId);
      expect([await oldestOf(first), await oldestOf(second), await oldestOf(0)]).toEqual([[1], [2], [3]]);
      const [oldest] = await stores.eventHolds.oldestOf(first, { afterId: 0, limit: 1 });
      expect(await oldestOf(first, oldest?.id)).toEqual([]);
    });

    function holdForEvent(eventId: number, archiveId: string): Promise<void> {
      const range = { archiveId, channel: 1, fromMs: wallMs(T0), toMs: wallMs(T0 + 2 * MINUTE) };
      return stores.eventHolds.add({ eventId, eventBeginAtMs: T0, archiveNumber: 1, range, reason: 'Event' }, T0);
    }
  });
});
