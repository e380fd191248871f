// The only module that knows the `role` table: named sets of permissions.
import type { Selectable } from 'kysely';
import type { BuiltInRole, Role, RoleContent } from '../../../shared/protocol/api/accounts.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import type { StoreDb } from '../engine/database.ts';
import type { Outcome } from '../outcome.ts';
import { keepingAdministrator } from './administrators.ts';
import { endInvitationsOfRole } from './invitations.ts';
import type { RoleTable } from './tables.ts';

/** A role as it is kept, whoever asks. */
export type StoredRole = Omit<Role, 'members' | 'mayGive' | 'mayEdit'>;

/** Why a change was not made. */
export type Unchanged = 'gone' | 'conflict' | 'last-administrator';

export type RoleRefusal = Unchanged | 'taken' | 'in-use';

export interface RoleStore {
  /** By name, those of the product first. */
  list(): Promise<StoredRole[]>;
  find(id: number): Promise<StoredRole | undefined>;
  findBuiltIn(builtIn: BuiltInRole): Promise<StoredRole>;
  /** How many members hold each role. */
  countMembers(): Promise<ReadonlyMap<number, number>>;
  insert(role: RoleContent): Promise<Outcome<number, 'taken'>>;
  /** What it is called stays what it was for a role of the product. Ends the invitations of all who hold it. */
  update(id: number, version: number, content: RoleContent): Promise<Outcome<StoredRole, RoleRefusal>>;
  remove(id: number, version: number): Promise<Outcome<StoredRole, RoleRefusal>>;
}

export function createRoleStore(db: StoreDb): RoleStore {
  return {
    list: async () => {
      const rows = await db.selectFrom('role').selectAll().orderBy('id').execute();
      const roles = rows.map(toRole);
      const own = roles.filter(({ builtIn }) => builtIn === '');
      return [...roles.filter(({ builtIn }) => builtIn !== ''), ...own.sort((a, b) => a.name.localeCompare(b.name))];
    },
    find: (id) => findRole(db, id),
    findBuiltIn: async (builtIn) => {
      const query = db.selectFrom('role').selectAll().where('built_in', '=', builtIn);
      return toRole(await query.executeTakeFirstOrThrow());
    },
    countMembers: async () => {
      const { fn } = db;
      const holders = db.selectFrom('app_user').select(['role', fn.countAll<number>().as('members')]);
      const rows = await holders.where('role', 'is not', null).groupBy('role').execute();
      return new Map(rows.map(({ role, members }) => [role ?? 0, members]));
    },
    insert: (role) => insertRole(db, role),
    update: (id, version, content) => updateRole(db, { id, version }, content),
    remove: (id, version) => removeRole(db, { id, version }),
  };
}

function roleNameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

async function findRole(db: StoreDb, id: number): Promise<StoredRole | undefined> {
  const row = await db.selectFrom('role').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : toRole(row);
}

async function isTaken(db: StoreDb, name: string, exceptId: number): Promise<boolean> {
  const others = db.selectFrom('role').select('id').where('name_key', '=', roleNameKey(name));
  return (await others.where('id', '!=', exceptId).executeTakeFirst()) !== undefined;
}

async function insertRole(db: StoreDb, role: RoleContent): Promise<Outcome<number, 'taken'>> {
  const insert = db
    .insertInto('role')
    .values({ ...toColumns(role), name: role.name, name_key: roleNameKey(role.name) });
  const row = await insert
    .onConflict((conflict) => conflict.column('name_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row === undefined ? { ok: false, reason: 'taken' } : { ok: true, value: row.id };
}

interface Named {
  readonly id: number;
  readonly version: number;
}

function updateRole(
  db: StoreDb,
  { id, version }: Named,
  content: RoleContent,
): Promise<Outcome<StoredRole, RoleRefusal>> {
  return keepingAdministrator(db, async (transaction) => {
    const known = await findRole(transaction, id);
    if (known === undefined) return { ok: false, reason: 'gone' };
    if (known.version !== version) return { ok: false, reason: 'conflict' };
    const name = known.builtIn === '' ? content.name : known.name;
    if (await isTaken(transaction, name, id)) return { ok: false, reason: 'taken' };
    const columns = { ...toColumns(content), name, name_key: roleNameKey(name), version: version + 1 };
    await transaction.updateTable('role').set(columns).where('id', '=', id).execute();
    await endInvitationsOfRole(transaction, id);
    return { ok: true, value: known };
  });
}

function removeRole(db: StoreDb, { id, version }: Named): Promise<Outcome<StoredRole, RoleRefusal>> {
  return keepingAdministrator(db, async (transaction) => {
    const known = await findRole(transaction, id);
    if (known === undefined) return { ok: false, reason: 'gone' };
    if (known.version !== version) return { ok: false, reason: 'conflict' };
    const holder = transaction.selectFrom('app_user').select('id').where('role', '=', id).limit(1);
    if ((await holder.executeTakeFirst()) !== undefined) return { ok: false, reason: 'in-use' };
    await transaction.deleteFrom('role').where('id', '=', id).execute();
    return { ok: true, value: known };
  });
}

function toColumns({ permissions, secondFactorRequired }: RoleContent) {
  return { permissions: JSON.stringify(permissions), second_factor_required: secondFactorRequired ? 1 : 0 };
}

/** What a holder of the role may do: an administrator everything, that of later versions of the product too. */
export function permissionsOfRole(row: Pick<Selectable<RoleTable>, 'built_in' | 'permissions'>): readonly string[] {
  return row.built_in === 'administrator' ? ALL_PERMISSIONS : (JSON.parse(row.permissions) as string[]);
}

function toRole(row: Selectable<RoleTable>): StoredRole {
  return {
    id: row.id,
    name: row.name,
    builtIn: row.built_in as StoredRole['builtIn'],
    permissions: permissionsOfRole(row),
    secondFactorRequired: row.second_factor_required !== 0,
    version: row.version,
  };
}
