// Access data (accounts and share links) of databases that nobody uses: read from two of them, and changed in the restored one.
import type { StoreDb } from '../../engine/database.ts';

/** An account, as the present database or the restored one has it. */
export interface AccountState {
  readonly id: number;
  /** Together with the id, it distinguishes an account from one with the same number in another installation. */
  readonly createdAtMs: number;
  readonly username: string;
  readonly isDisabled: boolean;
  readonly passwordHash: string;
  readonly passwordChangedAtMs: number;
}

export interface LinkState {
  readonly id: number;
  /** Hash of the link's secret. */
  readonly secretHash: string;
  /** 0: active. */
  readonly revokedAtMs: number;
  /** A readable description: the device, note and creator. '' where that isn't read. */
  readonly label: string;
}

export interface AccessState {
  readonly accounts: readonly AccountState[];
  readonly links: readonly LinkState[];
}

/** The accounts to disable, those with a changed password to keep, and the links to revoke, in the restored database. */
export interface AccessChanges {
  readonly disabled: readonly AccountState[];
  readonly passwordChanged: readonly AccountState[];
  readonly revoked: readonly LinkState[];
}

export async function readAccess(db: StoreDb): Promise<AccessState> {
  const accounts = await db
    .selectFrom('app_user')
    .select(['id', 'created_at_ms', 'username', 'disabled', 'password_hash', 'password_changed_at_ms'])
    .orderBy('id')
    .execute();
  const links = await db
    .selectFrom('link_credential')
    .leftJoin('app_user', 'app_user.id', 'link_credential.owner_id')
    .leftJoin('device', 'device.device_id', 'link_credential.device_id')
    .select(['link_credential.id', 'secret_hash', 'revoked_at_ms', 'link_credential.note', 'app_user.username'])
    .select(['link_credential.device_id', 'device.name as device_name'])
    .where('session_id_hash', 'is', null)
    .orderBy('link_credential.id')
    .execute();
  return {
    accounts: accounts.map((row) => ({
      id: row.id,
      createdAtMs: row.created_at_ms,
      username: row.username,
      isDisabled: row.disabled !== 0,
      passwordHash: row.password_hash,
      passwordChangedAtMs: row.password_changed_at_ms,
    })),
    links: links.map((row) => ({
      id: row.id,
      secretHash: row.secret_hash,
      revokedAtMs: row.revoked_at_ms,
      label: linkLabel(row.device_name || row.device_id, row.note, row.username ?? ''),
    })),
  };
}

/** `Bus 12, for the police (mei)`. */
function linkLabel(device: string, note: string, creator: string): string {
  const named = note === '' ? device : `${device}, ${note}`;
  return creator === '' ? named : `${named} (${creator})`;
}

/** Applies the changes. Invitations and known browsers of such an account, which open it beside the password, are removed. */
export async function applyAccess(db: StoreDb, { disabled, passwordChanged, revoked }: AccessChanges): Promise<void> {
  await db.transaction().execute(async (work) => {
    for (const { id } of disabled) {
      await work.updateTable('app_user').set({ disabled: 1 }).where('id', '=', id).execute();
    }
    for (const { id, passwordHash, passwordChangedAtMs } of passwordChanged) {
      const change = { password_hash: passwordHash, password_changed_at_ms: passwordChangedAtMs };
      await work.updateTable('app_user').set(change).where('id', '=', id).execute();
    }
    for (const { id } of [...disabled, ...passwordChanged]) {
      await work.deleteFrom('invitation').where('user_id', '=', id).execute();
      await work.deleteFrom('known_browser').where('user_id', '=', id).execute();
    }
    for (const { id, revokedAtMs } of revoked) {
      const change = { revoked_at_ms: revokedAtMs };
      await work.updateTable('link_credential').set(change).where('id', '=', id).execute();
    }
  });
}

/** Copies those of these settings that the restored database lacks from the present one. Gives their names. */
export async function carrySettings(from: StoreDb, to: StoreDb, names: readonly string[]): Promise<string[]> {
  const rows = await from.selectFrom('setting').selectAll().where('name', 'in', names).execute();
  const had = await to.selectFrom('setting').select('name').where('name', 'in', names).execute();
  const missing = rows.filter(({ name }) => !had.some((row) => row.name === name));
  if (missing.length > 0) await to.insertInto('setting').values(missing).execute();
  return missing.map(({ name }) => name);
}

/** Replaces these settings by those of the present database; settings that it lacks are removed. */
export async function replaceSettings(from: StoreDb, to: StoreDb, names: readonly string[]): Promise<void> {
  const rows = await from.selectFrom('setting').selectAll().where('name', 'in', names).execute();
  await to.transaction().execute(async (work) => {
    await work.deleteFrom('setting').where('name', 'in', names).execute();
    if (rows.length > 0) await work.insertInto('setting').values(rows).execute();
  });
}
