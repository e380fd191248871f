// The records of a member group that have versions: what each table of them is read, added, changed and removed by. A change and its
// entry in the audit log are one transaction.
import type { Insertable, SelectQueryBuilder } from 'kysely';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { type AuditNote, insertAudit } from '../audit/audit.ts';
import type { StoreDb } from '../engine/database.ts';
import { searchIn } from '../engine/likeSearch.ts';
import { type FoundPage, listPage, mapRows, numberColumn, type PageRequest, type SortKey } from '../engine/listPage.ts';
import type { Outcome } from '../outcome.ts';
import type { Schema } from '../schema.ts';

interface RecordQuery<Sort extends string> extends PageRequest<Sort> {
  readonly search: string;
}

/** Whose records are meant; those of another owner count as missing. */
export interface GroupOwner {
  readonly memberGroup: number;
}

export interface RecordVersion {
  readonly id: number;
  readonly version: number;
}

/** A content that a member saves. */
export interface RecordEdit<Content> {
  readonly content: Content;
  /** Username. */
  readonly by: string;
  readonly atMs: number;
}

interface Versioned {
  readonly version: number;
}

interface RecordChange<Row> {
  readonly before: Row;
  readonly after: Row;
}

/** `note`: the audit entry of what was done. Left out, nobody is on record for it, as for a demo's data. */
export interface GroupRecordStore<Content, Row, Sort extends string, Owner extends GroupOwner = GroupOwner> {
  /** Undefined for a position that isn't from this list. */
  page(query: RecordQuery<Sort> & Owner): Promise<FoundPage<Row> | undefined>;
  find(id: number, owner: Owner): Promise<Row | undefined>;
  insert(
    owner: Owner,
    edit: RecordEdit<Content>,
    note?: (added: Row) => AuditNote,
  ): Promise<Outcome<Row, 'too-many' | 'taken'>>;
  update(
    named: RecordVersion & Owner,
    edit: RecordEdit<Content>,
    note?: (change: RecordChange<Row>) => AuditNote,
  ): Promise<Outcome<RecordChange<Row>, 'gone' | 'conflict' | 'taken'>>;
  remove(named: RecordVersion & Owner, note?: (before: Row) => AuditNote): Promise<Outcome<Row, 'gone' | 'conflict'>>;
}

/** Tables with the columns `id`, `version` and `member_group`. */
type RecordTable = 'sim_plan' | 'firmware_model' | 'sync_rule' | 'report_schedule' | 'notify_rule';

export interface GroupRecords<
  Table extends RecordTable,
  Content,
  Row,
  Found,
  Owner extends GroupOwner,
  Sort extends string,
> {
  readonly table: Table;
  /** All of them, with what is counted beside them. */
  readonly rows: (db: StoreDb) => SelectQueryBuilder<Schema, Table, Found>;
  readonly toRow: (found: Found) => Row;
  readonly toColumns: (edit: RecordEdit<Content>) => ColumnsOf<Table>;
  /** The columns that say whose a record is. */
  readonly owned: (owner: Owner) => OwnerColumns<Table> & { readonly member_group: number };
  readonly sorts: Readonly<Record<Sort, SortKey>>;
  /** Columns that hold texts in lower case. */
  readonly searched: readonly string[];
  readonly limit: Limit;
  /** Columns that are alike in the records which the limit counts together. */
  readonly counted: (owner: Owner) => OwnerColumns<Table>;
  /** A column whose value no two records of a member group share. */
  readonly unique?: keyof ColumnsOf<Table> & string;
}

type OwnerColumn = 'member_group' | 'user_id';
type ColumnsOf<Table extends RecordTable> = Omit<Insertable<Schema[Table]>, 'id' | 'version' | OwnerColumn>;
type OwnerColumns<Table extends RecordTable> = Partial<Record<keyof Schema[Table] & OwnerColumn, number>>;

/** The records of each member group, counted for each group. */
export const OF_MEMBER_GROUP = {
  owned: ({ memberGroup }: GroupOwner) => ({ member_group: memberGroup }),
  counted: ({ memberGroup }: GroupOwner) => ({ member_group: memberGroup }),
} as const;

/** `reading`: for lists. */
export function createGroupRecordStore<
  Table extends RecordTable,
  Content,
  Row extends Versioned,
  Found,
  Owner extends GroupOwner,
  Sort extends string,
>(
  given: GroupRecords<Table, Content, Row, Found, Owner, Sort>,
  { db, reading, onLimit }: { readonly db: StoreDb; readonly reading: StoreDb; readonly onLimit?: OnLimit | undefined },
): GroupRecordStore<Content, Row, Sort, Owner> {
  // One table stands for all: the statements use what they have in common, and columns that come from the table's own declaration.
  const records = given as unknown as GroupRecords<'sim_plan', Content, Row, Found, Owner, Sort>;
  const { table, toRow, toColumns, owned } = records;
  const rowsOf = (work: StoreDb, owner: Owner) => {
    let rows = records.rows(work);
    for (const [column, value] of columnsIn(owned(owner))) rows = rows.where(`${table}.${column}`, '=', value);
    return rows;
  };
  const find = async (work: StoreDb, id: number, owner: Owner): Promise<Row | undefined> => {
    const found = await rowsOf(work, owner).where(`${table}.id`, '=', id).executeTakeFirst();
    return found === undefined ? undefined : toRow(found as Found);
  };
  const get = async (work: StoreDb, id: number): Promise<Row> =>
    toRow((await records.rows(work).where(`${table}.id`, '=', id).executeTakeFirstOrThrow()) as Found);
  return {
    page: async (query) => {
      const all = rowsOf(reading, query);
      const searched = searchIn(records.searched, query.search);
      const rows = searched === undefined ? all : all.where(searched);
      const keys = [records.sorts[query.sort], numberColumn(`${table}.id`)];
      return mapRows(await listPage(reading, { rows, keys }, query), toRow);
    },
    find: (id, owner) => find(db, id, owner),
    insert: (owner, edit, note) =>
      db.transaction().execute(async (work) => {
        await lockGroup(work, owner);
        if (await isTaken(work, { ...owner, edit }, records)) return { ok: false, reason: 'taken' };
        if (!(await hasRoom(work, owner, records))) {
          onLimit?.(records.limit);
          return { ok: false, reason: 'too-many' };
        }
        const values = { ...owned(owner), ...toColumns(edit) };
        const { id } = await work.insertInto(table).values(values).returning('id').executeTakeFirstOrThrow();
        const value = await get(work, id);
        if (note !== undefined) await insertAudit(work, note(value));
        return { ok: true, value };
      }),
    update: (named, edit, note) =>
      db.transaction().execute(async (work) => {
        const { id, version, memberGroup } = named;
        if (records.unique !== undefined) await lockGroup(work, named);
        const before = await find(work, id, named);
        if (before === undefined) return { ok: false, reason: 'gone' };
        const isOfVersion = before.version === version;
        if (isOfVersion && (await isTaken(work, { memberGroup, edit, id }, records))) {
          return { ok: false, reason: 'taken' };
        }
        const row = work.updateTable(table).set({ ...toColumns(edit), version: version + 1 });
        const done = await row.where('id', '=', id).where('version', '=', version).executeTakeFirst();
        if (done.numUpdatedRows === 0n) return { ok: false, reason: 'conflict' };
        const value = { before, after: await get(work, id) };
        if (note !== undefined) await insertAudit(work, note(value));
        return { ok: true, value };
      }),
    remove: (named, note) =>
      db.transaction().execute(async (work) => {
        const { id, version } = named;
        const before = await find(work, id, named);
        if (before === undefined) return { ok: false, reason: 'gone' };
        const row = work.deleteFrom(table).where('id', '=', id).where('version', '=', version);
        if ((await row.executeTakeFirst()).numDeletedRows === 0n) return { ok: false, reason: 'conflict' };
        if (note !== undefined) await insertAudit(work, note(before));
        return { ok: true, value: before };
      }),
  };
}

function columnsIn(columns: OwnerColumns<'sim_plan'>): (readonly ['member_group', number])[] {
  // One column stands for all, as one table does.
  return Object.entries(columns) as unknown as (readonly ['member_group', number])[];
}

/** Makes concurrent changes of the group's records wait for each other: the second sees the result of the first. */
async function lockGroup(work: StoreDb, { memberGroup }: GroupOwner): Promise<void> {
  const group = work.updateTable('member_group').where('serialno', '=', memberGroup);
  await group.set({ serialno: memberGroup }).execute();
}

interface Wanted<Content> extends GroupOwner {
  readonly edit: RecordEdit<Content>;
  /** The record that is changed. */
  readonly id?: number;
}

/** Whether another record of the group has the value that no two of them share. */
async function isTaken<Content>(
  work: StoreDb,
  { memberGroup, edit, id = 0 }: Wanted<Content>,
  {
    table,
    unique,
    toColumns,
  }: Pick<GroupRecords<'sim_plan', Content, never, never, never, never>, 'table' | 'unique' | 'toColumns'>,
): Promise<boolean> {
  if (unique === undefined) return false;
  const others = work.selectFrom(table).select('id').where('member_group', '=', memberGroup).where('id', '!=', id);
  const value = toColumns(edit)[unique];
  return (await others.where(unique, '=', value).executeTakeFirst()) !== undefined;
}

async function hasRoom<Owner extends GroupOwner>(
  work: StoreDb,
  owner: Owner,
  {
    table,
    limit,
    counted,
  }: Pick<GroupRecords<'sim_plan', never, never, never, Owner, never>, 'table' | 'limit' | 'counted'>,
): Promise<boolean> {
  let alike = work.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'));
  for (const [column, value] of columnsIn(counted(owner))) alike = alike.where(column, '=', value);
  return Number((await alike.executeTakeFirstOrThrow()).count) < limit.max;
}
