import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ClipHolds, type ClipHoldsDeps, EVENT_HOLDS_LIMIT } from '../../../../server/events/evidence/clipHolds.ts';
import { EvidenceRoom } from '../../../../server/events/evidence/evidenceRoom.ts';
import type { NewEvent } from '../../../../server/store/events/eventLog.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { EVENT_STATUSES } from '../../../../shared/protocol/events/eventWords.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { newTrackedEvent } from '../../../support/newTrackedEvent.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { anEvent } from '../../store/events/anEvent.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../../store/testDatabase.ts';

const BEGIN_MS = 1_795_000_000_000;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

describeOnBothEngines('recordings around an event', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let timers: ManualTimers;
  let clips: ClipHolds;
  let maximumBytes: number;
  let groups: number;
  let recordedRanges: Stores['segments']['ranges'];
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    for (const table of ['evidence_hold', 'event', 'event_media', 'segment', 'recorded_range'] as const) {
      await database.db.deleteFrom(table).execute();
    }
    [maximumBytes, groups] = [1_000, 1];
    recordedRanges = stores.segments.ranges;
  });

  function open(change: Partial<ClipHoldsDeps> = {}): void {
    timers = new ManualTimers();
    clips = new ClipHolds({
      ...stores,
      room: new EvidenceRoom({
        ...stores,
        owners: { count: groups },
        maximumBytes,
        now: () => BEGIN_MS + timers.now(),
      }),
      recordedRanges: (query) => recordedRanges(query),
      archiveIdOf: async (deviceId) => deviceId,
      clipOf: () => ({ beforeS: 10, afterS: 20 }),
      onClip: () => undefined,
      now: () => BEGIN_MS + timers.now(),
      runAfter: timers.runAfter,
      onFault: (error) => {
        throw error;
      },
      onLimit: () => undefined,
      ...change,
    });
  }

  async function begin(change: Partial<NewEvent> = {}, deviceId = 'BUS1'): Promise<number> {
    const event = anEvent({
      archiveNumber: 1,
      isLate: false,
      beginAtMs: BEGIN_MS,
      endAtMs: BEGIN_MS + 1,
      alarmMark: '',
      ...change,
    });
    const id = await write(event);
    const device = { deviceId, incarnation: 1, archiveNumber: 1 };
    clips.eventsStored([{ kind: 'begun', event: { ...newTrackedEvent({ ...event, device }), id } }]);
    return id;
  }

  async function write(event: NewEvent): Promise<number> {
    const [id = 0] = await stores.eventLog.write({ added: [event], changed: [], days: [] });
    return id;
  }

  const record = (offsetMs: number, bytes: number, channel = 1, archiveId = 'BUS1'): Promise<void> => {
    const [startMs, endMs] = [wallMs(BEGIN_MS + offsetMs), wallMs(BEGIN_MS + offsetMs + 30_000)];
    const device = { deviceStartMs: startMs, deviceEndMs: endMs, groupCount: 1 };
    return stores.segments.add([{ archiveId, channel, quality: 'main', startMs, endMs, bytes, ...device }]);
  };
  const clipOf = async (id: number) => (await stores.eventMedia.ofEvent(id)).map(({ state, name }) => [state, name]);
  const has = (id: number, state: string, name = '') =>
    waitFor(`the clip is ${state}`, async () => (await clipOf(id)).some(([at, why]) => at === state && why === name));
  const eventOf = (id: number) =>
    database.db.selectFrom('event').select(['held', 'media']).where('id', '=', id).executeTakeFirstOrThrow();

  it('are held at once, and said to be there once they are', async () => {
    open();
    const id = await begin();
    await has(id, 'requested');
    expect(await stores.evidenceHolds.inForce('BUS1')).toMatchObject([
      { channel: 0, fromMs: BEGIN_MS - 10_000, toMs: BEGIN_MS + 20_000, heldBy: '' },
    ]);
    expect(await eventOf(id)).toEqual({ held: 1, media: 0 });
    await record(0, 100);
    timers.advance(MINUTE_MS);
    await has(id, 'stored');
    expect(await eventOf(id)).toEqual({ held: 1, media: 1 });
    await clips.close();
  });

  it('are said to be there as soon as the first picture is recorded, before the segment is whole', async () => {
    recordedRanges = async () => [
      { archiveId: 'BUS1', channel: 1, fromMs: wallMs(BEGIN_MS - 5_000), toMs: wallMs(BEGIN_MS + 1_000) },
    ];
    open();
    const id = await begin();
    await has(id, 'requested');
    timers.advance(15_000);
    await has(id, 'stored');
    expect(await eventOf(id)).toEqual({ held: 1, media: 1 });
    await clips.close();
  });

  it('leave no row behind once they are released, by the gateway or by a member', async () => {
    open();
    const [first, second] = [await begin(), await begin()];
    await has(second, 'requested');
    await clips.release(first);
    const [left] = await stores.evidenceHolds.inForce();
    await stores.evidenceHolds.release(left?.id ?? 0, 'ann', wallMs(BEGIN_MS));
    expect(await stores.evidenceHolds.list({ deviceId: undefined, limit: 10 })).toEqual([]);
    await clips.close();
  });

  it('are held after a start for events that were stored just before a kill, and once each', async () => {
    await database.db.deleteFrom('device').execute();
    const { archiveNumber } = await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus', chn: 2 });
    const event = anEvent({ archiveNumber, isLate: false, beginAtMs: BEGIN_MS - MINUTE_MS, endAtMs: 0, alarmMark: '' });
    const missed = await write(event);
    const others = [{ severity: 'minor' }, { isLate: true }, { beginAtMs: BEGIN_MS - 2 * DAY_MS }] as const;
    for (const change of others) await write({ ...event, ...change });
    open();
    const begun = await begin({ archiveNumber });
    await has(begun, 'requested');
    timers.advance(15_000);
    await has(missed, 'requested');
    await clips.close();
    const held = await database.db.selectFrom('evidence_hold').select('event_id').orderBy('event_id').execute();
    expect(held.map(({ event_id }) => event_id)).toEqual([missed, begun]);
  });

  it('are held before a stop for every event that was stored', async () => {
    open();
    const ids = [await begin(), await begin(), await begin()];
    await clips.close();
    expect(await Promise.all(ids.map(clipOf))).toEqual(ids.map(() => [['requested', '']]));
  });

  it('are settled behind more than a round reads at a time that have no recordings', async () => {
    recordedRanges = async () => [];
    open();
    const event = anEvent({ archiveNumber: 1, isLate: false, beginAtMs: BEGIN_MS, endAtMs: 0, alarmMark: '' });
    const ids = await stores.eventLog.write({ added: Array.from({ length: 501 }, () => event), changed: [], days: [] });
    clips.eventsStored(ids.map((id) => ({ kind: 'begun', event: { ...newTrackedEvent({ ...event }), id } })));
    const last = ids.at(-1) ?? 0;
    await has(last, 'requested');
    let asked = 0;
    recordedRanges = async () => {
      asked++;
      return [];
    };
    timers.advance(MINUTE_MS);
    await waitFor('all are asked for', () => asked >= 501);
    await clips.close();
  });

  it('are held for thirty days, and then no more', async () => {
    open();
    const id = await begin();
    await has(id, 'requested');
    await record(0, 100);
    timers.advance(MINUTE_MS);
    await has(id, 'stored');
    await waitFor('the next round is planned', () => timers.pending > 0);
    timers.advance(30 * DAY_MS);
    await has(id, 'removed');
    expect(await stores.evidenceHolds.inForce()).toEqual([]);
    expect(await eventOf(id)).toMatchObject({ held: 0 });
    await clips.close();
  });

  it('that are not there are not held, and the event says so', async () => {
    open();
    const id = await begin({ type: 'video-loss', unit: 2 });
    await has(id, 'requested');
    await record(0, 100, 1);
    timers.advance(30 * MINUTE_MS);
    await has(id, 'failed');
    expect(await stores.evidenceHolds.inForce()).toEqual([]);
    expect(await eventOf(id)).toEqual({ held: 0, media: 0 });
    await clips.close();
  });

  it('that do not fit are not held, and the event says so', async () => {
    open();
    await record(0, 1_001);
    const id = await begin();
    await has(id, 'failed', 'no-room');
    expect(await eventOf(id)).toMatchObject({ held: 0 });
    await clips.close();
  });

  it('are not held for an event of less severity, nor for one that was reported late', async () => {
    open();
    const ids = [await begin({ severity: 'minor' }), await begin({ isLate: true }), await begin()];
    await has(ids[2] ?? 0, 'requested');
    expect(await stores.evidenceHolds.inForce()).toHaveLength(1);
    await clips.close();
  });

  describe('that came from the device later (S-2.4.8)', () => {
    async function failedEvent(change: Partial<NewEvent> = {}): Promise<number> {
      await database.db.deleteFrom('device').execute();
      const { archiveNumber } = await stores.devices.insert({
        deviceId: 'BUS1',
        name: 'Bus',
        chn: 2,
        archiveId: 'BUS1',
      });
      const id = await begin({ archiveNumber, ...change });
      if (change.isLate === true) return id;
      await has(id, 'requested');
      timers.advance(30 * MINUTE_MS);
      await has(id, 'failed');
      return id;
    }

    it('are held and said to be there, in the place of the clip that had failed', async () => {
      open();
      const id = await failedEvent();
      await record(0, 100);
      await clips.recordingFetched({ eventId: id, offsetMs: 5_000 });
      expect(await clipOf(id)).toEqual([['requested', '']]);
      timers.advance(MINUTE_MS);
      await has(id, 'stored');
      expect(await clipOf(id)).toEqual([['stored', '']]);
      expect(await eventOf(id)).toEqual({ held: 1, media: 1 });
      expect(await stores.evidenceHolds.inForce('BUS1')).toMatchObject([{ fromMs: BEGIN_MS - 10_000 }]);
      await clips.recordingFetched({ eventId: id, offsetMs: 0 });
      await clips.close();
      expect(await stores.evidenceHolds.inForce('BUS1')).toHaveLength(1);
    });

    it("are held at the gateway's time of an event that was reported late", async () => {
      open();
      const id = await failedEvent({ isLate: true });
      expect(await clipOf(id)).toEqual([]);
      await clips.recordingFetched({ eventId: id, offsetMs: 7_000 });
      await has(id, 'requested');
      expect(await stores.evidenceHolds.inForce('BUS1')).toMatchObject([
        { fromMs: BEGIN_MS - 3_000, toMs: BEGIN_MS + 27_000 },
      ]);
      await clips.close();
    });

    it('are not held for a false alarm, nor where a member has released them', async () => {
      open();
      const [wrong, released] = [await failedEvent(), await failedEvent()];
      const status = EVENT_STATUSES.indexOf('false-alarm');
      await database.db.updateTable('event').set({ status }).where('id', '=', wrong).execute();
      await database.db.updateTable('event_media').set({ state: 'removed' }).where('event_id', '=', released).execute();
      for (const eventId of [wrong, released, 999_999]) await clips.recordingFetched({ eventId, offsetMs: 0 });
      await clips.close();
      expect(await stores.evidenceHolds.inForce()).toEqual([]);
    });
  });

  it('are released when nothing was real, and when a member does so', async () => {
    open();
    const [first, second] = [await begin(), await begin()];
    await has(second, 'requested');
    await clips.release(first);
    expect(await clipOf(first)).toEqual([['removed', '']]);
    const [left] = await stores.evidenceHolds.inForce();
    expect(await stores.evidenceHolds.release(left?.id ?? 0, 'ann', wallMs(BEGIN_MS))).toBe(true);
    expect(await clipOf(second)).toEqual([['removed', '']]);
    expect(await eventOf(second)).toMatchObject({ held: 0 });
    await clips.close();
  });

  describe('of several member groups', () => {
    beforeEach(async () => {
      groups = 2;
      for (const table of ['device', 'member_group_device_group', 'device_group', 'member_group'] as const) {
        await database.db.deleteFrom(table).execute();
      }
      for (const deviceId of ['BUS1', 'BUS2']) {
        const deviceGroup = await stores.deviceGroups.insert(deviceId);
        const memberGroup = await stores.memberGroups.insert({ name: deviceId });
        await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
        await stores.devices.insert({ deviceId, archiveId: deviceId, name: 'Bus', chn: 1, deviceGroup });
      }
      open();
    });
    afterEach(() => clips.close());

    /** An event at its own time, whose recordings are there already. */
    async function beginRecorded(minute: number, bytes: number, deviceId = 'BUS1'): Promise<number> {
      await record(minute * MINUTE_MS, bytes, 1, deviceId);
      return begin({ beginAtMs: BEGIN_MS + minute * MINUTE_MS }, deviceId);
    }

    it('use what is free, and give it back to a group that has less than its share', async () => {
      const first = [await beginRecorded(0, 300), await beginRecorded(2, 300), await beginRecorded(4, 400)];
      for (const id of first) await has(id, 'requested');
      const refused = await beginRecorded(6, 100);
      await has(refused, 'failed', 'no-room');
      const own = [await beginRecorded(8, 250, 'BUS2'), await beginRecorded(10, 250, 'BUS2')];
      for (const id of own) await has(id, 'requested');
      expect(await Promise.all(first.map(clipOf))).toEqual([[['removed', '']], [['removed', '']], [['requested', '']]]);
      const beyond = await beginRecorded(12, 150, 'BUS2');
      await has(beyond, 'failed', 'no-room');
    });

    it('are not released for a group that has its share', async () => {
      const first = [await beginRecorded(0, 500), await beginRecorded(2, 500, 'BUS2')];
      for (const id of first) await has(id, 'requested');
      for (const [minute, deviceId] of [
        [4, 'BUS1'],
        [6, 'BUS2'],
      ] as const)
        await has(await beginRecorded(minute, 1, deviceId), 'failed', 'no-room');
      expect(await stores.evidenceHolds.inForce()).toHaveLength(2);
    });

    it('leave what members hold', async () => {
      await record(0, 900);
      const [fromMs, toMs] = [wallMs(BEGIN_MS), wallMs(BEGIN_MS + 30_000)];
      const hold = { archiveId: 'BUS1', channel: 0, fromMs, toMs, reason: 'A bump.', heldBy: 'ann' };
      await stores.evidenceHolds.add(hold, wallMs(BEGIN_MS));
      await has(await beginRecorded(2, 100, 'BUS2'), 'requested');
      await has(await beginRecorded(4, 1, 'BUS2'), 'failed', 'no-room');
      expect(await stores.evidenceHolds.inForce()).toHaveLength(2);
    });

    it('that are too many are released of the group that has the most', async () => {
      const limits: string[] = [];
      const counts = new Map<number, number>();
      const [one, two] = await Promise.all(['BUS1', 'BUS2'].map(stores.evidenceHolds.groupOf));
      await clips.close();
      const countByGroup = async () => counts.set(one ?? 0, EVENT_HOLDS_LIMIT.max - 1).set(two ?? 0, 1);
      open({ eventHolds: { ...stores.eventHolds, countByGroup }, onLimit: ({ name }) => void limits.push(name) });
      await addHold(7, 'BUS1');
      await addHold(5, 'BUS2');
      await has(await begin({}, 'BUS2'), 'requested');
      expect(limits).toEqual([EVENT_HOLDS_LIMIT.name]);
      const held = await stores.evidenceHolds.inForce();
      expect(held.map(({ archiveId }) => archiveId)).toEqual(['BUS2', 'BUS2']);
    });

    function addHold(eventId: number, archiveId: string): Promise<void> {
      const [fromMs, toMs] = [wallMs(BEGIN_MS - MINUTE_MS), wallMs(BEGIN_MS)];
      const range = { archiveId, channel: 0, fromMs, toMs };
      const event = { eventId, eventBeginAtMs: BEGIN_MS, archiveNumber: 1, reason: 'Event' };
      return stores.eventHolds.add({ ...event, range }, BEGIN_MS);
    }
  });
});
