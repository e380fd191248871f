import { expect, it } from 'vitest';
import { planRestore, type RestorePlan } from '../../../../server/backup/restore/planRestore.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { aRun } from '../../../support/backup/archives.ts';
import { anInstallation, KEY, ROWS, type TestInstallation } from '../../../support/backup/installation.ts';
import { describeOnBothEngines } from '../../store/testDatabase.ts';

const MADE_MS = 1_764_000_000_000;

async function planOf({ database, onFault }: TestInstallation, path: string): Promise<RestorePlan> {
  const plan = await planRestore({ path, key: KEY, database }, aRun({ onFault }));
  if (!plan.ok) expect.fail(JSON.stringify(plan));
  return plan;
}

const tableOf = ({ tables }: RestorePlan, name: string) => tables.find((table) => table.name === name);

describeOnBothEngines('what a restore would do', (engine) => {
  it('is nothing for an installation as it was', async () => {
    const installation = await anInstallation(engine);
    const plan = await planOf(installation, await installation.backUp());
    expect(plan).toMatchObject({ schema: 'same', isOtherEngine: false, missingHistory: [], files: 2 });
    expect(plan.vanishing).toEqual({ devices: { names: [], count: 0 }, members: { names: [], count: 0 } });
    const compared = { added: 0, kept: ROWS, removed: 0 };
    expect(tableOf(plan, 'device')).toEqual({ name: 'device', part: 'core', now: ROWS, inArchive: ROWS, compared });
    expect(tableOf(plan, 'position')).toMatchObject({ part: 'positions', compared: undefined });
    expect(plan.tables.filter(({ now, inArchive }) => now !== inArchive)).toEqual([]);
    // All that is no history is compared by its keys.
    const counted = plan.tables.filter(({ part, compared }) => part === 'core' && compared === undefined);
    expect(counted.map(({ name }) => name)).toEqual(['schema_version']);
    for (const { name, now, compared } of plan.tables) {
      if (compared !== undefined)
        expect({ name, compared }).toEqual({ name, compared: { added: 0, kept: now, removed: 0 } });
    }
  });

  it('says which rows come, stay and go, by keys of several columns too, and which devices and members vanish', async () => {
    const installation = await anInstallation(engine);
    await installation.change((db) => db.deleteFrom('member_group_device_group').execute());
    const path = await installation.backUp({ history: ['audit'] });
    await installation.change(async (db) => {
      const [group, devices] = await Promise.all([
        db.selectFrom('member_group').select('serialno').orderBy('serialno').executeTakeFirstOrThrow(),
        db.selectFrom('device_group').select('serialno').orderBy('serialno').limit(2).execute(),
      ]);
      const pairs = devices.map(({ serialno }) => ({ member_group: group.serialno, device_group: serialno }));
      await db.insertInto('member_group_device_group').values(pairs).execute();
      await db.deleteFrom('event_rule').where('id', '=', 1).execute();
      await db.insertInto('device_group').values({ name: 'New' }).execute();
      const texts = { username: 'newcomer', username_key: 'new', password_hash: 'h', permissions: '[]', language: '' };
      const numbers = { disabled: 0, wall_monitor_allowed: 0, created_at_ms: 1, password_changed_at_ms: 1 };
      await db
        .insertInto('app_user')
        .values({ ...texts, ...numbers, member_group: null })
        .execute();
    });
    const plan = await planOf(installation, path);
    expect(tableOf(plan, 'member_group_device_group')).toMatchObject({
      ...{ now: 2, inArchive: 0, compared: { added: 0, kept: 0, removed: 2 } },
    });
    expect(tableOf(plan, 'event_rule')?.compared).toEqual({ added: 1, kept: ROWS - 1, removed: 0 });
    expect(tableOf(plan, 'device_group')?.compared).toEqual({ added: 0, kept: ROWS, removed: 1 });
    expect(plan.vanishing.members).toEqual({ names: ['newcomer'], count: 1 });
    // History that stays out.
    expect(plan.missingHistory).toEqual(['positions', 'events', 'netflow']);
    expect(tableOf(plan, 'position')).toMatchObject({ now: ROWS, inArchive: 0 });
    const wrong = { path, key: { kind: 'none' } as const, database: installation.database };
    expect(await planRestore(wrong, aRun())).toMatchObject({ ok: false, fault: 'key-needed' });
  });

  it('says what has happened since', async () => {
    const installation = await anInstallation(engine);
    let device = '';
    await installation.change(async (db) => {
      await db.updateTable('app_user').set({ disabled: 0 }).execute();
      await db.updateTable('app_user').set({ username: 'mei' }).where('id', '=', 3).execute();
      const { device_id } = await db.selectFrom('device').select('device_id').executeTakeFirstOrThrow();
      await db.updateTable('device').set({ name: '' }).where('device_id', '=', device_id).execute();
      device = device_id;
      const links = { owner_id: 3, device_id, note: '' };
      await db
        .updateTable('link_credential')
        .set({ revoked_at_ms: 0, session_id_hash: null, ...links })
        .execute();
      await db.updateTable('link_credential').set({ note: 'for the police' }).where('id', '=', 2).execute();
      await db.updateTable('audit').set({ at_ms: MADE_MS }).execute();
      await db.updateTable('event').set({ begin_at_ms: MADE_MS }).execute();
      await db.updateTable('position').set({ received_at_ms: MADE_MS }).execute();
      await db.updateTable('position_block').set({ received_to_ms: MADE_MS, count: 50 }).execute();
    });
    const path = await installation.backUp({ createdAtMs: MADE_MS });
    await installation.change(async (db) => {
      await db.updateTable('app_user').set({ disabled: 1, username: 'gone' }).where('id', '=', 1).execute();
      await db.updateTable('app_user').set({ password_hash: 'x', username: 'new' }).where('id', '=', 2).execute();
      await db.updateTable('link_credential').set({ revoked_at_ms: 9 }).where('id', '<=', 2).execute();
      const entry = { actor: 'ann', action: 'setting.change', target: '', detail: {} } as const;
      await createStores(db).audit.add(entry, wallMs(MADE_MS + 1));
      await db
        .updateTable('event')
        .set({ begin_at_ms: MADE_MS + 1 })
        .where('id', '<=', 3)
        .execute();
      await db
        .updateTable('position')
        .set({ received_at_ms: MADE_MS + 1 })
        .where('id', '<=', 4)
        .execute();
      // Hours that are over are packed.
      await db
        .updateTable('position_block')
        .set({ received_to_ms: MADE_MS + 1 })
        .where('id', '<=', 2)
        .execute();
    });
    expect((await planOf(installation, path)).since).toEqual({
      disabled: { names: ['gone'], count: 1 },
      passwordChanged: { names: ['new'], count: 1 },
      // A device without a name is called by its id.
      revokedLinks: { names: [`${device} (mei)`, `${device}, for the police (mei)`], count: 2 },
      events: 3,
      positions: 104,
      auditRows: 1,
    });
  });
});
