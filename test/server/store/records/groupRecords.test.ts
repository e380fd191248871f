import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AuditNote } from '../../../../server/store/audit/audit.ts';
import type { GroupRecordStore } from '../../../../server/store/records/groupRecords.ts';
import type { JobOwner } from '../../../../server/store/reports/reportJobs.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import type { FirmwareModelContent } from '../../../../shared/protocol/api/firmware/images.ts';
import type { SimPlanContent } from '../../../../shared/protocol/api/netflow/netflow.ts';
import type { ReportScheduleContent } from '../../../../shared/protocol/api/reports/reports.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { aRuleContent } from '../../../support/notify/notifyFacts.ts';
import { reportParameters } from '../../../support/reports/reportParameters.ts';
import { aSyncRule } from '../../../support/sync/syncRecords.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const PLAN: SimPlanContent = {
  name: 'Small',
  megabytes: 100,
  resetDay: 5,
  timeZone: 'Asia/Taipei',
  price: '9.90',
  action: 'none',
};
const MODEL: FirmwareModelContent = {
  pattern: 'MDVR-1',
  method: 'packages',
  manufacturerBytes: 11,
  window: 4,
  packageIntervalMs: 0,
  template: '',
  passthroughType: 0,
};
const SCHEDULE: ReportScheduleContent = {
  name: 'Monday',
  enabled: true,
  kind: 'trips',
  parameters: reportParameters({ period: 'last-week' }),
  every: 'weekly',
  weekday: 1,
  monthDay: 0,
  minuteOfDay: 360,
  format: 'xlsx',
  language: 'en',
  sender: 1,
  recipients: ['boss@example.com'],
};
const NOW = wallMs(Date.UTC(2026, 10, 30));

const editOf = <Content>(content: Content) => ({ content, by: 'ann', atMs: 1 });

// Data plans stand for all records of member groups, and terminal models for those with a value that a group has once.
describeOnBothEngines('records of a member group', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let memberGroup: number;
  beforeEach(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    memberGroup = await stores.memberGroups.insert({ name: 'North' });
  });
  afterEach(() => database.close());

  const noteOf = (action: AuditNote['entry']['action'], target: string): AuditNote => ({
    entry: { actor: 'ann', action, target },
    at: NOW,
  });
  const addUser = (username: string) => stores.users.insert({ username, passwordHash: '', permissions: [] }, NOW);
  const audited = async () => (await stores.audit.list({ limit: 10 })).map(({ action, target }) => [action, target]);

  it('are written with the audit entry of who did it', async () => {
    const added = await stores.simPlans.insert({ memberGroup }, editOf(PLAN), ({ name }) =>
      noteOf('simplan.add', name),
    );
    const id = added.ok ? added.value.id : 0;
    const named = { id, memberGroup, version: 1 };
    const large = { ...PLAN, name: 'Large' };
    await stores.simPlans.update(named, editOf(large), ({ before, after }) =>
      noteOf('simplan.change', `${before.name} to ${after.name}`),
    );
    await stores.simPlans.remove({ ...named, version: 2 }, ({ name }) => noteOf('simplan.remove', name));
    expect(await audited()).toEqual([
      ['simplan.remove', 'Large'],
      ['simplan.change', 'Small to Large'],
      ['simplan.add', 'Small'],
    ]);
  });

  it('stay as they were where the audit entry cannot be written', async () => {
    const kept = await stores.simPlans.insert({ memberGroup }, editOf(PLAN));
    const named = { id: kept.ok ? kept.value.id : 0, memberGroup, version: 1 };
    // A time that no column takes.
    const note = () => ({ ...noteOf('simplan.change', 'x'), at: wallMs(Number.NaN) });
    await expect(stores.simPlans.insert({ memberGroup }, editOf(PLAN), note)).rejects.toThrow();
    await expect(stores.simPlans.update(named, editOf({ ...PLAN, name: 'Other' }), note)).rejects.toThrow();
    await expect(stores.simPlans.remove(named, note)).rejects.toThrow();
    expect(await stores.simPlans.find(named.id, { memberGroup })).toMatchObject({ name: 'Small', version: 1 });
    const { rows } = (await stores.simPlans.page(LIST(memberGroup))) ?? { rows: [] };
    expect(rows.map(({ name }) => name)).toEqual(['Small']);
  });

  interface Kept<Content, Row> {
    readonly store: Pick<GroupRecordStore<Content, Row, string, JobOwner>, 'find' | 'insert' | 'update' | 'remove'>;
    readonly content: Content;
    /** A content that a group can have beside that one. */
    readonly other: Content;
    readonly action: AuditNote['entry']['action'];
  }

  /** Tries to add, change and remove a record with an audit entry that can't be written. Gives the record before and after. */
  async function triedInVain<Content, Row extends { readonly id: number }>(
    { store, content, other, action }: Kept<Content, Row>,
    owner: JobOwner,
  ) {
    const added = await store.insert(owner, editOf(content));
    if (!added.ok) throw new Error(added.reason);
    const { id } = added.value;
    const named = { id, version: 1, ...owner };
    const note = () => ({ ...noteOf(action, 'x'), at: wallMs(Number.NaN) });
    await expect(store.insert(owner, editOf(other), note)).rejects.toThrow();
    await expect(store.update(named, editOf(other), note)).rejects.toThrow();
    await expect(store.remove(named, note)).rejects.toThrow();
    return [added.value, await store.find(id, owner)];
  }

  const inVain: Readonly<Record<string, (owner: JobOwner) => Promise<unknown[]>>> = {
    'data plans': (owner) =>
      triedInVain(
        { store: stores.simPlans, content: PLAN, other: { ...PLAN, name: 'Other' }, action: 'simplan.change' },
        owner,
      ),
    'terminal models': (owner) =>
      triedInVain(
        {
          store: stores.firmwareModels,
          content: MODEL,
          other: { ...MODEL, pattern: 'MDVR-2' },
          action: 'firmware.model.change',
        },
        owner,
      ),
    'rules of data sync': (owner) =>
      triedInVain(
        {
          store: stores.syncRules,
          content: aSyncRule(),
          other: aSyncRule({ name: 'Other' }),
          action: 'syncrule.change',
        },
        owner,
      ),
    'schedules of reports': (owner) =>
      triedInVain(
        {
          store: stores.reportSchedules,
          content: SCHEDULE,
          other: { ...SCHEDULE, name: 'Other' },
          action: 'reportschedule.change',
        },
        owner,
      ),
    'notification rules': (owner) =>
      triedInVain(
        {
          store: stores.notifyRules,
          content: aRuleContent(),
          other: aRuleContent({ name: 'Other' }),
          action: 'notifyrule.change',
        },
        owner,
      ),
  };

  it.each(Object.keys(inVain))('%s stay as they were where the audit entry cannot be written', async (kind) => {
    const userId = await addUser('ann');
    const [before, after] = (await inVain[kind]?.({ userId, memberGroup })) ?? [];
    expect(before).toBeDefined();
    expect(after).toEqual(before);
    expect(await audited()).toEqual([]);
  });

  it('belong to the member as well, where members have their own', async () => {
    const [ann, bob] = [
      { userId: await addUser('ann'), memberGroup },
      { userId: await addUser('bob'), memberGroup },
    ];
    const added = await stores.reportSchedules.insert(ann, editOf(SCHEDULE));
    const id = added.ok ? added.value.id : 0;
    expect(added).toMatchObject({ value: ann });
    expect(await stores.reportSchedules.find(id, bob)).toBeUndefined();
    const named = { id, version: 1, ...bob };
    expect(await stores.reportSchedules.update(named, editOf(SCHEDULE))).toEqual({ ok: false, reason: 'gone' });
    expect(await stores.reportSchedules.remove(named)).toEqual({ ok: false, reason: 'gone' });
    expect(await stores.reportSchedules.remove({ ...named, ...ann })).toMatchObject({ ok: true });
  });

  it('share no value that a group has once, however many are added at a time', async () => {
    const { firmwareModels } = stores;
    const added = await Promise.all([1, 2, 3].map(() => firmwareModels.insert({ memberGroup }, editOf(MODEL))));
    const refused = added.flatMap((each) => (each.ok ? [] : [each.reason]));
    expect(refused).toEqual(['taken', 'taken']);
    const id = added.flatMap((each) => (each.ok ? [each.value.id] : []))[0] ?? 0;
    const other = await firmwareModels.insert({ memberGroup }, editOf({ ...MODEL, pattern: 'MDVR-2' }));
    const otherId = other.ok ? other.value.id : 0;
    // Its own value is no other record's; a late change is told of the conflict, not of the value.
    const named = { memberGroup, version: 1 };
    expect(await firmwareModels.update({ ...named, id }, editOf(MODEL))).toMatchObject({ ok: true });
    expect(await firmwareModels.update({ ...named, id: otherId }, editOf(MODEL))).toEqual({
      ok: false,
      reason: 'taken',
    });
    expect(await firmwareModels.update({ ...named, id }, editOf({ ...MODEL, pattern: 'MDVR-2' }))).toEqual({
      ...{ ok: false, reason: 'conflict' },
    });
    const elsewhere = await stores.memberGroups.insert({ name: 'South' });
    expect(await firmwareModels.insert({ memberGroup: elsewhere }, editOf(MODEL))).toMatchObject({ ok: true });
  });

  it('write no audit entry for a change that is refused', async () => {
    const added = await stores.simPlans.insert({ memberGroup }, editOf(PLAN));
    const named = { id: added.ok ? added.value.id : 0, memberGroup, version: 7 };
    const note = () => noteOf('simplan.change', 'x');
    expect(await stores.simPlans.update(named, editOf(PLAN), note)).toEqual({ ok: false, reason: 'conflict' });
    expect(await stores.simPlans.remove(named, note)).toEqual({ ok: false, reason: 'conflict' });
    expect(await stores.simPlans.remove({ ...named, id: 99 }, note)).toEqual({ ok: false, reason: 'gone' });
    expect(await audited()).toEqual([]);
  });
});

const LIST = (memberGroup: number) =>
  ({
    memberGroup,
    search: '',
    sort: 'name',
    descending: false,
    limit: 10,
    position: { at: 'offset', offset: 0 },
  }) as const;
