import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { COPY_REMOVALS_SETTING } from '../../../../server/backup/copy/removals.ts';
import type { KeptByRestore } from '../../../../server/backup/restore/carryOver.ts';
import { DEFAULT_CHOICES } from '../../../../server/backup/restore/restoreChoices.ts';
import type { WantedRestore } from '../../../../server/backup/restore/restoreInstallation.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { anInstallation, ROWS, type TestInstallation } from '../../../support/backup/installation.ts';
import { describeOnBothEngines } from '../../store/testDatabase.ts';

async function keptBy(installation: TestInstallation, wanted: Partial<WantedRestore>): Promise<KeptByRestore> {
  const outcome = await installation.restore(wanted);
  if (!outcome.ok) expect.fail(JSON.stringify(outcome));
  await outcome.exchange.finish();
  return outcome.kept;
}

/** All members are enabled and all links are active. */
async function aCleanOne(...given: Parameters<typeof anInstallation>): Promise<TestInstallation> {
  const installation = await anInstallation(...given);
  await installation.change(async (db) => {
    await db
      .updateTable('app_user')
      .set({ disabled: 0, username: sql`'member ' || id`, password_hash: 'old' })
      .execute();
    await db.updateTable('link_credential').set({ revoked_at_ms: 0, session_id_hash: null }).execute();
  });
  return installation;
}

async function endAccess(installation: TestInstallation): Promise<void> {
  await installation.change(async (db) => {
    await db.updateTable('app_user').set({ disabled: 1 }).where('id', '=', 1).execute();
    const changed = { password_hash: 'new', password_changed_at_ms: 99 };
    await db.updateTable('app_user').set(changed).where('id', '=', 2).execute();
    const { device_id } = await db.selectFrom('device').select('device_id').executeTakeFirstOrThrow();
    await db.updateTable('device').set({ name: 'Bus 12' }).where('device_id', '=', device_id).execute();
    const revoked = { revoked_at_ms: 7, owner_id: 4, device_id, note: 'for the police' };
    await db.updateTable('link_credential').set(revoked).where('id', '=', 3).execute();
  });
}

const accessOf = ({ read }: TestInstallation) =>
  read(async (db) => ({
    disabled: await db.selectFrom('app_user').select('id').where('disabled', '=', 1).execute(),
    passwords: await db.selectFrom('app_user').select('id').where('password_hash', '=', 'new').execute(),
    revoked: await db.selectFrom('link_credential').select('id').where('revoked_at_ms', '=', 7).execute(),
    invited: await db.selectFrom('invitation').select('user_id').where('user_id', 'in', [1, 2]).execute(),
  }));

describeOnBothEngines('a restore', (engine) => {
  it('does not give back access that has ended since', async () => {
    const installation = await aCleanOne(engine);
    const path = await installation.backUp();
    await endAccess(installation);
    const kept = await keptBy(installation, { path });
    expect(kept).toMatchObject({ disabled: ['member 1'], passwordChanged: ['member 2'] });
    expect(kept.revokedLinks).toEqual({ names: ['Bus 12, for the police (member 4)'], count: 1 });
    expect(await accessOf(installation)).toEqual({
      disabled: [{ id: 1 }],
      passwords: [{ id: 2 }],
      revoked: [{ id: 3 }],
      invited: [],
    });
  });

  it('gives it back where that was chosen', async () => {
    const installation = await aCleanOne(engine);
    const path = await installation.backUp();
    await endAccess(installation);
    const choices = { ...DEFAULT_CHOICES, disabled: false, passwords: false, links: false };
    expect(await keptBy(installation, { path, choices })).toMatchObject({
      disabled: [],
      passwordChanged: [],
      revokedLinks: { names: [], count: 0 },
    });
    expect(await accessOf(installation)).toMatchObject({ disabled: [], passwords: [], revoked: [] });
  });

  it('takes nothing of the audit back', async () => {
    const installation = await anInstallation(engine);
    const path = await installation.backUp();
    const audit = () => installation.read((db) => db.selectFrom('audit').selectAll().orderBy('id').execute());
    await installation.change(async (db) => {
      // Older ones go by their age.
      await db.deleteFrom('audit').where('id', '<=', 2).execute();
      await createStores(db).audit.add({ actor: 'ann', action: 'setting.change', target: '', detail: {} }, wallMs(5));
    });
    const before = await audit();
    expect((await keptBy(installation, { path })).auditRows).toBe(1);
    const after = await audit();
    expect(after).toHaveLength(ROWS + 1);
    expect(after.slice(2)).toEqual(before);
  });

  it('has the audit of both where the backup is of another installation', async () => {
    const [other, installation] = [await anInstallation(engine, 50), await anInstallation(engine)];
    const path = await other.backUp();
    expect((await keptBy(installation, { path })).auditRows).toBe(ROWS);
    const rows = await installation.read((db) => db.selectFrom('audit').select('id').execute());
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2 * ROWS);
  });

  it('keeps the whole audit where the backup has none', async () => {
    const installation = await anInstallation(engine);
    const before = (await installation.state()).get('audit');
    const path = await installation.backUp({ history: ['positions', 'events', 'netflow'] });
    expect((await keptBy(installation, { path })).auditRows).toBe(ROWS);
    expect((await installation.state()).get('audit')).toBe(before);
  });

  it('keeps history that the backup has not got', async () => {
    const installation = await anInstallation(engine);
    const before = await installation.state();
    const path = await installation.backUp({ history: [] });
    const { history } = await keptBy(installation, { path });
    expect(history).toEqual(['positions', 'events', 'netflow'].map((part) => ({ part, outcome: 'kept' })));
    const after = await installation.state();
    for (const table of ['position', 'position_block', 'trip', 'event', 'event_media', 'netflow_day']) {
      expect([table, after.get(table)]).toEqual([table, before.get(table)]);
    }
  });

  it('leaves such history out where it was chosen, or is of devices that the backup has not got', async () => {
    const installation = await anInstallation(engine);
    const path = await installation.backUp({ history: ['events', 'netflow'] });
    await installation.change((db) =>
      db.insertInto('device_incarnation').values({ device_id: 'NEW', archive_id: 'NEW' }).execute(),
    );
    const { history } = await keptBy(installation, { path });
    expect(history).toEqual([{ part: 'positions', outcome: 'does-not-fit' }]);
    const positions = () => installation.read((db) => db.selectFrom('position').select('id').execute());
    expect(await positions()).toEqual([]);
    const choices = { ...DEFAULT_CHOICES, history: false };
    const again = await keptBy(installation, { path, choices });
    expect(again.history).toEqual([{ part: 'positions', outcome: 'not-wanted' }]);
  });

  it('keeps deletions of copies that wait, and brings none back', async () => {
    const installation = await anInstallation(engine);
    const name = COPY_REMOVALS_SETTING;
    const wait = (file: string) => installation.change((db) => createStores(db).settings.set(name, file));
    const waiting = () => installation.read((db) => createStores(db).settings.get(name));
    await wait('old.fgb');
    const path = await installation.backUp();
    await wait('new.fgb');
    await keptBy(installation, { path });
    expect(await waiting()).toBe('new.fgb');
    await installation.change((db) => db.deleteFrom('setting').where('name', '=', name).execute());
    await keptBy(installation, { path });
    expect(await waiting()).toBeUndefined();
  });

  it('keeps secrets that only an encrypted backup has', async () => {
    const installation = await anInstallation(engine);
    await installation.change((db) => db.insertInto('setting').values({ name: 'link_key', value: 'ours' }).execute());
    const path = await installation.backUp({ key: { kind: 'none' }, files: [] });
    expect((await keptBy(installation, { path, key: { kind: 'none' } })).settings).toEqual(['link_key']);
    expect(await installation.read((db) => createStores(db).settings.get('link_key'))).toBe('ours');
  });
});
