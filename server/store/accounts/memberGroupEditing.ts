// Member groups as those see them who run the accounts: lists, people, and changes that two cannot make over one another.
import { sql } from 'kysely';
import type { EditedGroup, GroupContent, GroupSort } from '../../../shared/protocol/api/accounts.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import { searchIn } from '../engine/likeSearch.ts';
import {
  type FoundPage,
  listPage,
  numberColumn,
  numberKey,
  type PageRequest,
  type SortKey,
  textKey,
} from '../engine/listPage.ts';
import type { Outcome } from '../outcome.ts';
import { takeTurn } from './administrators.ts';
import { endInvitations, endInvitationsOfGroup } from './invitations.ts';

/** A member group's content as it is kept. */
export interface StoredGroupContent extends Omit<GroupContent, 'expiresAtMs'> {
  readonly expiresAtMs: WallMs;
}

export type GroupRefusal = 'gone' | 'conflict' | 'taken' | 'no-device-group' | 'beyond-own';

/** A device group that a change gives to a member group or takes from it. */
interface ShiftedDeviceGroup {
  /** The member groups that own it before the change. */
  readonly owners: readonly number[];
}

interface OwnershipShift {
  readonly memberGroup: number;
  readonly added: readonly ShiftedDeviceGroup[];
  readonly removed: readonly ShiftedDeviceGroup[];
}

/** Whether the person who asks may change who owns device groups in this way. */
export type ShiftRule = (shift: OwnershipShift) => boolean;

interface GroupQuery extends PageRequest<GroupSort> {
  /** '' for all. */
  readonly search: string;
  /** Only these; undefined: all. */
  readonly within?: readonly number[] | undefined;
}

export interface MemberGroupEditingStore {
  /** Undefined when the position is none of such a list. */
  page(query: GroupQuery): Promise<FoundPage<EditedGroup> | undefined>;
  find(serialno: number): Promise<EditedGroup | undefined>;
  insert(content: StoredGroupContent): Promise<Outcome<number, GroupRefusal>>;
  /** Gives the group as it was. */
  update(
    which: NamedGroup,
    content: StoredGroupContent,
    mayShift: ShiftRule,
  ): Promise<Outcome<EditedGroup, GroupRefusal>>;
  remove(which: NamedGroup, mayShift: ShiftRule): Promise<Outcome<EditedGroup, GroupRefusal>>;
  /** These two end the invitations of whom they concern. */
  addPeople(serialno: number, userIds: readonly number[]): Promise<void>;
  removePeople(serialno: number, userIds: readonly number[]): Promise<void>;
}

const PEOPLE = sql<number>`(select count(*) from app_user_member_group as belongs
  where belongs.member_group = member_group.serialno)`;

const ORDER = {
  name: textKey(sql`lower(member_group.name)`),
  people: numberKey(PEOPLE),
  retentionDays: numberColumn('member_group.retention_days'),
  expiresAtMs: numberColumn('member_group.expires_at_ms'),
} as const satisfies Record<GroupSort, SortKey>;

/** `reading`: for lists. */
export function createMemberGroupEditingStore(db: StoreDb, reading: StoreDb): MemberGroupEditingStore {
  return {
    page: (query) => pageOfGroups(reading, query),
    find: (serialno) => findGroup(db, serialno),
    insert: (content) => insertGroup(db, content),
    update: (which, content, mayShift) => updateGroup(db, { which, content, mayShift }),
    remove: (which, mayShift) => removeGroup(db, which, mayShift),
    addPeople: (serialno, userIds) =>
      db.transaction().execute(async (transaction) => {
        const rows = userIds.map((userId) => ({ user_id: userId, member_group: serialno }));
        if (rows.length === 0) return;
        const insert = transaction.insertInto('app_user_member_group').values(rows);
        await insert.onConflict((conflict) => conflict.doNothing()).execute();
        await endInvitations(transaction, userIds);
      }),
    removePeople: (serialno, userIds) =>
      db.transaction().execute(async (transaction) => {
        if (userIds.length === 0) return;
        const people = transaction.deleteFrom('app_user_member_group').where('member_group', '=', serialno);
        await people.where('user_id', 'in', userIds).execute();
        await endInvitations(transaction, userIds);
      }),
  };
}

function groupRows(db: StoreDb) {
  return db.selectFrom('member_group').selectAll().select(PEOPLE.as('people'));
}

async function pageOfGroups(db: StoreDb, query: GroupQuery): Promise<FoundPage<EditedGroup> | undefined> {
  const { search, within } = query;
  const found = searchIn(['member_group.name'], search);
  let rows = groupRows(db);
  if (found !== undefined) rows = rows.where(found);
  if (within !== undefined) rows = rows.where('serialno', 'in', within.length > 0 ? within : [NO_SERIAL]);
  const keys = [ORDER[query.sort], numberColumn('member_group.serialno')];
  const page = await listPage(db, { rows, keys }, query);
  return page === undefined ? undefined : { ...page, rows: await withDeviceGroups(db, page.rows) };
}

/** No group has this number. */
const NO_SERIAL = 0;

async function findGroup(db: StoreDb, serialno: number): Promise<EditedGroup | undefined> {
  const rows = groupRows(db).where('serialno', '=', serialno);
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
async function faultOf(db: StoreDb, content: StoredGroupContent, except: number): Promise<GroupRefusal | undefined> {
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

function insertGroup(db: StoreDb, content: StoredGroupContent): Promise<Outcome<number, GroupRefusal>> {
  return db.transaction().execute(async (transaction) => {
    const fault = await faultOf(transaction, content, 0);
    if (fault !== undefined) return { ok: false, reason: fault };
    const insert = transaction.insertInto('member_group').values(toColumns(content)).returning('serialno');
    const { serialno } = await insert.executeTakeFirstOrThrow();
    await setDeviceGroups(transaction, serialno, content.deviceGroups);
    return { ok: true, value: serialno };
  });
}

interface NamedGroup {
  readonly serialno: number;
  readonly version: number;
}

async function findAt(db: StoreDb, { serialno, version }: NamedGroup): Promise<Outcome<EditedGroup, GroupRefusal>> {
  const known = await findGroup(db, serialno);
  if (known === undefined) return { ok: false, reason: 'gone' };
  return known.version === version ? { ok: true, value: known } : { ok: false, reason: 'conflict' };
}

interface GroupUpdate {
  readonly which: NamedGroup;
  readonly content: StoredGroupContent;
  readonly mayShift: ShiftRule;
}

function updateGroup(
  db: StoreDb,
  { which, content, mayShift }: GroupUpdate,
): Promise<Outcome<EditedGroup, GroupRefusal>> {
  const { serialno, version } = which;
  return db.transaction().execute(async (transaction) => {
    await takeTurn(transaction);
    const known = await findAt(transaction, which);
    if (!known.ok) return known;
    const fault = await faultOf(transaction, content, serialno);
    if (fault !== undefined) return { ok: false, reason: fault };
    const shift = await shiftOf(transaction, known.value, content.deviceGroups);
    if (!mayShift(shift)) return { ok: false, reason: 'beyond-own' };
    const columns = { ...toColumns(content), version: version + 1 };
    const row = transaction.updateTable('member_group').set(columns).where('serialno', '=', serialno);
    // Asked again by the statement itself: on PostgreSQL another transaction may have come between.
    const { numUpdatedRows } = await row.where('version', '=', version).executeTakeFirst();
    if (numUpdatedRows === 0n) return { ok: false, reason: 'conflict' };
    await setDeviceGroups(transaction, serialno, content.deviceGroups);
    return known;
  });
}

function removeGroup(db: StoreDb, which: NamedGroup, mayShift: ShiftRule): Promise<Outcome<EditedGroup, GroupRefusal>> {
  return db.transaction().execute(async (transaction) => {
    await takeTurn(transaction);
    const known = await findAt(transaction, which);
    if (!known.ok) return known;
    if (!mayShift(await shiftOf(transaction, known.value, []))) return { ok: false, reason: 'beyond-own' };
    await endInvitationsOfGroup(transaction, which.serialno);
    await transaction.deleteFrom('member_group').where('serialno', '=', which.serialno).execute();
    return known;
  });
}

async function shiftOf(db: StoreDb, known: EditedGroup, wanted: readonly number[]): Promise<OwnershipShift> {
  const added = wanted.filter((each) => !known.deviceGroups.includes(each));
  const removed = known.deviceGroups.filter((each) => !wanted.includes(each));
  const concerned = [...added, ...removed];
  const owns = db.selectFrom('member_group_device_group').selectAll();
  const rows = concerned.length === 0 ? [] : await owns.where('device_group', 'in', concerned).execute();
  const owners = new Map<number, number[]>();
  for (const { device_group: deviceGroup, member_group: memberGroup } of rows) {
    owners.set(deviceGroup, [...(owners.get(deviceGroup) ?? []), memberGroup]);
  }
  const withOwners = (deviceGroup: number): ShiftedDeviceGroup => ({ owners: owners.get(deviceGroup) ?? [] });
  return { memberGroup: known.serialno, added: added.map(withOwners), removed: removed.map(withOwners) };
}

async function setDeviceGroups(db: StoreDb, serialno: number, deviceGroups: readonly number[]): Promise<void> {
  await db.deleteFrom('member_group_device_group').where('member_group', '=', serialno).execute();
  const rows = deviceGroups.map((deviceGroup) => ({ member_group: serialno, device_group: deviceGroup }));
  if (rows.length > 0) await db.insertInto('member_group_device_group').values(rows).execute();
}

function toColumns({ name, retentionDays, expiresAtMs }: StoredGroupContent) {
  return { name, retention_days: retentionDays, expires_at_ms: expiresAtMs };
}
