import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ClipHolds } from '../../../../server/events/evidence/clipHolds.ts';
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
    maximumBytes = 1_000;
    recordedRanges = stores.segments.ranges;
  });

  function open(): void {
    timers = new ManualTimers();
    clips = new ClipHolds({
      ...stores,
      recordedRanges: (query) => recordedRanges(query),
      archiveIdOf: async () => 'BUS1',
      clipOf: () => ({ beforeS: 10, afterS: 20 }),
      maximumBytes,
      onClip: () => undefined,
      now: () => BEGIN_MS + timers.now(),
      runAfter: timers.runAfter,
      onFault: (error) => {
        throw error;
      },
      onLimit: () => undefined,
    });
  }

  async function begin(change: Partial<NewEvent> = {}): Promise<number> {
    const event = anEvent({
      archiveNumber: 1,
      isLate: false,
      beginAtMs: BEGIN_MS,
      endAtMs: BEGIN_MS + 1,
      alarmMark: '',
      ...change,
    });
    const id = await write(event);
    clips.eventsStored([{ kind: 'begun', event: { ...newTrackedEvent({ ...event }), id } }]);
    return id;
  }

  async function write(event: NewEvent): Promise<number> {
    const [id = 0] = await stores.eventLog.write({ added: [event], changed: [], days: [] });
    return id;
  }

  const record = (offsetMs: number, bytes: number, channel = 1): Promise<void> => {
    const [startMs, endMs] = [wallMs(BEGIN_MS + offsetMs), wallMs(BEGIN_MS + offsetMs + 30_000)];
    const device = { deviceStartMs: startMs, deviceEndMs: endMs, groupCount: 1 };
    return stores.segments.add([{ archiveId: 'BUS1', channel, quality: 'main', startMs, endMs, bytes, ...device }]);
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

  it('are released when nothing was real, when a member does so, and the oldest for what a member holds', async () => {
    open();
    const [first, second, third] = [await begin(), await begin(), await begin()];
    await has(third, 'requested');
    await clips.release(second);
    expect(await clipOf(second)).toEqual([['removed', '']]);
    expect(await clips.releaseOldest()).toBe(true);
    expect(await clipOf(first)).toEqual([['removed', '']]);
    const [left] = await stores.evidenceHolds.inForce();
    expect(await stores.evidenceHolds.release(left?.id ?? 0, 'ann', wallMs(BEGIN_MS))).toBe(true);
    expect(await clipOf(third)).toEqual([['removed', '']]);
    expect(await eventOf(third)).toMatchObject({ held: 0 });
    expect(await clips.releaseOldest()).toBe(false);
    await clips.close();
  });
});
