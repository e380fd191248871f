// The only module that knows `fence`: areas of member groups.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Selectable, sql } from 'kysely';
import {
  type Fence,
  type FenceContent,
  type FenceSort,
  MAX_FENCE_VERTICES,
  MAX_FENCES,
} from '../../../shared/protocol/api/fences/fences.ts';
import { FENCE_KINDS, type FenceKind } from '../../../shared/protocol/fences/fenceWords.ts';
import { vertexCount } from '../../../shared/protocol/fences/vertexCount.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { type AuditNote, insertAudit } from '../audit/audit.ts';
import type { StoreDb } from '../engine/database.ts';
import { likeSearch } from '../engine/likeSearch.ts';
import {
  type FoundPage,
  listPage,
  numberColumn,
  type PageRequest,
  type SortKey,
  textColumn,
} from '../engine/listPage.ts';
import type { Outcome } from '../outcome.ts';
import type { FenceTable } from './tables.ts';

export interface StoredFence {
  readonly id: number;
  readonly memberGroup: number;
  readonly version: number;
  readonly content: FenceContent;
  readonly changedAtMs: Fence['changedAtMs'];
  readonly changedBy: string;
}

interface FenceQuery extends PageRequest<FenceSort> {
  readonly memberGroup: number;
  readonly search: string;
  readonly kind: FenceKind | undefined;
}

/** A version of a fence; a fence of another member group counts as missing. */
interface NamedFence {
  readonly id: number;
  readonly memberGroup: number;
  readonly version: number;
}

export interface FenceChange {
  readonly content: FenceContent;
  /** Username. */
  readonly by: string;
  readonly atMs: number;
}

export interface FenceImport {
  readonly added: readonly FenceContent[];
  readonly changed: readonly { readonly id: number; readonly version: number; readonly content: FenceContent }[];
}

interface ChangedFence {
  readonly before: StoredFence;
  readonly after: StoredFence;
}

type TooManyFences = 'too-many' | 'too-many-vertices';

/** `note`: the audit entry of what was done, of the same transaction. Left out, nobody is on record for it. */
export interface FenceStore {
  /** Undefined when the position doesn't belong to such a list. */
  page(query: FenceQuery): Promise<FoundPage<StoredFence> | undefined>;
  find(id: number, memberGroup: number): Promise<StoredFence | undefined>;
  /** Finds a fence of any member group. */
  findAnywhere(id: number): Promise<StoredFence | undefined>;
  /** Fences of all member groups, ordered by id. */
  all(): Promise<StoredFence[]>;
  /** Versions of the fences of all member groups, ordered by id. */
  versions(): Promise<{ readonly id: number; readonly version: number }[]>;
  /** The existing fences among these, in any member group. */
  some(ids: readonly number[]): Promise<StoredFence[]>;
  /** Fences of the group, ordered by id. */
  ofGroup(memberGroup: number): Promise<StoredFence[]>;
  /** How many fences and vertices the group has. */
  countsOf(memberGroup: number): Promise<FenceCounts>;
  insert(
    memberGroup: number,
    change: FenceChange,
    note?: (added: StoredFence) => AuditNote,
  ): Promise<Outcome<StoredFence, TooManyFences>>;
  /** Gives the fence before and after the change. */
  update(
    named: NamedFence,
    change: FenceChange,
    note?: (changed: ChangedFence) => AuditNote,
  ): Promise<Outcome<ChangedFence, 'gone' | 'conflict' | TooManyFences>>;
  /** Gives the fence as it was. */
  remove(
    named: NamedFence,
    note?: (before: StoredFence) => AuditNote,
  ): Promise<Outcome<StoredFence, 'gone' | 'conflict'>>;
  /** Writes everything or nothing: false if a fence has changed meanwhile, or there would be too many. */
  importMany(
    memberGroup: number,
    work: FenceImport,
    by: { readonly username: string; readonly atMs: number },
    note?: AuditNote,
  ): Promise<boolean>;
}

interface FenceCounts {
  readonly fences: number;
  readonly vertices: number;
}

/**
 * Geofences of a member group. A further one is refused with 409 `too-many-fences`; the rows of a file beyond it are refused with
 * `too-many`.
 */
export const FENCES_LIMIT: Limit = { name: 'fences.stored.group', max: MAX_FENCES };
/**
 * Vertices of all geofences of a member group, which are in memory and on every member's map. A further geofence is refused with 409
 * `too-many-fence-vertices`; the rows of a file beyond it are refused with `too-many`.
 */
export const FENCE_VERTICES_LIMIT: Limit = { name: 'fences.vertices.group', max: MAX_FENCE_VERTICES };
/** Rows of one statement of an import. */
const ROWS = 100;

const ORDER = {
  name: textColumn('fence.name_key'),
  changedAtMs: numberColumn('fence.changed_at_ms'),
} as const satisfies Record<FenceSort, SortKey>;

export function createFenceStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): FenceStore {
  return {
    page: (query) => pageOfFences(reading, query),
    find: (id, memberGroup) => findFence(db, id, memberGroup),
    findAnywhere: async (id) => {
      const row = await db.selectFrom('fence').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : toFence(row);
    },
    all: async () => toFences(await reading.selectFrom('fence').selectAll().orderBy('id').execute()),
    versions: () => reading.selectFrom('fence').select(['id', 'version']).orderBy('id').execute(),
    some: async (ids) =>
      ids.length === 0
        ? []
        : (
            await reading
              .selectFrom('fence')
              .selectAll()
              .where('id', 'in', [...ids])
              .orderBy('id')
              .execute()
          ).map(toFence),
    ofGroup: async (memberGroup) => {
      const rows = reading.selectFrom('fence').selectAll().where('member_group', '=', memberGroup);
      return toFences(await rows.orderBy('id').execute());
    },
    countsOf: (memberGroup) => countFences(reading, memberGroup),
    insert: (memberGroup, change, note) =>
      db.transaction().execute(async (work) => {
        const reason = await fullReason(work, memberGroup, [change.content], onLimit);
        if (reason !== undefined) return { ok: false, reason };
        const row = work.insertInto('fence').values({ member_group: memberGroup, ...toColumns(change) });
        const value = toFence(await row.returningAll().executeTakeFirstOrThrow());
        return noted(work, { ok: true, value }, note);
      }),
    update: (named, change, note) =>
      db.transaction().execute(async (work) => noted(work, await updateFence(work, named, change, onLimit), note)),
    remove: (named, note) =>
      db.transaction().execute(async (work) => noted(work, await removeFence(work, named), note)),
    importMany: (memberGroup, imported, { username: by, atMs }, note) =>
      db
        .transaction()
        .execute(async (work) => {
          await lockGroup(work, memberGroup);
          for (const { id, version, content } of imported.changed) {
            const row = await changeRow(work, { id, memberGroup, version }, { content, by, atMs });
            if (row === undefined) throw new Outdated();
          }
          if ((await fullReason(work, memberGroup, imported.added, onLimit)) !== undefined) throw new Outdated();
          for (let from = 0; from < imported.added.length; from += ROWS) {
            const part = imported.added.slice(from, from + ROWS);
            const rows = part.map((content) => ({ member_group: memberGroup, ...toColumns({ content, by, atMs }) }));
            await work.insertInto('fence').values(rows).execute();
          }
          if (note !== undefined) await insertAudit(work, note);
          return true;
        })
        .catch((error: unknown) => {
          if (error instanceof Outdated) return false;
          throw error;
        }),
  };
}

async function noted<Value, Refusal>(
  work: StoreDb,
  done: Outcome<Value, Refusal>,
  note: ((value: Value) => AuditNote) | undefined,
): Promise<Outcome<Value, Refusal>> {
  if (done.ok && note !== undefined) await insertAudit(work, note(done.value));
  return done;
}

/** Undoes the whole import. */
class Outdated extends Error {}

async function pageOfFences(db: StoreDb, query: FenceQuery): Promise<FoundPage<StoredFence> | undefined> {
  const { memberGroup, search, kind, sort } = query;
  const own = db.selectFrom('fence').selectAll().where('member_group', '=', memberGroup);
  const ofKind = kind === undefined ? own : own.where('kind', '=', FENCE_KINDS.indexOf(kind));
  const rows = search === '' ? ofKind : ofKind.where(likeSearch('fence.name_key', nameKey(search)));
  const page = await listPage(db, { rows, keys: [ORDER[sort], numberColumn('fence.id')] }, query);
  return page && { ...page, rows: page.rows.map(toFence) };
}

async function findFence(db: StoreDb, id: number, memberGroup: number): Promise<StoredFence | undefined> {
  const fences = db.selectFrom('fence').selectAll().where('id', '=', id).where('member_group', '=', memberGroup);
  const row = await fences.executeTakeFirst();
  return row === undefined ? undefined : toFence(row);
}

async function countFences(db: StoreDb, memberGroup: number): Promise<FenceCounts> {
  const row = await db
    .selectFrom('fence')
    .select(({ fn }) => [fn.countAll<number>().as('fences'), sql<number>`coalesce(sum(vertices), 0)`.as('vertices')])
    .where('member_group', '=', memberGroup)
    .executeTakeFirstOrThrow();
  return { fences: Number(row.fences), vertices: Number(row.vertices) };
}

/** Makes concurrent changes wait for each other, so that the second counts the fences that the first has added. */
async function lockGroup(work: StoreDb, memberGroup: number): Promise<void> {
  const group = work.updateTable('member_group').where('serialno', '=', memberGroup);
  await group.set({ serialno: memberGroup }).execute();
}

async function fullReason(
  work: StoreDb,
  memberGroup: number,
  added: readonly FenceContent[],
  onLimit: OnLimit | undefined,
): Promise<TooManyFences | undefined> {
  await lockGroup(work, memberGroup);
  const { fences, vertices } = await countFences(work, memberGroup);
  if (fences + added.length > FENCES_LIMIT.max) {
    onLimit?.(FENCES_LIMIT);
    return 'too-many';
  }
  const more = added.reduce((sum, content) => sum + vertexCount(content), 0);
  if (vertices + more <= FENCE_VERTICES_LIMIT.max) return undefined;
  onLimit?.(FENCE_VERTICES_LIMIT);
  return 'too-many-vertices';
}

async function updateFence(
  work: StoreDb,
  named: NamedFence,
  change: FenceChange,
  onLimit: OnLimit | undefined,
): ReturnType<FenceStore['update']> {
  await lockGroup(work, named.memberGroup);
  const before = await findFence(work, named.id, named.memberGroup);
  if (before === undefined) return { ok: false, reason: 'gone' };
  const more = vertexCount(change.content) - vertexCount(before.content);
  const { vertices } = await countFences(work, named.memberGroup);
  if (more > 0 && vertices + more > FENCE_VERTICES_LIMIT.max) {
    onLimit?.(FENCE_VERTICES_LIMIT);
    return { ok: false, reason: 'too-many-vertices' };
  }
  const row = await changeRow(work, named, change);
  return row === undefined ? { ok: false, reason: 'conflict' } : { ok: true, value: { before, after: toFence(row) } };
}

function changeRow(work: StoreDb, { id, memberGroup, version }: NamedFence, change: FenceChange) {
  return work
    .updateTable('fence')
    .set({ ...toColumns(change), version: version + 1 })
    .where('id', '=', id)
    .where('member_group', '=', memberGroup)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();
}

async function removeFence(work: StoreDb, named: NamedFence): ReturnType<FenceStore['remove']> {
  const before = await findFence(work, named.id, named.memberGroup);
  if (before === undefined) return { ok: false, reason: 'gone' };
  const fence = work.deleteFrom('fence').where('id', '=', named.id).where('version', '=', named.version);
  const { numDeletedRows } = await fence.executeTakeFirst();
  return numDeletedRows > 0n ? { ok: true, value: before } : { ok: false, reason: 'conflict' };
}

function toColumns({ content, by, atMs }: FenceChange) {
  const { name, enabled, ...rest } = content;
  return {
    name,
    name_key: nameKey(name),
    kind: FENCE_KINDS.indexOf(content.kind),
    enabled: enabled ? 1 : 0,
    vertices: vertexCount(content),
    content: JSON.stringify(rest),
    changed_at_ms: atMs,
    changed_by: by,
  };
}

function nameKey(name: string): string {
  return name.toLowerCase();
}

/** Outlines with this many vertices are parsed before other tasks get their turn: some milliseconds. */
const VERTICES_AT_ONCE = 5_000;

async function toFences(rows: readonly Selectable<FenceTable>[]): Promise<StoredFence[]> {
  const fences: StoredFence[] = [];
  let vertices = 0;
  for (const row of rows) {
    fences.push(toFence(row));
    vertices += row.vertices;
    if (vertices < VERTICES_AT_ONCE) continue;
    vertices = 0;
    await nextTurn();
  }
  return fences;
}

function toFence(row: Selectable<FenceTable>): StoredFence {
  const content = JSON.parse(row.content) as Omit<FenceContent, 'name' | 'enabled'>;
  return {
    id: row.id,
    memberGroup: row.member_group,
    version: row.version,
    content: { ...content, name: row.name, enabled: row.enabled !== 0 },
    changedAtMs: wallMs(row.changed_at_ms),
    changedBy: row.changed_by,
  };
}
