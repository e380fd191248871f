import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NewEvent } from '../../../../server/store/events/eventLog.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { anEventMedia } from '../../../support/anEventMedia.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';
import { anEvent } from './anEvent.ts';

const NOW_MS = 1_795_000_000_000;
const SNAPSHOT_BIT = 2;

describeOnBothEngines('pictures and files of events', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  afterAll(() => database.close());

  async function addEvent(change: Partial<NewEvent> = {}) {
    const event = anEvent(change);
    const [eventId = 0] = await stores.eventLog.write({ added: [event], changed: [], days: [] });
    return { eventId, eventBeginAtMs: event.beginAtMs };
  }
  const bitsOf = async ({ eventId }: { readonly eventId: number }): Promise<number | undefined> =>
    (await database.db.selectFrom('event').select('media').where('id', '=', eventId).executeTakeFirst())?.media;

  it('keeps what is known of one, and what it becomes', async () => {
    const event = await addEvent();
    const asked = anEventMedia({ ...event, state: 'requested', file: undefined, bytes: 0, terminalMediaId: undefined });
    const [id = 0] = await stores.eventMedia.add([asked], SNAPSHOT_BIT);
    expect(await stores.eventMedia.find(id)).toEqual({ id, ...asked });
    expect(await bitsOf(event)).toBe(0);
    await stores.eventMedia.setTerminalMediaId(id, 4_294_967_295);
    await stores.eventMedia.setAsked(id, 2);
    expect(await stores.eventMedia.requested(10)).toMatchObject([{ id, attempts: 2, terminalMediaId: 4_294_967_295 }]);
    const { file } = anEventMedia();
    if (file === undefined) throw new Error('no file');
    const stored = { file, takenAtMs: 5, storedAtMs: 6, mediaBit: SNAPSHOT_BIT };
    expect(await stores.eventMedia.setStored(id, stored)).toBe(true);
    expect(await stores.eventMedia.setStored(9_999, stored)).toBe(false);
    // Its file stays the one that is named: the other would belong to nothing.
    expect(await stores.eventMedia.setStored(id, stored)).toBe(false);
    expect(await stores.eventMedia.ofEvent(event.eventId)).toMatchObject([{ state: 'stored', file, takenAtMs: 5 }]);
    expect(await bitsOf(event)).toBe(SNAPSHOT_BIT);
    expect(await stores.eventMedia.knownFiles([file.fileId, 'other'])).toEqual(new Set([file.fileId]));
    await stores.eventMedia.setState([id], 'removed');
    expect(await stores.eventMedia.find(id)).toMatchObject({ state: 'removed', file: undefined, bytes: 100 });
    expect(await stores.eventMedia.requested(10)).toEqual([]);
  });

  it('gives the oldest that nobody holds, and how much all take', async () => {
    const total = async () => (await stores.eventMedia.storedBytes()).get(held.archiveNumber) ?? 0;
    const [held, free] = [
      { ...(await addEvent()), archiveNumber: 60 },
      { ...(await addEvent()), archiveNumber: 60 },
    ];
    await database.db.updateTable('event').set({ held: 1 }).where('id', '=', held.eventId).execute();
    const [kept = 0, second = 0, first = 0] = await stores.eventMedia.add(
      [
        anEventMedia({ ...held, storedAtMs: 1 }),
        anEventMedia({ ...free, storedAtMs: 3 }),
        anEventMedia({ ...free, storedAtMs: 2 }),
      ],
      SNAPSHOT_BIT,
    );
    expect((await stores.eventMedia.oldestRemovable(2)).map(({ id }) => id)).toEqual([first, second]);
    expect((await stores.eventMedia.oldestRemovable(9, { archiveNumber: 60 })).map(({ id }) => id).sort()).toEqual(
      [second, first].sort(),
    );
    expect(await stores.eventMedia.oldestRemovable(9, { archiveNumber: 61 })).toEqual([]);
    expect(await stores.eventMedia.removableBytes({ archiveNumber: 60 })).toBe(200);
    expect(await total()).toBe(300);
    expect((await stores.eventMedia.storedAfter(kept, 9)).map(({ id }) => id)).toEqual([second, first]);
    expect(await stores.eventMedia.markRemoved([first, 99_999])).toEqual(new Set([first]));
    expect(await stores.eventMedia.markRemoved([first])).toEqual(new Set());
    expect(await total()).toBe(200);
  });

  it('marks the files of held events, whenever they came, so that an index passes over them', async () => {
    const event = await addEvent();
    const [range, archiveNumber] = [{ archiveId: 'BUS80', channel: 0, fromMs: wallMs(1), toMs: wallMs(2) }, 80];
    const ofEvent = { ...event, archiveNumber };
    const marks = async () => {
      const rows = database.db.selectFrom('event_media').select('held').where('archive_number', '=', archiveNumber);
      return (await rows.where('kind', '!=', 'clip').orderBy('id').execute()).map(({ held }) => held);
    };
    const removable = async () => (await stores.eventMedia.oldestRemovable(9, { archiveNumber })).length;
    const asked = { ...ofEvent, state: 'requested', file: undefined } as const;
    const [, second = 0] = await stores.eventMedia.add([anEventMedia(ofEvent), anEventMedia(asked)], SNAPSHOT_BIT);
    await stores.eventMedia.add([anEventMedia({ eventId: 0, archiveNumber, takenAtMs: NOW_MS })], SNAPSHOT_BIT);
    expect([await marks(), await removable()]).toEqual([[0, 0, 0], 2]);
    await stores.eventHolds.add({ ...ofEvent, range, reason: 'Event' }, NOW_MS);
    expect([await marks(), await removable()]).toEqual([[1, 1, 0], 1]);
    const { file } = anEventMedia();
    if (file === undefined) throw new Error('no file');
    await stores.eventMedia.setStored(second, { file, takenAtMs: 5, storedAtMs: 6, mediaBit: SNAPSHOT_BIT });
    await stores.eventMedia.assign({ archiveNumber, fromMs: NOW_MS, toMs: NOW_MS }, event, SNAPSHOT_BIT);
    await stores.eventMedia.add([anEventMedia(ofEvent)], SNAPSHOT_BIT);
    expect([await marks(), await removable()]).toEqual([[1, 1, 1, 1], 0]);
    await stores.eventHolds.release(await stores.eventHolds.ofEvent(event.eventId), 'removed');
    expect([await marks(), await removable()]).toEqual([[0, 0, 0, 0], 4]);
  });

  it('marks files as their event is held in the end, when they come while it is held and released', async () => {
    const range = { archiveId: 'BUS82', channel: 0, fromMs: wallMs(1), toMs: wallMs(2) };
    const { file } = anEventMedia();
    if (file === undefined) throw new Error('no file');
    for (let round = 0; round < 10; round++) {
      const event = { ...(await addEvent()), archiveNumber: 82 };
      const asked = anEventMedia({ ...event, state: 'requested', file: undefined });
      const ids = await stores.eventMedia.add([asked, asked, asked], SNAPSHOT_BIT);
      const stored = { file, takenAtMs: 5, storedAtMs: 6, mediaBit: SNAPSHOT_BIT };
      const hold = async (): Promise<void> => {
        await stores.eventHolds.add({ ...event, range, reason: 'Event' }, NOW_MS);
        if (round % 2 === 0) return;
        await stores.eventHolds.release(await stores.eventHolds.ofEvent(event.eventId), 'removed');
      };
      await Promise.all([
        hold(),
        ...ids.map((id) => stores.eventMedia.setStored(id, stored)),
        stores.eventMedia.add([anEventMedia(event), anEventMedia(event)], SNAPSHOT_BIT),
      ]);
      const rows = database.db.selectFrom('event_media').select('held').where('event_id', '=', event.eventId);
      const held = (await rows.where('kind', '!=', 'clip').execute()).map((row) => row.held);
      expect(held).toEqual(ids.concat(0, 0).map(() => (round % 2 === 0 ? 1 : 0)));
    }
  });

  it('does not give those of an event that is held although nothing is marked', async () => {
    const event = { ...(await addEvent()), archiveNumber: 81 };
    await stores.eventMedia.add([anEventMedia(event)], SNAPSHOT_BIT);
    await database.db.updateTable('event').set({ held: 1 }).where('id', '=', event.eventId).execute();
    expect(await stores.eventMedia.oldestRemovable(9, { archiveNumber: 81 })).toEqual([]);
  });

  it('gives those of a member group, and those of devices without one', async () => {
    const group = await stores.deviceGroups.insert('Shared');
    const [first, second] = [
      await stores.memberGroups.insert({ name: 'First' }),
      await stores.memberGroups.insert({ name: 'Second' }),
    ];
    for (const owner of [second, first]) await stores.memberGroups.setDeviceGroups(owner, [group]);
    const device = { deviceId: 'SHARED', name: 's', chn: 1, deviceGroup: group };
    const { archiveNumber } = await stores.devices.insert(device);
    const [id] = await stores.eventMedia.add([anEventMedia({ eventId: 0, archiveNumber })], SNAPSHOT_BIT);
    const idsOf = async (memberGroup: number) =>
      (await stores.eventMedia.oldestRemovable(999, { memberGroup })).map((each) => each.id);
    // A device of two counts for the one that is there longer.
    expect(await idsOf(first)).toEqual([id]);
    expect(await idsOf(second)).toEqual([]);
    expect(await idsOf(0)).not.toContain(id);
    expect(await stores.eventMedia.removableBytes({ memberGroup: first })).toBe(100);
    expect(await stores.fleet.owned()).toEqual([{ deviceId: 'SHARED', archiveNumber, memberGroup: first }]);
  });

  it('finds the event of a picture, and gives pictures of no event to one', async () => {
    const near = await addEvent({ archiveNumber: 70, deviceTimeMs: NOW_MS, beginAtMs: NOW_MS + 3_000 });
    await addEvent({ archiveNumber: 70, deviceTimeMs: NOW_MS + 60_000 });
    await addEvent({ archiveNumber: 71, deviceTimeMs: NOW_MS });
    const window = { archiveNumber: 70, fromMs: NOW_MS - 1_000, toMs: NOW_MS };
    expect(await stores.eventMedia.eventsNear(window, 5)).toEqual([
      { ...near, type: 'speeding', unit: 0, deviceTimeMs: NOW_MS },
    ]);
    const lost = anEventMedia({ eventId: 0, eventBeginAtMs: 0, archiveNumber: 70, takenAtMs: NOW_MS });
    const [id] = await stores.eventMedia.add([lost, { ...lost, takenAtMs: 1, requestedAtMs: 1 }], SNAPSHOT_BIT);
    expect(await stores.eventMedia.assign(window, near, SNAPSHOT_BIT)).toBe(1);
    expect(await stores.eventMedia.assign(window, near, SNAPSHOT_BIT)).toBe(0);
    expect(await stores.eventMedia.ofEvent(near.eventId)).toMatchObject([{ id }]);
    expect(await bitsOf(near)).toBe(SNAPSHOT_BIT);
    expect(await stores.eventMedia.candidates(70, 7, NOW_MS)).toMatchObject([{ id }]);
    expect(await stores.eventMedia.candidates(70, 8, NOW_MS)).toEqual([]);
    expect(await stores.eventMedia.takeUnassigned(NOW_MS, 5)).toMatchObject([{ takenAtMs: 1 }]);
    expect(await stores.eventMedia.takeUnassigned(NOW_MS, 5)).toEqual([]);
  });

  it('goes with its event, and its file is named', async () => {
    const event = await addEvent({ archiveNumber: 80, beginAtMs: 5, endAtMs: 6 });
    const requested = anEventMedia({ ...event, state: 'requested', file: undefined });
    const [id = 0] = await stores.eventMedia.add([anEventMedia(event), requested], SNAPSHOT_BIT);
    const files = [{ fileId: 'ab'.repeat(16), bytes: 100, archiveNumber: 80 }];
    expect(await stores.eventRemoval.removeFirst(80, 10, 10)).toEqual({ count: 1, files, isMore: false });
    expect(await stores.eventMedia.find(id)).toBeUndefined();
  });

  it('ends what was being received when the gateway ended', async () => {
    const [id = 0] = await stores.eventMedia.add([anEventMedia({ state: 'receiving', file: undefined })], SNAPSHOT_BIT);
    await stores.eventMedia.failReceiving();
    expect(await stores.eventMedia.find(id)).toMatchObject({ state: 'failed' });
  });
});
