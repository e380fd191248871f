// The records of a member group that have versions: what each table of them is read, added, changed and removed by. A change and its
// entry in the audit log are one transaction.
import type { SelectQueryBuilder } from 'kysely';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { type AuditNote, insertAudit } from '../audit/audit.ts';
import type { StoreDb } from '../engine/database.ts';
import { searchIn } from '../engine/likeSearch.ts';
import { type FoundPage, listPage, mapRows, numberColumn, type PageRequest, type SortKey } from '../engine/listPage.ts';
import type { Outcome } from '../outcome.ts';
import type { Schema } from '../schema.ts';

interface RecordQuery<Sort extends string> extends PageRequest<Sort> {
  readonly memberGroup: number;
  readonly search: string;
}

/** A version of a record; a record of another member group counts as missing. */
export interface NamedVersion {
  readonly id: number;
  readonly memberGroup: number;
  readonly version: number;
}

interface Versioned {
  readonly version: number;
}

interface RecordChange<Row> {
  readonly before: Row;
  readonly after: Row;
}

/** `note`: the audit entry of what was done. Left out, nobody is on record for it, as for a demo's data. */
export interface GroupRecordStore<Content, Row, Sort extends string> {
  /** Undefined for a position that isn't from this list. */
  page(query: RecordQuery<Sort>): Promise<FoundPage<Row> | undefined>;
  find(id: number, memberGroup: number): Promise<Row | undefined>;
  insert(
    memberGroup: number,
    content: Content,
    note?: (added: Row) => AuditNote,
  ): Promise<Outcome<Row, 'too-many' | 'taken'>>;
  update(
    named: NamedVersion,
    content: Content,
    note?: (change: RecordChange<Row>) => AuditNote,
  ): Promise<Outcome<RecordChange<Row>, 'gone' | 'conflict' | 'taken'>>;
  remove(named: NamedVersion, note?: (before: Row) => AuditNote): Promise<Outcome<Row, 'gone' | 'conflict'>>;
}

/** Tables with the columns `id`, `version` and `member_group`. */
type RecordTable = 'sim_plan' | 'firmware_model';

export interface GroupRecords<Table extends RecordTable, Content, Row, Found, Sort extends string> {
  readonly table: Table;
  /** All of a member group, with what is counted beside them. */
  readonly rowsOf: (db: StoreDb, memberGroup: number) => SelectQueryBuilder<Schema, Table, Found>;
  readonly toRow: (found: Found) => Row;
  readonly toColumns: (content: Content) => ColumnsOf<Table>;
  /** A record that was just added. */
  readonly added: (id: number, content: Content) => Row;
  readonly sorts: Readonly<Record<Sort, SortKey>>;
  /** Columns that hold texts in lower case. */
  readonly searched: readonly string[];
  /** Records of a member group. */
  readonly limit: Limit;
  /** A column whose value no two records of a member group share. */
  readonly unique?: keyof ColumnsOf<Table> & string;
}

type ColumnsOf<Table extends RecordTable> = Omit<Schema[Table], 'id' | 'version' | 'member_group'>;

/** `reading`: for lists. */
export function createGroupRecordStore<
  Table extends RecordTable,
  Content,
  Row extends Versioned,
  Found,
  Sort extends string,
>(
  given: GroupRecords<Table, Content, Row, Found, Sort>,
  { db, reading, onLimit }: { readonly db: StoreDb; readonly reading: StoreDb; readonly onLimit?: OnLimit | undefined },
): GroupRecordStore<Content, Row, Sort> {
  // One table stands for all: the statements use what they have in common, and columns that come from the table's own declaration.
  const records = given as unknown as GroupRecords<'sim_plan', Content, Row, Found, Sort>;
  const { table, rowsOf, toRow, toColumns } = records;
  const find = async (work: StoreDb, id: number, memberGroup: number): Promise<Row | undefined> => {
    const found = await rowsOf(work, memberGroup).where(`${table}.id`, '=', id).executeTakeFirst();
    return found === undefined ? undefined : toRow(found as Found);
  };
  return {
    page: async (query) => {
      const all = rowsOf(reading, query.memberGroup);
      const searched = searchIn(records.searched, query.search);
      const rows = searched === undefined ? all : all.where(searched);
      const keys = [records.sorts[query.sort], numberColumn(`${table}.id`)];
      return mapRows(await listPage(reading, { rows, keys }, query), toRow);
    },
    find: (id, memberGroup) => find(db, id, memberGroup),
    insert: (memberGroup, content, note) =>
      db.transaction().execute(async (work) => {
        await lockGroup(work, memberGroup);
        if (await isTaken(work, { memberGroup, content }, records)) return { ok: false, reason: 'taken' };
        if (!(await hasRoom(work, memberGroup, records))) {
          onLimit?.(records.limit);
          return { ok: false, reason: 'too-many' };
        }
        const row = work.insertInto(table).values({ member_group: memberGroup, ...toColumns(content) });
        const { id } = await row.returning('id').executeTakeFirstOrThrow();
        const value = records.added(id, content);
        if (note !== undefined) await insertAudit(work, note(value));
        return { ok: true, value };
      }),
    update: ({ id, memberGroup, version }, content, note) =>
      db.transaction().execute(async (work) => {
        if (records.unique !== undefined) await lockGroup(work, memberGroup);
        const before = await find(work, id, memberGroup);
        if (before === undefined) return { ok: false, reason: 'gone' };
        const isOfVersion = before.version === version;
        if (isOfVersion && (await isTaken(work, { memberGroup, content, id }, records))) {
          return { ok: false, reason: 'taken' };
        }
        const row = work.updateTable(table).set({ ...toColumns(content), version: version + 1 });
        const done = await row.where('id', '=', id).where('version', '=', version).executeTakeFirst();
        if (done.numUpdatedRows === 0n) return { ok: false, reason: 'conflict' };
        const value = { before, after: { ...before, ...content, version: version + 1 } };
        if (note !== undefined) await insertAudit(work, note(value));
        return { ok: true, value };
      }),
    remove: ({ id, memberGroup, version }, note) =>
      db.transaction().execute(async (work) => {
        const before = await find(work, id, memberGroup);
        if (before === undefined) return { ok: false, reason: 'gone' };
        const row = work.deleteFrom(table).where('id', '=', id).where('version', '=', version);
        if ((await row.executeTakeFirst()).numDeletedRows === 0n) return { ok: false, reason: 'conflict' };
        if (note !== undefined) await insertAudit(work, note(before));
        return { ok: true, value: before };
      }),
  };
}

/** Makes concurrent changes of the group's records wait for each other: the second sees the result of the first. */
async function lockGroup(work: StoreDb, memberGroup: number): Promise<void> {
  const group = work.updateTable('member_group').where('serialno', '=', memberGroup);
  await group.set({ serialno: memberGroup }).execute();
}

interface Wanted<Content> {
  readonly memberGroup: number;
  readonly content: Content;
  /** The record that is changed. */
  readonly id?: number;
}

/** Whether another record of the group has the value that no two of them share. */
async function isTaken<Content>(
  work: StoreDb,
  { memberGroup, content, id = 0 }: Wanted<Content>,
  {
    table,
    unique,
    toColumns,
  }: Pick<GroupRecords<'sim_plan', Content, never, never, never>, 'table' | 'unique' | 'toColumns'>,
): Promise<boolean> {
  if (unique === undefined) return false;
  const others = work.selectFrom(table).select('id').where('member_group', '=', memberGroup).where('id', '!=', id);
  const value = toColumns(content)[unique];
  return (await others.where(unique, '=', value).executeTakeFirst()) !== undefined;
}

async function hasRoom(
  work: StoreDb,
  memberGroup: number,
  { table, limit }: { readonly table: RecordTable; readonly limit: Limit },
): Promise<boolean> {
  const own = work.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'));
  const { count } = await own.where('member_group', '=', memberGroup).executeTakeFirstOrThrow();
  return Number(count) < limit.max;
}
