// Member groups as those see them who run the accounts: lists, people, and changes that two cannot make over one another.
import { sql } from 'kysely';
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { StoreDb } from './database.ts';
import { likeSearch } from './likeSearch.ts';
import type { Outcome } from './roles.ts';

export interface EditedGroup {
  readonly serialno: number;
  readonly name: string;
  /** 0: no limit of its own. */
  readonly retentionDays: number;
  /** 0: never. */
  readonly expiresAtMs: WallMs;
  readonly deviceGroups: readonly number[];
  readonly people: number;
  readonly version: number;
}

export type GroupContent = Pick<EditedGroup, 'name' | 'retentionDays' | 'expiresAtMs' | 'deviceGroups'>;

export type GroupRefusal = 'gone' | 'conflict' | 'taken' | 'no-device-group';

export const GROUP_SORTS = ['name', 'people', 'retentionDays', 'expiresAtMs'] as const;

export interface GroupQuery {
  readonly offset: number;
  readonly limit: number;
  readonly sort: (typeof GROUP_SORTS)[number];
  readonly descending: boolean;
  readonly search?: string | undefined;
  /** Only these; undefined: all. */
  readonly within?: readonly number[] | undefined;
}

export interface MemberGroupEditingStore {
  list(query: GroupQuery): Promise<{ readonly total: number; readonly rows: readonly EditedGroup[] }>;
  find(serialno: number): Promise<EditedGroup | undefined>;
  insert(content: GroupContent): Promise<Outcome<number, GroupRefusal>>;
  /** Gives the group as it was. */
  update(serialno: number, version: number, content: GroupContent): Promise<Outcome<EditedGroup, GroupRefusal>>;
  remove(serialno: number, version: number): Promise<Outcome<EditedGroup, GroupRefusal>>;
  addPeople(serialno: number, userIds: readonly number[]): Promise<void>;
  removePeople(serialno: number, userIds: readonly number[]): Promise<void>;
}

const PEOPLE = sql<number>`(select count(*) from app_user_member_group as belongs
  where belongs.member_group = member_group.serialno)`;

const ORDER = {
  name: sql`lower(member_group.name)`,
  people: PEOPLE,
  retentionDays: sql`member_group.retention_days`,
  expiresAtMs: sql`member_group.expires_at_ms`,
} as const;

export function createMemberGroupEditingStore(db: StoreDb): MemberGroupEditingStore {
  return {
    list: (query) => listGroups(db, query),
    find: (serialno) => findGroup(db, serialno),
    insert: (content) => insertGroup(db, content),
    update: (serialno, version, content) => updateGroup(db, { serialno, version }, content),
    remove: (serialno, version) => removeGroup(db, { serialno, version }),
    addPeople: async (serialno, userIds) => {
      const rows = userIds.map((userId) => ({ user_id: userId, member_group: serialno }));
      if (rows.length === 0) return;
      const insert = db.insertInto('app_user_member_group').values(rows);
      await insert.onConflict((conflict) => conflict.doNothing()).execute();
    },
    removePeople: async (serialno, userIds) => {
      if (userIds.length === 0) return;
      const people = db.deleteFrom('app_user_member_group').where('member_group', '=', serialno);
      await people.where('user_id', 'in', userIds).execute();
    },
  };
}

function chosen(db: StoreDb, { search, within }: Pick<GroupQuery, 'search' | 'within'>) {
  let rows = db.selectFrom('member_group');
  if (search !== undefined) rows = rows.where(likeSearch(sql`lower(member_group.name)`, search.toLowerCase()));
  if (within !== undefined) rows = rows.where('serialno', 'in', within.length > 0 ? within : [0]);
  return rows;
}

async function listGroups(db: StoreDb, query: GroupQuery) {
  const { fn } = db;
  const counted = await chosen(db, query).select(fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await chosen(db, query)
    .selectAll()
    .select(PEOPLE.as('people'))
    .orderBy(ORDER[query.sort], query.descending ? 'desc' : 'asc')
    .orderBy('serialno')
    .offset(query.offset)
    .limit(query.limit)
    .execute();
  return { total: counted.total, rows: await withDeviceGroups(db, rows) };
}

async function findGroup(db: StoreDb, serialno: number): Promise<EditedGroup | undefined> {
  const rows = chosen(db, {}).selectAll().select(PEOPLE.as('people')).where('serialno', '=', serialno);
  return (await withDeviceGroups(db, await rows.execute()))[0];
}

interface Row {
  readonly serialno: number;
  readonly name: string;
  readonly retention_days: number;
  readonly expires_at_ms: number;
  readonly people: number;
  readonly version: number;
}

async function withDeviceGroups(db: StoreDb, rows: readonly Row[]): Promise<EditedGroup[]> {
  if (rows.length === 0) return [];
  const serials = rows.map(({ serialno }) => serialno);
  const owns = db.selectFrom('member_group_device_group').selectAll().where('member_group', 'in', serials);
  const owned = await owns.orderBy('device_group').execute();
  return rows.map((row) => ({
    serialno: row.serialno,
    name: row.name,
    retentionDays: row.retention_days,
    expiresAtMs: wallMs(row.expires_at_ms),
    deviceGroups: owned.filter((own) => own.member_group === row.serialno).map((own) => own.device_group),
    people: row.people,
    version: row.version,
  }));
}

/** Why the content cannot be kept, if so. Names differ in more than case. */
async function faultOf(db: StoreDb, content: GroupContent, except: number): Promise<GroupRefusal | undefined> {
  const key = content.name.normalize('NFKC').toLowerCase();
  const names = await db.selectFrom('member_group').select(['serialno', 'name']).execute();
  const isTaken = names.some(
    ({ serialno, name }) => serialno !== except && name.normalize('NFKC').toLowerCase() === key,
  );
  if (isTaken) return 'taken';
  if (content.deviceGroups.length === 0) return undefined;
  const { fn } = db;
  const known = db.selectFrom('device_group').select(fn.countAll<number>().as('count'));
  const { count } = await known.where('serialno', 'in', content.deviceGroups).executeTakeFirstOrThrow();
  return count === content.deviceGroups.length ? undefined : 'no-device-group';
}

function insertGroup(db: StoreDb, content: GroupContent): Promise<Outcome<number, GroupRefusal>> {
  return db.transaction().execute(async (transaction) => {
    const fault = await faultOf(transaction, content, 0);
    if (fault !== undefined) return { ok: false, why: fault };
    const insert = transaction.insertInto('member_group').values(toColumns(content)).returning('serialno');
    const { serialno } = await insert.executeTakeFirstOrThrow();
    await setDeviceGroups(transaction, serialno, content.deviceGroups);
    return { ok: true, value: serialno };
  });
}

interface Named {
  readonly serialno: number;
  readonly version: number;
}

async function findAt(db: StoreDb, { serialno, version }: Named): Promise<Outcome<EditedGroup, GroupRefusal>> {
  const known = await findGroup(db, serialno);
  if (known === undefined) return { ok: false, why: 'gone' };
  return known.version === version ? { ok: true, value: known } : { ok: false, why: 'conflict' };
}

function updateGroup(db: StoreDb, named: Named, content: GroupContent): Promise<Outcome<EditedGroup, GroupRefusal>> {
  const { serialno, version } = named;
  return db.transaction().execute(async (transaction) => {
    const known = await findAt(transaction, named);
    if (!known.ok) return known;
    const fault = await faultOf(transaction, content, serialno);
    if (fault !== undefined) return { ok: false, why: fault };
    const columns = { ...toColumns(content), version: version + 1 };
    const row = transaction.updateTable('member_group').set(columns).where('serialno', '=', serialno);
    // Asked again by the statement itself: on PostgreSQL another transaction may have come between.
    const { numUpdatedRows } = await row.where('version', '=', version).executeTakeFirst();
    if (numUpdatedRows === 0n) return { ok: false, why: 'conflict' };
    await setDeviceGroups(transaction, serialno, content.deviceGroups);
    return known;
  });
}

function removeGroup(db: StoreDb, named: Named): Promise<Outcome<EditedGroup, GroupRefusal>> {
  return db.transaction().execute(async (transaction) => {
    const known = await findAt(transaction, named);
    if (known.ok) await transaction.deleteFrom('member_group').where('serialno', '=', named.serialno).execute();
    return known;
  });
}

async function setDeviceGroups(db: StoreDb, serialno: number, deviceGroups: readonly number[]): Promise<void> {
  await db.deleteFrom('member_group_device_group').where('member_group', '=', serialno).execute();
  const rows = deviceGroups.map((deviceGroup) => ({ member_group: serialno, device_group: deviceGroup }));
  if (rows.length > 0) await db.insertInto('member_group_device_group').values(rows).execute();
}

function toColumns({ name, retentionDays, expiresAtMs }: GroupContent) {
  return { name, retention_days: retentionDays, expires_at_ms: expiresAtMs };
}
