// The devices of firmware tasks, and the log of what was done with each.
import { sql } from 'kysely';
import type { FIRMWARE_DEVICE_SORTS } from '../../../shared/protocol/api/firmware/tasks.ts';
import { FIRMWARE_DEVICE_STATES, type FirmwareDeviceState } from '../../../shared/protocol/firmware/firmwareWords.ts';
import type { StoreDb } from '../engine/database.ts';
import { searchIn } from '../engine/likeSearch.ts';
import { type FoundPage, listPage, mapRows, numberColumn, type PageRequest, textKey } from '../engine/listPage.ts';
import {
  deviceColumns,
  deviceStateNumber,
  type FirmwareStep,
  type StoredFirmwareDevice,
  stepColumns,
  toFirmwareDevice,
  toFirmwareStep,
} from './firmwareDeviceRows.ts';

interface FirmwareDeviceQuery extends PageRequest<(typeof FIRMWARE_DEVICE_SORTS)[number]> {
  readonly task: number;
  /** A task of another one has no devices. */
  readonly memberGroup: number;
  readonly search: string;
  readonly state: FirmwareDeviceState | undefined;
}

export interface ListedFirmwareDevice extends StoredFirmwareDevice {
  readonly deviceId: string;
  /** Both '' of a device that the member group has no longer. */
  readonly name: string;
  readonly plate: string;
  readonly imageBytes: number;
}

/** A device as it is now, and what happened to it. */
export interface FirmwareChange {
  readonly device: StoredFirmwareDevice;
  readonly step: FirmwareStep | undefined;
}

export interface FirmwareDeviceStore {
  page(query: FirmwareDeviceQuery): Promise<FoundPage<ListedFirmwareDevice> | undefined>;
  /** By id. */
  ofTask(task: number): Promise<readonly StoredFirmwareDevice[]>;
  /** Devices of each stage of each of these tasks, by state. */
  progress(tasks: readonly number[]): Promise<ReadonlyMap<number, readonly (readonly number[])[]>>;
  /** All of it or nothing. What belongs to a device that is gone is left out. */
  write(changes: readonly FirmwareChange[]): Promise<void>;
  /** The latest first. Undefined where the device is none of the member group's tasks. */
  steps(device: number, memberGroup: number): Promise<readonly FirmwareStep[] | undefined>;
}

/** Shown and kept of one device. */
const KEPT_STEPS = 200;

const ORDER = {
  stage: numberColumn('fd.stage'),
  name: textKey(sql`coalesce(own.name_key, '')`),
  state: numberColumn('fd.state'),
  changedAtMs: numberColumn('fd.changed_at_ms'),
} as const;

export function createFirmwareDeviceStore(db: StoreDb, reading: StoreDb): FirmwareDeviceStore {
  return {
    page: (query) => pageOfDevices(reading, query),
    ofTask: async (task) => {
      const rows = await db.selectFrom('firmware_device').selectAll().where('task', '=', task).orderBy('id').execute();
      return rows.map(toFirmwareDevice);
    },
    progress: (tasks) => progressOf(reading, tasks),
    write: async (changes) => {
      if (changes.length > 0) await db.transaction().execute((work) => writeChanges(work, changes));
    },
    steps: (device, memberGroup) => stepsOf(reading, device, memberGroup),
  };
}

async function pageOfDevices(db: StoreDb, query: FirmwareDeviceQuery) {
  const { task, memberGroup, search, state, sort } = query;
  const own = db
    .selectFrom('device')
    .innerJoin('member_group_device_group as owns', 'owns.device_group', 'device.device_group')
    .select(['device.incarnation', 'device.name', 'device.plate', 'device.name_key'])
    .where('owns.member_group', '=', memberGroup)
    .where('device.disabled', '=', 0)
    .as('own');
  const all = db
    .selectFrom('firmware_device as fd')
    .innerJoin('firmware_task as task', 'task.id', 'fd.task')
    .innerJoin('firmware_image as image', 'image.id', 'task.image')
    .innerJoin('device_incarnation as was', 'was.incarnation', 'fd.incarnation')
    .leftJoin(own, 'own.incarnation', 'fd.incarnation')
    .selectAll('fd')
    .select(['was.device_id', 'own.name', 'own.plate', 'image.bytes as image_bytes'])
    .where('fd.task', '=', task)
    .where('task.member_group', '=', memberGroup);
  const ofState = state === undefined ? all : all.where('fd.state', '=', deviceStateNumber(state));
  const found = searchIn([sql.ref('was.device_id'), sql`coalesce(own.name, '')`, sql`coalesce(own.plate, '')`], search);
  const rows = found === undefined ? ofState : ofState.where(found);
  const page = await listPage(db, { rows, keys: [ORDER[sort], numberColumn('fd.id')] }, query);
  return mapRows(page, (row) => ({
    ...toFirmwareDevice(row),
    deviceId: row.device_id,
    name: row.name ?? '',
    plate: row.plate ?? '',
    imageBytes: row.image_bytes,
  }));
}

async function progressOf(
  db: StoreDb,
  tasks: readonly number[],
): Promise<ReadonlyMap<number, readonly (readonly number[])[]>> {
  if (tasks.length === 0) return new Map();
  const rows = await db
    .selectFrom('firmware_device')
    .select(({ fn }) => ['task', 'stage', 'state', fn.countAll<number>().as('devices')])
    .where('task', 'in', [...tasks])
    .groupBy(['task', 'stage', 'state'])
    .execute();
  const progress = new Map<number, number[][]>();
  for (const { task, stage, state, devices } of rows) {
    const stages = progress.get(task) ?? [];
    progress.set(task, stages);
    while (stages.length <= stage) stages.push(FIRMWARE_DEVICE_STATES.map(() => 0));
    const counts = stages[stage];
    if (counts !== undefined) counts[state] = Number(devices);
  }
  return progress;
}

async function writeChanges(work: StoreDb, changes: readonly FirmwareChange[]): Promise<void> {
  for (const { device, step } of changes) {
    const { numUpdatedRows } = await work
      .updateTable('firmware_device')
      .set(deviceColumns(device))
      .where('id', '=', device.id)
      .executeTakeFirst();
    if (step === undefined || numUpdatedRows === 0n) continue;
    await work.insertInto('firmware_step').values(stepColumns(device.id, step)).execute();
    await trimSteps(work, device.id);
  }
}

/** A device that waits for this and that for weeks keeps the latest. */
async function trimSteps(work: StoreDb, device: number): Promise<void> {
  const oldest = await work
    .selectFrom('firmware_step')
    .select('id')
    .where('device', '=', device)
    .orderBy('id', 'desc')
    .offset(KEPT_STEPS)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await work.deleteFrom('firmware_step').where('device', '=', device).where('id', '<=', oldest.id).execute();
}

async function stepsOf(db: StoreDb, device: number, memberGroup: number): Promise<readonly FirmwareStep[] | undefined> {
  const isOwn = await db
    .selectFrom('firmware_device as fd')
    .innerJoin('firmware_task as task', 'task.id', 'fd.task')
    .select('fd.id')
    .where('fd.id', '=', device)
    .where('task.member_group', '=', memberGroup)
    .executeTakeFirst();
  if (isOwn === undefined) return undefined;
  const steps = db.selectFrom('firmware_step').selectAll().where('device', '=', device).orderBy('id', 'desc');
  return (await steps.limit(KEPT_STEPS).execute()).map(toFirmwareStep);
}
