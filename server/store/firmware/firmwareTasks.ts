// The only module that changes `firmware_task`.
import { sql } from 'kysely';
import {
  type FIRMWARE_TASK_SORTS,
  type FirmwareTaskContent,
  MAX_FIRMWARE_TASKS,
} from '../../../shared/protocol/api/firmware/tasks.ts';
import type { FirmwareTaskReason, FirmwareTaskState } from '../../../shared/protocol/firmware/firmwareWords.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { likeSearch } from '../engine/likeSearch.ts';
import { type FoundPage, listPage, mapRows, numberColumn, type PageRequest, textColumn } from '../engine/listPage.ts';
import { isPostgres } from '../engine/lockingRows.ts';
import type { Outcome } from '../outcome.ts';
import { deviceStateNumber, ENDED_STATE_NUMBERS } from './firmwareDeviceRows.ts';
import { contentColumns, type StoredFirmwareTask, taskStateNumber, toFirmwareTask } from './firmwareTaskRows.ts';

type TaskSort = (typeof FIRMWARE_TASK_SORTS)[number];

interface FirmwareTaskQuery extends PageRequest<TaskSort> {
  readonly memberGroup: number;
  readonly search: string;
  readonly state: FirmwareTaskState | undefined;
}

/** A version of a task; a task of another member group counts as missing. */
interface NamedTask {
  readonly id: number;
  readonly memberGroup: number;
  readonly version: number;
}

interface TaskEditor {
  readonly id: number;
  readonly username: string;
  readonly atMs: number;
}

/** A device of a task that starts. */
export interface StartedDevice {
  readonly incarnation: number;
  readonly stage: number;
  readonly model: string;
  readonly versionBefore: string;
  /** Why the device is skipped; '' if it isn't. */
  readonly fault: string;
}

interface TaskMove {
  readonly state: FirmwareTaskState;
  readonly reason?: FirmwareTaskReason;
  readonly approval?: TaskEditor;
  readonly atMs: number;
}

export interface TaskNote {
  readonly version: number;
  readonly state: FirmwareTaskState;
  readonly reason: FirmwareTaskReason;
  readonly stage: number;
  readonly nextStageAtMs: number;
  readonly endedAtMs: number;
}

type NotDone = 'gone' | 'conflict';
interface Changed {
  readonly before: StoredFirmwareTask;
  readonly after: StoredFirmwareTask;
}

export interface FirmwareTaskStore {
  page(query: FirmwareTaskQuery): Promise<FoundPage<StoredFirmwareTask> | undefined>;
  find(id: number, memberGroup: number): Promise<StoredFirmwareTask | undefined>;
  /** Finds a task of any member group. */
  findAnywhere(id: number): Promise<StoredFirmwareTask | undefined>;
  /** Ids of tasks that aren't over: running, paused, or with devices that have not ended yet. */
  open(): Promise<readonly number[]>;
  insert(
    memberGroup: number,
    content: FirmwareTaskContent,
    by: TaskEditor,
  ): Promise<Outcome<StoredFirmwareTask, 'too-many' | 'no-image'>>;
  /** Changes a draft or an approved task, which becomes a draft again. */
  update(
    named: NamedTask,
    content: FirmwareTaskContent,
    by: TaskEditor,
  ): Promise<Outcome<Changed, NotDone | 'wrong-state' | 'no-image'>>;
  /** Removes a task that has not begun, or is over. */
  remove(named: NamedTask): Promise<Outcome<StoredFirmwareTask, NotDone | 'wrong-state'>>;
  move(named: NamedTask, move: TaskMove): Promise<Outcome<Changed, NotDone>>;
  /** Starts the task with its devices; devices that another task has are skipped. */
  start(
    named: NamedTask,
    devices: readonly StartedDevice[],
    atMs: number,
  ): Promise<Outcome<Changed, NotDone | 'too-many'>>;
  /** Failed devices begin again, except for those that another task has; the task runs. Gives how many. */
  retry(named: NamedTask, atMs: number): Promise<Outcome<Changed & { readonly devices: number }, NotDone | 'no-image'>>;
  /** Stores what the task has done by itself; does nothing if a request has changed it meanwhile, which takes precedence. */
  note(id: number, expectedVersion: number, note: TaskNote): Promise<void>;
}

/** Firmware tasks of a member group that run or are paused: their devices are in memory. No other starts: 409 `too-many-firmware-tasks`. */
export const OPEN_FIRMWARE_TASKS_LIMIT: Limit = { name: 'firmware.open-tasks.group', max: 50 };
/** Firmware tasks of a member group. A further one is refused with 409 `too-many-firmware-tasks`. */
export const FIRMWARE_TASKS_LIMIT: Limit = { name: 'firmware.tasks.group', max: MAX_FIRMWARE_TASKS };
/** An arbitrary number that neither the migrations nor any other program on the same PostgreSQL use for advisory locks. */
const DEVICES_LOCK = 0x666c_6677;
/** Rows of one statement. */
const ROWS = 500;
const EDITABLE: readonly FirmwareTaskState[] = ['draft', 'approved'];
const REMOVABLE: readonly FirmwareTaskState[] = ['draft', 'approved', 'stopped', 'done'];
const ORDER = {
  name: textColumn('firmware_task.name_key'),
  createdAtMs: numberColumn('firmware_task.created_at_ms'),
} as const;

export function createFirmwareTaskStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): FirmwareTaskStore {
  return {
    page: (query) => pageOfTasks(reading, query),
    find: (id, memberGroup) => findTask(db, id, memberGroup),
    findAnywhere: async (id) => {
      const row = await tasks(db).where('firmware_task.id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : toFirmwareTask(row);
    },
    open: () => openTasks(db),
    insert: (memberGroup, content, by) =>
      db.transaction().execute((work) => insertTask(work, { memberGroup, content, by, onLimit })),
    update: (named, content, by) => db.transaction().execute((work) => updateTask(work, named, content, by)),
    remove: (named) => db.transaction().execute((work) => removeTask(work, named)),
    move: (named, move) => db.transaction().execute((work) => moveTask(work, named, move)),
    start: (named, devices, atMs) =>
      db.transaction().execute(async (work) => {
        if (await isFull(work, named.memberGroup, onLimit)) return { ok: false, reason: 'too-many' };
        return startTask(work, named, devices, atMs);
      }),
    retry: (named, atMs) => db.transaction().execute((work) => retryTask(work, named, atMs)),
    note: (id, expectedVersion, note) => noteTask(db, id, expectedVersion, note),
  };
}

function tasks(db: StoreDb) {
  return db
    .selectFrom('firmware_task')
    .innerJoin('firmware_image as image', 'image.id', 'firmware_task.image')
    .selectAll('firmware_task')
    .select(['image.name as image_name', 'image.firmware_version as image_version', 'image.bytes as image_bytes']);
}

async function pageOfTasks(db: StoreDb, query: FirmwareTaskQuery) {
  const { memberGroup, search, state, sort } = query;
  const own = tasks(db).where('firmware_task.member_group', '=', memberGroup);
  const ofState = state === undefined ? own : own.where('firmware_task.state', '=', taskStateNumber(state));
  const rows = search === '' ? ofState : ofState.where(likeSearch('firmware_task.name_key', search.toLowerCase()));
  const page = await listPage(db, { rows, keys: [ORDER[sort], numberColumn('firmware_task.id')] }, query);
  return mapRows(page, toFirmwareTask);
}

async function findTask(db: StoreDb, id: number, memberGroup: number): Promise<StoredFirmwareTask | undefined> {
  const own = tasks(db).where('firmware_task.id', '=', id).where('firmware_task.member_group', '=', memberGroup);
  const row = await own.executeTakeFirst();
  return row === undefined ? undefined : toFirmwareTask(row);
}

async function openTasks(db: StoreDb): Promise<readonly number[]> {
  const running = await db
    .selectFrom('firmware_task')
    .select('id')
    .where('state', 'in', [taskStateNumber('running'), taskStateNumber('paused')])
    .execute();
  // Includes devices that have not begun: the gateway may have ended between the stop of a task and that of its devices.
  const unended = await db
    .selectFrom('firmware_device')
    .select('task')
    .distinct()
    .where('state', 'not in', ENDED_STATE_NUMBERS)
    .execute();
  return [...new Set([...running.map(({ id }) => id), ...unended.map(({ task }) => task)])].sort((a, b) => a - b);
}

/**
 * Makes concurrent additions and starts of tasks, and changes of the group's images, wait for each other: the second sees the result of the
 * first.
 */
async function lockGroup(work: StoreDb, memberGroup: number): Promise<void> {
  await work.updateTable('member_group').where('serialno', '=', memberGroup).set({ serialno: memberGroup }).execute();
}

interface Insertion {
  readonly memberGroup: number;
  readonly content: FirmwareTaskContent;
  readonly by: TaskEditor;
  readonly onLimit: OnLimit | undefined;
}

async function insertTask(
  work: StoreDb,
  { memberGroup, content, by, onLimit }: Insertion,
): ReturnType<FirmwareTaskStore['insert']> {
  await lockGroup(work, memberGroup);
  if (!(await hasImage(work, content.image, memberGroup))) return { ok: false, reason: 'no-image' };
  const { count } = await work
    .selectFrom('firmware_task')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('member_group', '=', memberGroup)
    .executeTakeFirstOrThrow();
  if (Number(count) >= FIRMWARE_TASKS_LIMIT.max) {
    onLimit?.(FIRMWARE_TASKS_LIMIT);
    return { ok: false, reason: 'too-many' };
  }
  const { id } = await work
    .insertInto('firmware_task')
    .values({
      member_group: memberGroup,
      ...contentColumns(content),
      state: taskStateNumber('draft'),
      created_at_ms: by.atMs,
      created_by: by.username,
      edited_by: JSON.stringify([by.id]),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ok: true, value: await foundAgain(work, id, memberGroup) };
}

async function hasImage(work: StoreDb, image: number, memberGroup: number): Promise<boolean> {
  const own = work
    .selectFrom('firmware_image')
    .select('id')
    .where('id', '=', image)
    .where('member_group', '=', memberGroup)
    .where('removed_at_ms', '=', 0);
  return (await own.executeTakeFirst()) !== undefined;
}

async function foundAgain(work: StoreDb, id: number, memberGroup: number): Promise<StoredFirmwareTask> {
  const task = await findTask(work, id, memberGroup);
  if (task === undefined) throw new Error('a firmware task is gone while it is changed');
  return task;
}

async function updateTask(
  work: StoreDb,
  named: NamedTask,
  content: FirmwareTaskContent,
  by: TaskEditor,
): ReturnType<FirmwareTaskStore['update']> {
  await lockGroup(work, named.memberGroup);
  const before = await findTask(work, named.id, named.memberGroup);
  if (before === undefined) return { ok: false, reason: 'gone' };
  if (!EDITABLE.includes(before.state)) return { ok: false, reason: 'wrong-state' };
  if (!(await hasImage(work, content.image, named.memberGroup))) return { ok: false, reason: 'no-image' };
  const editedBy = [...new Set([...before.editedBy, by.id])];
  return changed(work, named, before, {
    ...contentColumns(content),
    state: taskStateNumber('draft'),
    edited_by: JSON.stringify(editedBy),
    approved_at_ms: 0,
    approved_by: '',
  });
}

async function changed(
  work: StoreDb,
  { id, memberGroup, version }: NamedTask,
  before: StoredFirmwareTask,
  columns: object,
): Promise<Outcome<Changed, NotDone>> {
  const { numUpdatedRows } = await work
    .updateTable('firmware_task')
    .set({ ...columns, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return { ok: false, reason: 'conflict' };
  return { ok: true, value: { before, after: await foundAgain(work, id, memberGroup) } };
}

async function removeTask(work: StoreDb, named: NamedTask): ReturnType<FirmwareTaskStore['remove']> {
  const before = await findTask(work, named.id, named.memberGroup);
  if (before === undefined) return { ok: false, reason: 'gone' };
  if (before.version !== named.version) return { ok: false, reason: 'conflict' };
  const isOver = REMOVABLE.includes(before.state) && !(await hasOpenDevices(work, named.id));
  if (!isOver) return { ok: false, reason: 'wrong-state' };
  const task = work.deleteFrom('firmware_task').where('id', '=', named.id).where('version', '=', named.version);
  const { numDeletedRows } = await task.executeTakeFirst();
  return numDeletedRows > 0n ? { ok: true, value: before } : { ok: false, reason: 'conflict' };
}

async function hasOpenDevices(work: StoreDb, task: number): Promise<boolean> {
  const open = work.selectFrom('firmware_device').select('id').where('task', '=', task);
  return (await open.where('state', 'not in', ENDED_STATE_NUMBERS).limit(1).executeTakeFirst()) !== undefined;
}

async function moveTask(work: StoreDb, named: NamedTask, move: TaskMove): ReturnType<FirmwareTaskStore['move']> {
  const before = await findTask(work, named.id, named.memberGroup);
  if (before === undefined) return { ok: false, reason: 'gone' };
  const { state, reason = '', approval, atMs } = move;
  const approved = approval && { approved_at_ms: approval.atMs, approved_by: approval.username };
  return changed(work, named, before, {
    state: taskStateNumber(state),
    reason,
    ended_at_ms: state === 'stopped' ? atMs : 0,
    ...approved,
  });
}

async function startTask(
  work: StoreDb,
  named: NamedTask,
  devices: readonly StartedDevice[],
  atMs: number,
): ReturnType<FirmwareTaskStore['start']> {
  const before = await findTask(work, named.id, named.memberGroup);
  if (before === undefined) return { ok: false, reason: 'gone' };
  const moved = await changed(work, named, before, {
    state: taskStateNumber('running'),
    reason: '',
    stage: 0,
    next_stage_at_ms: 0,
    started_at_ms: atMs,
  });
  if (!moved.ok) return moved;
  const taken = await takenDevices(work, named.id);
  for (let from = 0; from < devices.length; from += ROWS) {
    const rows = devices.slice(from, from + ROWS).map((device) => {
      const fault = taken.has(device.incarnation) ? 'in-other-task' : device.fault;
      return {
        task: named.id,
        incarnation: device.incarnation,
        stage: device.stage,
        state: deviceStateNumber(fault === '' ? 'queued' : 'skipped'),
        fault,
        model: device.model,
        version_before: device.versionBefore,
        changed_at_ms: atMs,
      };
    });
    await work.insertInto('firmware_device').values(rows).execute();
  }
  return moved;
}

async function isFull(work: StoreDb, memberGroup: number, onLimit: OnLimit | undefined): Promise<boolean> {
  await lockGroup(work, memberGroup);
  const { count } = await work
    .selectFrom('firmware_task')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('member_group', '=', memberGroup)
    .where('state', 'in', [taskStateNumber('running'), taskStateNumber('paused')])
    .executeTakeFirstOrThrow();
  if (Number(count) < OPEN_FIRMWARE_TASKS_LIMIT.max) return false;
  onLimit?.(OPEN_FIRMWARE_TASKS_LIMIT);
  return true;
}

/** Devices that other tasks haven't finished: until the transaction ends, no other task takes any. */
async function takenDevices(work: StoreDb, task: number): Promise<ReadonlySet<number>> {
  // A device may belong to several member groups, so the groups' locks are not enough. Locks of the devices' rows would block everything
  // that refers to them.
  if (isPostgres(work)) await sql`select pg_advisory_xact_lock(${sql.lit(DEVICES_LOCK)})`.execute(work);
  const rows = await work
    .selectFrom('firmware_device')
    .select('incarnation')
    .where('task', '!=', task)
    .where('state', 'not in', ENDED_STATE_NUMBERS)
    .execute();
  return new Set(rows.map(({ incarnation }) => incarnation));
}

async function retryTask(work: StoreDb, named: NamedTask, atMs: number): ReturnType<FirmwareTaskStore['retry']> {
  await lockGroup(work, named.memberGroup);
  const before = await findTask(work, named.id, named.memberGroup);
  if (before === undefined) return { ok: false, reason: 'gone' };
  // The image of a task that is over may have been deleted.
  if (!(await hasImage(work, before.content.image, named.memberGroup))) return { ok: false, reason: 'no-image' };
  const moved = await changed(work, named, before, {
    state: taskStateNumber('running'),
    reason: '',
    ended_at_ms: 0,
  });
  if (!moved.ok) return moved;
  const taken = await takenDevices(work, named.id);
  const failed = await work
    .selectFrom('firmware_device')
    .select(['id', 'incarnation'])
    .where('task', '=', named.id)
    .where('state', 'in', [deviceStateNumber('failed'), deviceStateNumber('refused'), deviceStateNumber('canceled')])
    .execute();
  const ids = failed.filter(({ incarnation }) => !taken.has(incarnation)).map(({ id }) => id);
  for (let from = 0; from < ids.length; from += ROWS) {
    await work
      .updateTable('firmware_device')
      .set({
        state: deviceStateNumber('queued'),
        wait: '',
        fault: '',
        attempts: 0,
        sent_bytes: 0,
        version_after: '',
        deadline_ms: 0,
        changed_at_ms: atMs,
      })
      .where('id', 'in', ids.slice(from, from + ROWS))
      .execute();
  }
  return { ok: true, value: { ...moved.value, devices: ids.length } };
}

async function noteTask(db: StoreDb, id: number, expectedVersion: number, note: TaskNote): Promise<void> {
  await db
    .updateTable('firmware_task')
    .set({
      version: note.version,
      state: taskStateNumber(note.state),
      reason: note.reason,
      stage: note.stage,
      next_stage_at_ms: note.nextStageAtMs,
      ended_at_ms: note.endedAtMs,
    })
    .where('id', '=', id)
    .where('version', '=', expectedVersion)
    .execute();
}
