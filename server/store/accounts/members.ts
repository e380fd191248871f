// Users as managers of accounts see them: lists, and changes that two managers can't make over one another.
import { type InferResult, sql, type Transaction } from 'kysely';
import type { Member, MemberContent } from '../../../shared/protocol/api/accounts.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import { type FoundPage, totalFor, wideRowsOfPage } from '../engine/listPage.ts';
import type { Outcome } from '../outcome.ts';
import type { Schema } from '../schema.ts';
import { keepingAdministrator } from './administrators.ts';
import { endInvitations } from './invitations.ts';
import { type MemberQuery, memberOrder, memberRows } from './memberQuery.ts';
import type { Unchanged } from './roles.ts';
import { effectivePermissions, type NewUser, searchKey, toColumns } from './users.ts';

/** A member as stored, independent of who asks. */
export interface StoredMember
  extends Omit<Member, 'role' | 'state' | 'secondFactor' | 'isSelf' | 'mayEdit' | 'mayPlace'> {
  readonly role: number | undefined;
  /** '' for members with a list of permissions of their own. */
  readonly roleName: string;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
}

export interface StoredContent extends Omit<MemberContent, 'role' | 'expiresAtMs'> {
  /** Undefined: a member without a role keeps the list of permissions. */
  readonly role: number | undefined;
  readonly expiresAtMs: WallMs;
}

/** The member groups that a caller can see and assign; undefined for all. */
type GroupScope = readonly number[] | undefined;

export interface MemberStore {
  /** Undefined when the position doesn't belong to such a list. */
  page(query: MemberQuery): Promise<FoundPage<StoredMember> | undefined>;
  find(id: number): Promise<StoredMember | undefined>;
  /** For a page of records that belong to members. */
  findAll(ids: readonly number[]): Promise<ReadonlyMap<number, StoredMember>>;
  insert(user: NewUser, groups: readonly number[], at: WallMs): Promise<Outcome<number, 'taken'>>;
  /** Replaces the groups within the scope; those outside stay. */
  update(id: number, version: number, change: MemberChange): Promise<Outcome<StoredMember, Unchanged>>;
  /** Gives the member as it was. The member's sessions, links and other records are deleted too. */
  remove(id: number, version: number): Promise<Outcome<StoredMember, Unchanged>>;
}

interface MemberChange {
  readonly content: StoredContent;
  readonly scope: GroupScope;
}

/** `reading`: for lists. */
export function createMemberStore(db: StoreDb, reading: StoreDb): MemberStore {
  return {
    page: (query) => pageOfMembers(reading, query),
    find: (id) => findMember(db, id),
    findAll: (ids) => findMembers(reading, ids),
    insert: (user, groups, at) => insertMember(db, { user, groups }, at),
    update: (id, version, change) =>
      keepingAdministrator(db, async (transaction) => {
        const known = await findAt(transaction, id, version);
        if (!known.ok) return known;
        await updateMember(transaction, known.value, change);
        return known;
      }),
    remove: (id, version) =>
      keepingAdministrator(db, async (transaction) => {
        const known = await findAt(transaction, id, version);
        if (known.ok) await transaction.deleteFrom('app_user').where('id', '=', id).execute();
        return known;
      }),
  };
}

async function findAt(db: StoreDb, id: number, version: number): Promise<Outcome<StoredMember, 'gone' | 'conflict'>> {
  const member = await findMember(db, id);
  if (member === undefined) return { ok: false, reason: 'gone' };
  return member.version === version ? { ok: true, value: member } : { ok: false, reason: 'conflict' };
}

async function findMember(db: StoreDb, id: number): Promise<StoredMember | undefined> {
  return (await findMembers(db, [id])).get(id);
}

async function findMembers(db: StoreDb, ids: readonly number[]): Promise<ReadonlyMap<number, StoredMember>> {
  return new Map((await read(db, ids)).map((member) => [member.id, member]));
}

async function pageOfMembers(db: StoreDb, query: MemberQuery): Promise<FoundPage<StoredMember> | undefined> {
  const ids = memberRows(db, query).select('app_user.id');
  const [total, page] = await Promise.all([
    totalFor(db, ids, query),
    wideRowsOfPage({ rows: ids, keys: memberOrder(query.sort) }, query, (found) =>
      withRoles(usersOf(db).innerJoin(found, 'page.id', 'app_user.id')),
    ),
  ]);
  return page && { ...total, ...page, rows: await withGroups(db, page.rows) };
}

async function read(db: StoreDb, ids: readonly number[]): Promise<StoredMember[]> {
  if (ids.length === 0) return [];
  return withGroups(db, await withRoles(usersOf(db)).where('app_user.id', 'in', ids).execute());
}

/** The columns of a member. They tell whether there is a password or second factor, but contain neither. */
const MEMBER_COLUMNS = [
  'app_user.id',
  'app_user.username',
  'app_user.display_name',
  'app_user.role',
  'app_user.permissions',
  'app_user.language',
  'app_user.time_zone',
  'app_user.email',
  'app_user.phone',
  'app_user.expires_at_ms',
  'app_user.disabled',
  'app_user.wall_monitor_allowed',
  'app_user.last_sign_in_at_ms',
  'app_user.created_at_ms',
  'app_user.version',
  sql<number>`case when app_user.password_hash = '' then 0 else 1 end`.as('has_password'),
  sql<number>`case when coalesce(second_factor.secret, '') = '' then 0 else 1 end`.as('has_second_factor'),
] as const;

const usersOf = (db: StoreDb) => db.selectFrom('app_user');

/** Adds roles and the columns of members to a query of users that selects nothing yet; it may have joined other tables. */
function withRoles(users: ReturnType<typeof usersOf>) {
  return users
    .leftJoin('role', 'role.id', 'app_user.role')
    .leftJoin('second_factor', 'second_factor.user_id', 'app_user.id')
    .leftJoin('invitation', 'invitation.user_id', 'app_user.id')
    .select(MEMBER_COLUMNS)
    .select(['role.name as role_name', 'role.built_in', 'role.permissions as role_permissions'])
    .select('invitation.expires_at_ms as invitation_ends_at_ms');
}

type MemberRow = InferResult<ReturnType<typeof withRoles>>[number];

async function withGroups(db: StoreDb, rows: readonly MemberRow[]): Promise<StoredMember[]> {
  if (rows.length === 0) return [];
  const groups = await groupsOf(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    username: row.username,
    displayName: row.display_name,
    role: row.role ?? undefined,
    roleName: row.role_name ?? '',
    permissions: effectivePermissions(row),
    groups: groups.get(row.id) ?? [],
    language: row.language,
    timeZone: row.time_zone,
    email: row.email,
    phone: row.phone,
    expiresAtMs: wallMs(row.expires_at_ms),
    disabled: row.disabled !== 0,
    wallMonitorAllowed: row.wall_monitor_allowed !== 0,
    hasPassword: row.has_password !== 0,
    hasSecondFactor: row.has_second_factor !== 0,
    invitationEndsAtMs: wallMs(row.invitation_ends_at_ms ?? 0),
    lastSignInAtMs: wallMs(row.last_sign_in_at_ms),
    createdAtMs: wallMs(row.created_at_ms),
    version: row.version,
  }));
}

async function groupsOf(db: StoreDb, userIds: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
  const belongs = db.selectFrom('app_user_member_group').selectAll().where('user_id', 'in', userIds);
  const groups = new Map<number, number[]>();
  for (const row of await belongs.orderBy('member_group').execute()) {
    groups.set(row.user_id, [...(groups.get(row.user_id) ?? []), row.member_group]);
  }
  return groups;
}

interface NewMember {
  readonly user: NewUser;
  readonly groups: readonly number[];
}

function insertMember(db: StoreDb, { user, groups }: NewMember, at: WallMs): Promise<Outcome<number, 'taken'>> {
  return db.transaction().execute(async (transaction) => {
    const insert = transaction.insertInto('app_user').values(toColumns(user, at));
    const row = await insert
      .onConflict((conflict) => conflict.column('username_key').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row === undefined) return { ok: false, reason: 'taken' };
    await addGroups(transaction, row.id, groups);
    return { ok: true, value: row.id };
  });
}

async function updateMember(
  transaction: Transaction<Schema>,
  known: StoredMember,
  { content, scope }: MemberChange,
): Promise<void> {
  const { displayName, language, timeZone, expiresAtMs, disabled, wallMonitorAllowed } = content;
  const { email = known.email, phone = known.phone } = content;
  const columns = {
    display_name: displayName,
    search_key: searchKey(known.username, displayName),
    language,
    time_zone: timeZone,
    email,
    phone,
    expires_at_ms: expiresAtMs,
    disabled: disabled ? 1 : 0,
    wall_monitor_allowed: wallMonitorAllowed ? 1 : 0,
    ...(content.role === undefined ? {} : { role: content.role }),
    version: known.version + 1,
  };
  await transaction.updateTable('app_user').set(columns).where('id', '=', known.id).execute();
  if (changesRights(known, { content, scope })) await endInvitations(transaction, [known.id]);
  const old = transaction.deleteFrom('app_user_member_group').where('user_id', '=', known.id);
  if (scope === undefined) await old.execute();
  else if (scope.length > 0) await old.where('member_group', 'in', scope).execute();
  await addGroups(transaction, known.id, content.groups);
}

/** Whether the member sees or may do something else afterwards. */
function changesRights(known: StoredMember, { content, scope }: MemberChange): boolean {
  const { role, groups, disabled } = content;
  const inScope = known.groups.filter((group) => scope?.includes(group) ?? true);
  const keepsGroups = new Set(groups).size === inScope.length && groups.every((group) => inScope.includes(group));
  const keepsRole = role === undefined || role === known.role;
  return !keepsRole || !keepsGroups || disabled !== known.disabled;
}

async function addGroups(db: StoreDb, userId: number, groups: readonly number[]): Promise<void> {
  const rows = [...new Set(groups)].map((memberGroup) => ({ user_id: userId, member_group: memberGroup }));
  if (rows.length === 0) return;
  await db
    .insertInto('app_user_member_group')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
