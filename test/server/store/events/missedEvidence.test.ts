import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NewEvent } from '../../../../server/store/events/eventLog.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import { anEventMedia } from '../../../support/anEventMedia.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';
import { anEvent } from './anEvent.ts';

const BEGIN_MS = 1_795_000_000_000;
const MARK = 'ab'.repeat(16);

describeOnBothEngines('events whose evidence nobody has seen to', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let archiveNumber: number;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    ({ archiveNumber } = await stores.devices.insert({ deviceId: 'BUS1', archiveId: 'BUS1', name: 'Bus', chn: 2 }));
  });
  afterAll(() => database.close());

  async function add(change: Partial<NewEvent> = {}): Promise<number> {
    const event = anEvent({
      archiveNumber,
      isLate: false,
      beginAtMs: BEGIN_MS,
      alarmMark: '',
      severity: 'minor',
      ...change,
    });
    const [id = 0] = await stores.eventLog.write({ added: [event], changed: [], days: [] });
    return id;
  }
  const ids = (events: readonly { readonly eventId: number }[]): number[] => events.map(({ eventId }) => eventId);

  it('are those of devices that are there, without a word of what is looked for', async () => {
    const minor = await add();
    const major = await add({ severity: 'major', beginAtMs: BEGIN_MS + 1 });
    const info = await add({ severity: 'info', alarmMark: MARK, beginAtMs: BEGIN_MS + 2 });
    const marked = await add({ alarmMark: MARK, beginAtMs: BEGIN_MS + 3 });
    await add({ severity: 'major', beginAtMs: BEGIN_MS - 1 });
    await add({ severity: 'major', archiveNumber: 99_999 });
    await add({ severity: 'major', isLate: true });
    const { missedEvidence, eventMedia, attachmentRequests } = stores;
    expect(ids(await missedEvidence.clips(BEGIN_MS, 9))).toEqual([major]);
    expect(ids(await missedEvidence.snapshots(BEGIN_MS, 9))).toEqual([minor, major, info, marked]);
    expect(ids(await missedEvidence.snapshots(BEGIN_MS, 2))).toEqual([minor, major]);
    const [alarm] = await missedEvidence.attachments(BEGIN_MS, 9);
    expect(alarm).toMatchObject({
      eventId: marked,
      eventBeginAtMs: BEGIN_MS + 3,
      device: { deviceId: 'BUS1', archiveNumber },
      archiveId: 'BUS1',
      alarmMark: MARK,
    });
    const ref = { eventId: marked, eventBeginAtMs: BEGIN_MS + 3, archiveNumber };
    await attachmentRequests.add({ ...ref, alarmNumber: '1', alarmMark: MARK, attempts: 0, createdAtMs: 1 });
    expect(await missedEvidence.attachments(BEGIN_MS, 9)).toEqual([]);
    const refused = await add({ alarmMark: 'cd'.repeat(16), beginAtMs: BEGIN_MS + 4 });
    expect(ids(await missedEvidence.attachments(BEGIN_MS, 9))).toEqual([refused]);
    const failed = { state: 'failed', file: undefined, kind: 'attachment', name: '' } as const;
    await eventMedia.add([anEventMedia({ ...failed, eventId: refused, eventBeginAtMs: BEGIN_MS + 4 })], 0);
    expect(await missedEvidence.attachments(BEGIN_MS, 9)).toEqual([]);
    const row = anEventMedia({ eventId: major, eventBeginAtMs: BEGIN_MS + 1, state: 'failed', file: undefined });
    await eventMedia.add([row, { ...row, kind: 'clip' }], 0);
    expect(await missedEvidence.clips(BEGIN_MS, 9)).toEqual([]);
    expect(ids(await missedEvidence.snapshots(BEGIN_MS, 9))).toEqual([minor, info, marked, refused]);
  });
});
