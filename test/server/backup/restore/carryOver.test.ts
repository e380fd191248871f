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

async function auditOf({ read }: TestInstallation) {
  return read((db) => db.selectFrom('audit').selectAll().orderBy('id').execute());
}

/** One that the backup has not got. */
async function changeAudit({ change }: TestInstallation): Promise<void> {
  await change(async (db) => {
    // Older ones go by their age.
    await db.deleteFrom('audit').where('id', '<=', 2).execute();
    await createStores(db).audit.add({ actor: 'ann', action: 'setting.change', target: '', detail: {} }, wallMs(5));
  });
}

const WAITING = COPY_REMOVALS_SETTING;
const setting = ({ read }: TestInstallation, name: string) => read((db) => createStores(db).settings.get(name));
const setSetting = ({ change }: TestInstallation, name: string, value: string) =>
  change((db) => createStores(db).settings.set(name, value));

describeOnBothEngines('a restore', (engine) => {
  it('gives back no access that has ended since, no audit, no deletions of copies, and keeps secrets of its own', async () => {
    const installation = await aCleanOne(engine);
    await setSetting(installation, WAITING, 'old.fgb');
    await setSetting(installation, 'link_key', 'ours');
    const key = { kind: 'none' } as const;
    // Only an encrypted one has secrets.
    const path = await installation.backUp({ key, files: [] });
    await endAccess(installation);
    await changeAudit(installation);
    await setSetting(installation, WAITING, 'new.fgb');
    const audit = await auditOf(installation);
    const kept = await keptBy(installation, { path, key });
    expect(kept).toMatchObject({ disabled: ['member 1'], passwordChanged: ['member 2'], auditRows: 1 });
    expect(kept.revokedLinks).toEqual({ names: ['Bus 12, for the police (member 4)'], count: 1 });
    expect(kept.settings).toEqual(['link_key']);
    expect(await accessOf(installation)).toEqual({
      disabled: [{ id: 1 }],
      passwords: [{ id: 2 }],
      revoked: [{ id: 3 }],
      invited: [],
    });
    const after = await auditOf(installation);
    expect(after).toHaveLength(ROWS + 1);
    expect(after.slice(2)).toEqual(audit);
    expect(await setting(installation, WAITING)).toBe('new.fgb');
    expect(await setting(installation, 'link_key')).toBe('ours');
  });

  it('gives access back and leaves history out where that was chosen, and waits for no deletion that is over', async () => {
    const installation = await aCleanOne(engine);
    await setSetting(installation, WAITING, 'old.fgb');
    const path = await installation.backUp({ history: ['events', 'netflow', 'audit'] });
    await endAccess(installation);
    await installation.change((db) => db.deleteFrom('setting').where('name', '=', WAITING).execute());
    const choices = { ...DEFAULT_CHOICES, disabled: false, passwords: false, links: false, history: false };
    const kept = await keptBy(installation, { path, choices });
    expect(kept).toMatchObject({ disabled: [], passwordChanged: [], revokedLinks: { names: [], count: 0 } });
    expect(kept.history).toEqual([{ part: 'positions', outcome: 'not-wanted' }]);
    expect(await accessOf(installation)).toMatchObject({ disabled: [], passwords: [], revoked: [] });
    expect(await setting(installation, WAITING)).toBeUndefined();
  });

  it('of another installation has the audit of both, and no history of devices that are not in it', async () => {
    const [other, installation] = [await anInstallation(engine, 50), await anInstallation(engine)];
    const path = await other.backUp({ history: ['events', 'netflow', 'audit'] });
    await installation.change((db) =>
      db.insertInto('device_incarnation').values({ device_id: 'NEW', archive_id: 'NEW' }).execute(),
    );
    const kept = await keptBy(installation, { path });
    expect(kept).toMatchObject({ auditRows: ROWS, history: [{ part: 'positions', outcome: 'does-not-fit' }] });
    const rows = await installation.read((db) => db.selectFrom('audit').select('id').execute());
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2 * ROWS);
    expect(await installation.read((db) => db.selectFrom('position').select('id').execute())).toEqual([]);
  });

  it('keeps history and the whole audit where the backup has none', async () => {
    const installation = await anInstallation(engine);
    const before = await installation.state();
    const path = await installation.backUp({ history: [] });
    const { history, auditRows } = await keptBy(installation, { path });
    expect(auditRows).toBe(ROWS);
    expect(history).toEqual(['positions', 'events', 'netflow'].map((part) => ({ part, outcome: 'kept' })));
    const after = await installation.state();
    for (const table of ['audit', 'position', 'position_block', 'trip', 'event', 'event_media', 'netflow_day']) {
      expect([table, after.get(table)]).toEqual([table, before.get(table)]);
    }
  });
});
