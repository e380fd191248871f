import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import type { FirmwareImageContent } from '../../../../shared/protocol/api/firmware/images.ts';
import {
  FIRMWARE_DEVICE_STATES,
  FIRMWARE_TASK_STATES,
  type FirmwareDeviceState,
  type FirmwareTaskState,
} from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const SHA256 = 'a'.repeat(64);
const CONTENT: FirmwareImageContent = {
  name: 'Recorder',
  vendor: '',
  models: ['MDVR-*'],
  hardwareVersion: '',
  firmwareVersion: '2.0',
  minimumVersion: '',
  part: 'terminal',
  notes: '',
};

describeOnBothEngines('firmware images in the database', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let memberGroup: number;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    memberGroup = await stores.memberGroups.insert({ name: 'Depot' });
  });
  afterAll(() => database.close());

  const add = async () => {
    const image = { memberGroup, content: CONTENT, sha256: SHA256, bytes: 9, addedAtMs: 1, addedBy: 'Ann' };
    const added = await stores.firmwareImages.insert(image);
    if (!added.ok) throw new Error(added.reason);
    return added.value;
  };
  const addTask = async (image: number, state: FirmwareTaskState) => {
    const names = { name: 'Task', name_key: 'task', content: '{}', created_by: 'Ann', edited_by: '[]' };
    const row = {
      member_group: memberGroup,
      image,
      ...names,
      created_at_ms: 1,
      state: FIRMWARE_TASK_STATES.indexOf(state),
    };
    const { id } = await database.db.insertInto('firmware_task').values(row).returning('id').executeTakeFirstOrThrow();
    return id;
  };
  const addDevice = async (task: number, deviceId: string, state: FirmwareDeviceState) => {
    const deviceGroup = await stores.deviceGroups.insert(`Group of ${deviceId}`);
    const { incarnation } = await stores.devices.insert({ deviceId, name: deviceId, chn: 1, deviceGroup });
    const row = { task, incarnation, stage: 0, state: FIRMWARE_DEVICE_STATES.indexOf(state), changed_at_ms: 1 };
    await database.db.insertInto('firmware_device').values(row).execute();
  };

  it('stay while a task that has not ended has them, and then for the sake of its history', async () => {
    const image = await add();
    await addTask(image.id, 'running');
    const named = { id: image.id, memberGroup, version: 1 };
    expect(await stores.firmwareImages.remove(named, 5)).toEqual({ ok: false, reason: 'in-use' });
    expect((await stores.firmwareImages.find(image.id, memberGroup))?.openTasks).toBe(1);
    const other = { ...CONTENT, firmwareVersion: '3.0' };
    expect(await stores.firmwareImages.update(named, other)).toEqual({ ok: false, reason: 'in-use' });
    expect((await stores.firmwareImages.update(named, { ...CONTENT, notes: 'x' })).ok).toBe(true);
    await database.db
      .updateTable('firmware_task')
      .set({ state: FIRMWARE_TASK_STATES.indexOf('done') })
      .execute();
    expect(await stores.firmwareImages.remove(named, 5)).toEqual({ ok: false, reason: 'conflict' });
    expect((await stores.firmwareImages.remove({ ...named, version: 2 }, 5)).ok).toBe(true);
    expect(await stores.firmwareImages.find(image.id, memberGroup)).toBeUndefined();
    expect(await stores.firmwareImages.hashes()).toEqual(new Set());
    expect(await database.db.selectFrom('firmware_task').select('id').execute()).toHaveLength(1);
  });

  it('stay as they are while a terminal of a stopped task may be installing them', async () => {
    const image = await add();
    const task = await addTask(image.id, 'stopped');
    await addDevice(task, 'BUS1', 'verifying');
    await addDevice(task, 'BUS2', 'canceled');
    const named = { id: image.id, memberGroup, version: 1 };
    expect((await stores.firmwareImages.find(image.id, memberGroup))?.openTasks).toBe(1);
    expect(await stores.firmwareImages.update(named, { ...CONTENT, firmwareVersion: '3.0' })).toMatchObject({
      reason: 'in-use',
    });
    expect(await stores.firmwareImages.remove(named, 5)).toEqual({ ok: false, reason: 'in-use' });
    await database.db
      .updateTable('firmware_device')
      .set({ state: FIRMWARE_DEVICE_STATES.indexOf('failed') })
      .where('task', '=', task)
      .execute();
    expect((await stores.firmwareImages.remove(named, 5)).ok).toBe(true);
    expect(await stores.firmwareImages.find(image.id, memberGroup)).toBeUndefined();
    expect((await stores.firmwareImages.findForTask(image.id, memberGroup))?.sha256).toBe(SHA256);
    expect(await stores.firmwareImages.findForTask(image.id, memberGroup + 1)).toBeUndefined();
  });

  it('are listed for their member group alone', async () => {
    const image = await add();
    const elsewhere = await stores.memberGroups.insert({ name: 'Elsewhere' });
    const query = { sort: 'name', descending: false, limit: 9, position: { at: 'offset', offset: 0 } } as const;
    const page = await stores.firmwareImages.page({ ...query, search: 'RECORD', memberGroup });
    expect(page?.rows).toEqual([image]);
    expect((await stores.firmwareImages.page({ ...query, search: '', memberGroup: elsewhere }))?.rows).toEqual([]);
    expect((await stores.firmwareImages.hashes()).has(SHA256)).toBe(true);
  });
});
