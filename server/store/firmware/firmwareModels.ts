// The only module that knows `firmware_model`: a member group's records about models of terminals.
import type { Selectable } from 'kysely';
import {
  type FIRMWARE_MODEL_SORTS,
  type FirmwareModelContent,
  MAX_FIRMWARE_MODELS,
} from '../../../shared/protocol/api/firmware/images.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { searchIn } from '../engine/likeSearch.ts';
import { type FoundPage, listPage, numberColumn, type PageRequest, textColumn } from '../engine/listPage.ts';
import type { Outcome } from '../outcome.ts';
import type { FirmwareModelTable } from './tables.ts';

export interface StoredFirmwareModel {
  readonly id: number;
  readonly memberGroup: number;
  readonly version: number;
  readonly content: FirmwareModelContent;
}

type FirmwareModelSort = (typeof FIRMWARE_MODEL_SORTS)[number];

interface FirmwareModelQuery extends PageRequest<FirmwareModelSort> {
  readonly memberGroup: number;
  readonly search: string;
}

/** A version of a record; a record of another member group counts as missing. */
export interface NamedFirmwareModel {
  readonly id: number;
  readonly memberGroup: number;
  readonly version: number;
}

export interface FirmwareModelStore {
  /** Undefined when the position doesn't belong to such a list. */
  page(query: FirmwareModelQuery): Promise<FoundPage<StoredFirmwareModel> | undefined>;
  find(id: number, memberGroup: number): Promise<StoredFirmwareModel | undefined>;
  /** Records of the group, ordered by id. */
  ofGroup(memberGroup: number): Promise<StoredFirmwareModel[]>;
  insert(
    memberGroup: number,
    content: FirmwareModelContent,
  ): Promise<Outcome<StoredFirmwareModel, 'too-many' | 'taken'>>;
  /** Gives the record before and after the change. */
  update(
    named: NamedFirmwareModel,
    content: FirmwareModelContent,
  ): Promise<
    Outcome<
      { readonly before: StoredFirmwareModel; readonly after: StoredFirmwareModel },
      'gone' | 'conflict' | 'taken'
    >
  >;
  /** Gives the record as it was. */
  remove(named: NamedFirmwareModel): Promise<Outcome<StoredFirmwareModel, 'gone' | 'conflict'>>;
}

export const FIRMWARE_MODELS_LIMIT: Limit = { name: 'firmware.models.group', max: MAX_FIRMWARE_MODELS };

const ORDER = {
  pattern: textColumn('firmware_model.pattern'),
  method: textColumn('firmware_model.method'),
} as const;

export function createFirmwareModelStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): FirmwareModelStore {
  return {
    page: async (query) => {
      const own = reading.selectFrom('firmware_model').selectAll().where('member_group', '=', query.memberGroup);
      const words = searchIn(['firmware_model.pattern'], query.search);
      const rows = words === undefined ? own : own.where(words);
      const keys = [ORDER[query.sort], numberColumn('firmware_model.id')];
      const page = await listPage(reading, { rows, keys }, query);
      return page && { ...page, rows: page.rows.map(toModel) };
    },
    find: (id, memberGroup) => findModel(db, id, memberGroup),
    ofGroup: async (memberGroup) => {
      const own = reading.selectFrom('firmware_model').selectAll().where('member_group', '=', memberGroup);
      return (await own.orderBy('id').execute()).map(toModel);
    },
    insert: (memberGroup, content) =>
      db.transaction().execute(async (work) => {
        const all = await patternsOf(work, memberGroup);
        if (all.some(({ pattern }) => pattern === content.pattern)) return { ok: false, reason: 'taken' };
        if (all.length >= FIRMWARE_MODELS_LIMIT.max) {
          onLimit?.(FIRMWARE_MODELS_LIMIT);
          return { ok: false, reason: 'too-many' };
        }
        const row = work.insertInto('firmware_model').values({ member_group: memberGroup, ...toColumns(content) });
        return { ok: true, value: toModel(await row.returningAll().executeTakeFirstOrThrow()) };
      }),
    update: (named, content) => db.transaction().execute((work) => updateModel(work, named, content)),
    remove: ({ id, memberGroup, version }) =>
      db.transaction().execute(async (work) => {
        await lockGroup(work, memberGroup);
        const before = await findModel(work, id, memberGroup);
        if (before === undefined) return { ok: false, reason: 'gone' };
        if (before.version !== version) return { ok: false, reason: 'conflict' };
        await work.deleteFrom('firmware_model').where('id', '=', id).execute();
        return { ok: true, value: before };
      }),
  };
}

async function updateModel(
  work: StoreDb,
  { id, memberGroup, version }: NamedFirmwareModel,
  content: FirmwareModelContent,
): ReturnType<FirmwareModelStore['update']> {
  const all = await patternsOf(work, memberGroup);
  const before = await findModel(work, id, memberGroup);
  if (before === undefined) return { ok: false, reason: 'gone' };
  if (before.version !== version) return { ok: false, reason: 'conflict' };
  if (all.some((each) => each.pattern === content.pattern && each.id !== id)) return { ok: false, reason: 'taken' };
  await work
    .updateTable('firmware_model')
    .set({ ...toColumns(content), version: version + 1 })
    .where('id', '=', id)
    .execute();
  return { ok: true, value: { before, after: { ...before, content, version: version + 1 } } };
}

async function patternsOf(work: StoreDb, memberGroup: number) {
  await lockGroup(work, memberGroup);
  const own = work.selectFrom('firmware_model').select(['id', 'pattern']).where('member_group', '=', memberGroup);
  return own.execute();
}

/** Makes concurrent changes of the group's records wait for each other: the second sees the result of the first. */
async function lockGroup(work: StoreDb, memberGroup: number): Promise<void> {
  const group = work.updateTable('member_group').where('serialno', '=', memberGroup);
  await group.set({ serialno: memberGroup }).execute();
}

async function findModel(db: StoreDb, id: number, memberGroup: number): Promise<StoredFirmwareModel | undefined> {
  const own = db.selectFrom('firmware_model').selectAll().where('id', '=', id).where('member_group', '=', memberGroup);
  const row = await own.executeTakeFirst();
  return row === undefined ? undefined : toModel(row);
}

function toColumns({ pattern, ...content }: FirmwareModelContent) {
  return { pattern, method: content.method, content: JSON.stringify(content) };
}

function toModel(row: Selectable<FirmwareModelTable>): StoredFirmwareModel {
  const content = JSON.parse(row.content) as Omit<FirmwareModelContent, 'pattern'>;
  return {
    id: row.id,
    memberGroup: row.member_group,
    version: row.version,
    content: { packageIntervalMs: 0, ...content, pattern: row.pattern },
  };
}
