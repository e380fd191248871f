// The only module that writes `firmware_image`: images of a member group. An image that tasks have had stays, marked as deleted, for their
// sake.
import type { ExpressionBuilder, Selectable } from 'kysely';
import {
  type FIRMWARE_IMAGE_SORTS,
  type FirmwareImageContent,
  MAX_FIRMWARE_IMAGES,
} from '../../../shared/protocol/api/firmware/images.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { searchIn } from '../engine/likeSearch.ts';
import {
  type FoundPage,
  listPage,
  numberColumn,
  type PageRequest,
  type SortKey,
  textColumn,
} from '../engine/listPage.ts';
import type { Outcome } from '../outcome.ts';
import type { Schema } from '../schema.ts';
import { ENDED_STATE_NUMBERS } from './firmwareDeviceRows.ts';
import { taskStateNumber } from './firmwareTaskRows.ts';
import type { FirmwareImageTable } from './tables.ts';

export interface StoredFirmwareImage {
  readonly id: number;
  readonly memberGroup: number;
  readonly version: number;
  readonly content: FirmwareImageContent;
  readonly sha256: string;
  readonly bytes: number;
  readonly addedAtMs: number;
  readonly addedBy: string;
  /** Tasks that have not ended, or whose terminals may still be installing it. */
  readonly openTasks: number;
}

type FirmwareImageSort = (typeof FIRMWARE_IMAGE_SORTS)[number];

interface FirmwareImageQuery extends PageRequest<FirmwareImageSort> {
  readonly memberGroup: number;
  readonly search: string;
}

/** A version of an image; an image of another member group counts as missing. */
export interface NamedFirmwareImage {
  readonly id: number;
  readonly memberGroup: number;
  readonly version: number;
}

export interface AddedFirmwareImage
  extends Pick<StoredFirmwareImage, 'memberGroup' | 'content' | 'sha256' | 'bytes' | 'addedAtMs' | 'addedBy'> {}

export interface FirmwareImageStore {
  /** Undefined when the position doesn't belong to such a list. */
  page(query: FirmwareImageQuery): Promise<FoundPage<StoredFirmwareImage> | undefined>;
  find(id: number, memberGroup: number): Promise<StoredFirmwareImage | undefined>;
  /** Also finds a deleted image: it is kept for the tasks that had it. */
  findForTask(id: number, memberGroup: number): Promise<StoredFirmwareImage | undefined>;
  insert(image: AddedFirmwareImage): Promise<Outcome<StoredFirmwareImage, 'too-many'>>;
  /** Gives the image before and after the change. Only the name and notes of an image that tasks use can change. */
  update(
    named: NamedFirmwareImage,
    content: FirmwareImageContent,
  ): Promise<
    Outcome<
      { readonly before: StoredFirmwareImage; readonly after: StoredFirmwareImage },
      'gone' | 'conflict' | 'in-use'
    >
  >;
  /** Gives the image as it was. */
  remove(
    named: NamedFirmwareImage,
    atMs: number,
  ): Promise<Outcome<StoredFirmwareImage, 'gone' | 'conflict' | 'in-use'>>;
  /** Hashes of all images that are not deleted, in any member group. */
  hashes(): Promise<ReadonlySet<string>>;
}

/** Firmware images of a member group. A further one is refused with 409 `too-many-firmware-images`. */
export const FIRMWARE_IMAGES_LIMIT: Limit = { name: 'firmware.images.group', max: MAX_FIRMWARE_IMAGES };

const ORDER = {
  name: textColumn('firmware_image.name_key'),
  firmwareVersion: textColumn('firmware_image.firmware_version'),
  bytes: numberColumn('firmware_image.bytes'),
  addedAtMs: numberColumn('firmware_image.added_at_ms'),
} as const satisfies Record<FirmwareImageSort, SortKey>;

const STOPPED = taskStateNumber('stopped');
const ENDED_STATES = [STOPPED, taskStateNumber('done')];

export function createFirmwareImageStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): FirmwareImageStore {
  return {
    page: async (query) => {
      const own = images(reading).where('firmware_image.member_group', '=', query.memberGroup);
      const words = searchIn(['firmware_image.name', 'firmware_image.firmware_version'], query.search);
      const rows = words === undefined ? own : own.where(words);
      const keys = [ORDER[query.sort], numberColumn('firmware_image.id')];
      const page = await listPage(reading, { rows, keys }, query);
      return page && { ...page, rows: page.rows.map(toImage) };
    },
    find: (id, memberGroup) => findImage(images(db), id, memberGroup),
    findForTask: (id, memberGroup) => findImage(everyImage(db), id, memberGroup),
    insert: (image) => db.transaction().execute((work) => insertImage(work, image, onLimit)),
    update: (named, content) => db.transaction().execute((work) => updateImage(work, named, content)),
    remove: (named, atMs) => db.transaction().execute((work) => removeImage(work, named, atMs)),
    hashes: async () => {
      const rows = db.selectFrom('firmware_image').select('sha256').distinct().where('removed_at_ms', '=', 0);
      return new Set((await rows.execute()).map(({ sha256 }) => sha256));
    },
  };
}

function images(db: StoreDb) {
  return everyImage(db).where('removed_at_ms', '=', 0);
}

function everyImage(db: StoreDb) {
  return db
    .selectFrom('firmware_image')
    .selectAll('firmware_image')
    .select((builder) => openTasksOf(builder).as('open_tasks'));
}

function openTasksOf({ selectFrom }: ExpressionBuilder<Schema, 'firmware_image'>) {
  return selectFrom('firmware_task')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .whereRef('firmware_task.image', '=', 'firmware_image.id')
    .where(({ and, eb, exists, or }) =>
      or([
        eb('firmware_task.state', 'not in', ENDED_STATES),
        // When a task is done, so are all its devices; a stopped task still follows devices that already had the image.
        and([eb('firmware_task.state', '=', STOPPED), exists(openDevicesOf(eb))]),
      ]),
    );
}

function openDevicesOf({ selectFrom }: ExpressionBuilder<Schema, 'firmware_task'>) {
  return selectFrom('firmware_device')
    .select('firmware_device.id')
    .whereRef('firmware_device.task', '=', 'firmware_task.id')
    .where('firmware_device.state', 'not in', ENDED_STATE_NUMBERS);
}

async function findImage(
  found: ReturnType<typeof everyImage>,
  id: number,
  memberGroup: number,
): Promise<StoredFirmwareImage | undefined> {
  const own = found.where('firmware_image.id', '=', id).where('firmware_image.member_group', '=', memberGroup);
  const row = await own.executeTakeFirst();
  return row === undefined ? undefined : toImage(row);
}

async function insertImage(
  work: StoreDb,
  image: AddedFirmwareImage,
  onLimit: OnLimit | undefined,
): Promise<Outcome<StoredFirmwareImage, 'too-many'>> {
  await lockGroup(work, image.memberGroup);
  const { count } = await work
    .selectFrom('firmware_image')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('member_group', '=', image.memberGroup)
    .where('removed_at_ms', '=', 0)
    .executeTakeFirstOrThrow();
  if (Number(count) >= FIRMWARE_IMAGES_LIMIT.max) {
    onLimit?.(FIRMWARE_IMAGES_LIMIT);
    return { ok: false, reason: 'too-many' };
  }
  const row = await work
    .insertInto('firmware_image')
    .values({
      member_group: image.memberGroup,
      ...toColumns(image.content),
      sha256: image.sha256,
      bytes: image.bytes,
      added_at_ms: image.addedAtMs,
      added_by: image.addedBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ok: true, value: toImage({ ...row, open_tasks: 0 }) };
}

/** Makes concurrent changes of the group's images and starts of its tasks wait for each other: the second sees the result of the first. */
async function lockGroup(work: StoreDb, memberGroup: number): Promise<void> {
  const group = work.updateTable('member_group').where('serialno', '=', memberGroup);
  await group.set({ serialno: memberGroup }).execute();
}

async function updateImage(
  work: StoreDb,
  { id, memberGroup, version }: NamedFirmwareImage,
  content: FirmwareImageContent,
): ReturnType<FirmwareImageStore['update']> {
  await lockGroup(work, memberGroup);
  const before = await findImage(images(work), id, memberGroup);
  if (before === undefined) return { ok: false, reason: 'gone' };
  if (before.version !== version) return { ok: false, reason: 'conflict' };
  if (before.openTasks > 0 && demandsOf(before.content) !== demandsOf(content)) return { ok: false, reason: 'in-use' };
  await work
    .updateTable('firmware_image')
    .set({ ...toColumns(content), version: version + 1 })
    .where('id', '=', id)
    .execute();
  return { ok: true, value: { before, after: { ...before, content, version: version + 1 } } };
}

/** The conditions that decide which devices an image fits. */
function demandsOf({ vendor, models, hardwareVersion, firmwareVersion, minimumVersion, part }: FirmwareImageContent) {
  return JSON.stringify([vendor, models, hardwareVersion, firmwareVersion, minimumVersion, part]);
}

async function removeImage(
  work: StoreDb,
  { id, memberGroup, version }: NamedFirmwareImage,
  atMs: number,
): ReturnType<FirmwareImageStore['remove']> {
  await lockGroup(work, memberGroup);
  const before = await findImage(images(work), id, memberGroup);
  if (before === undefined) return { ok: false, reason: 'gone' };
  if (before.version !== version) return { ok: false, reason: 'conflict' };
  if (before.openTasks > 0) return { ok: false, reason: 'in-use' };
  const task = await work.selectFrom('firmware_task').select('id').where('image', '=', id).executeTakeFirst();
  if (task === undefined) await work.deleteFrom('firmware_image').where('id', '=', id).execute();
  else await work.updateTable('firmware_image').set({ removed_at_ms: atMs }).where('id', '=', id).execute();
  return { ok: true, value: before };
}

function toColumns({ name, firmwareVersion, ...content }: FirmwareImageContent) {
  return {
    name,
    name_key: name.toLowerCase(),
    firmware_version: firmwareVersion,
    content: JSON.stringify(content),
  };
}

type ImageRow = Selectable<FirmwareImageTable> & { readonly open_tasks: number | null };

function toImage(row: ImageRow): StoredFirmwareImage {
  const content = JSON.parse(row.content) as Omit<FirmwareImageContent, 'name' | 'firmwareVersion'>;
  return {
    id: row.id,
    memberGroup: row.member_group,
    version: row.version,
    content: { ...content, name: row.name, firmwareVersion: row.firmware_version },
    sha256: row.sha256,
    bytes: row.bytes,
    addedAtMs: row.added_at_ms,
    addedBy: row.added_by,
    openTasks: Number(row.open_tasks ?? 0),
  };
}
