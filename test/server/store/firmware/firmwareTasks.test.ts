import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { StoredFirmwareTask } from '../../../../server/store/firmware/firmwareTaskRows.ts';
import type { StartedDevice } from '../../../../server/store/firmware/firmwareTasks.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import type { FirmwareTaskContent } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { FIRMWARE_DEVICE_STATES } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { aTaskContent } from '../../../support/firmware/aTask.ts';
import { insertTestImage } from '../../../support/firmware/testImages.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const NOW_MS = Date.UTC(2026, 10, 23);
const FIRST = { at: 'offset', offset: 0 } as const;
const ANN = { id: 1, username: 'Ann', atMs: NOW_MS };
const BOB = { id: 2, username: 'Bob', atMs: NOW_MS + 1 };

describeOnBothEngines('firmware tasks in the database', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let depot: number;
  let elsewhere: number;
  let image: number;
  const incarnations: number[] = [];
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    const deviceGroup = await stores.deviceGroups.insert('North');
    depot = await stores.memberGroups.insert({ name: 'Depot' });
    elsewhere = await stores.memberGroups.insert({ name: 'Elsewhere' });
    await stores.memberGroups.setDeviceGroups(depot, [deviceGroup]);
    for (const deviceId of ['BUS1', 'BUS2', 'BUS3']) {
      const device = await stores.devices.insert({ deviceId, name: `Name of ${deviceId}`, chn: 1, deviceGroup });
      incarnations.push(device.incarnation);
    }
    image = await insertTestImage(database.db, depot);
  });
  afterEach(async () => {
    await database.db.deleteFrom('firmware_task').execute();
    await database.db.deleteFrom('terminal_attributes').execute();
    await database.db.updateTable('device').set({ disabled: 0 }).execute();
  });
  afterAll(() => database.close());

  const add = async (change: Partial<FirmwareTaskContent> = {}): Promise<StoredFirmwareTask> => {
    const added = await stores.firmwareTasks.insert(depot, aTaskContent({ image, ...change }), ANN);
    if (!added.ok) throw new Error(added.reason);
    return added.value;
  };
  const devices = (faults: readonly string[] = []): StartedDevice[] =>
    incarnations.map((incarnation, at) => {
      return { incarnation, stage: at > 0 ? 1 : 0, model: 'M', versionBefore: '1', fault: faults[at] ?? '' };
    });
  const start = async (task: StoredFirmwareTask, faults?: readonly string[]): Promise<StoredFirmwareTask> => {
    const done = await stores.firmwareTasks.start(task, devices(faults), NOW_MS);
    if (!done.ok) throw new Error(done.reason);
    return done.value.after;
  };

  it('are kept as they were sent, and seen by their member group alone', async () => {
    const task = await add({ name: 'Spring', canaries: ['BUS1'], stages: [10, 100] });
    expect(task).toMatchObject({ version: 1, state: 'draft', imageName: 'Image', editedBy: [1], createdBy: 'Ann' });
    expect(task.content).toEqual(aTaskContent({ image, name: 'Spring', canaries: ['BUS1'], stages: [10, 100] }));
    expect(await stores.firmwareTasks.find(task.id, depot)).toEqual(task);
    expect(await stores.firmwareTasks.find(task.id, elsewhere)).toBeUndefined();
    const query = { memberGroup: depot, search: 'SPR', state: undefined, sort: 'name', descending: false } as const;
    const page = await stores.firmwareTasks.page({ ...query, limit: 9, position: FIRST });
    expect(page).toMatchObject({ rows: [task], total: 1 });
    const others = { ...query, memberGroup: elsewhere, limit: 9, position: FIRST };
    expect(await stores.firmwareTasks.page(others)).toMatchObject({ rows: [], total: 0 });
  });

  it('are of an image of the same member group', async () => {
    const foreign = await stores.firmwareTasks.insert(elsewhere, aTaskContent({ image }), ANN);
    expect(foreign).toEqual({ ok: false, reason: 'no-image' });
  });

  it('are of no image that was deleted, and are not retried with it', async () => {
    const old = await insertTestImage(database.db, depot, { name: 'Old' });
    const draft = await add();
    const task = await start(await add({ image: old }));
    const over = await stores.firmwareTasks.move(task, { state: 'stopped', atMs: NOW_MS });
    if (!over.ok) throw new Error(over.reason);
    await database.db.updateTable('firmware_image').set({ removed_at_ms: 5 }).where('id', '=', old).execute();
    const refused = { ok: false, reason: 'no-image' };
    expect(await stores.firmwareTasks.retry(over.value.after, NOW_MS)).toEqual(refused);
    expect(await stores.firmwareTasks.find(task.id, depot)).toMatchObject({ state: 'stopped' });
    expect(await stores.firmwareTasks.insert(depot, aTaskContent({ image: old }), ANN)).toEqual(refused);
    expect(await stores.firmwareTasks.update(draft, aTaskContent({ image: old }), ANN)).toEqual(refused);
  });

  it('remember all who have changed them, and lose their approval by a change', async () => {
    const task = await add();
    const approved = await stores.firmwareTasks.move(task, { state: 'approved', approval: BOB, atMs: NOW_MS });
    expect(approved).toMatchObject({ ok: true, value: { after: { approvedBy: 'Bob', version: 2 } } });
    const stale = await stores.firmwareTasks.update(task, task.content, BOB);
    expect(stale).toEqual({ ok: false, reason: 'conflict' });
    const changed = await stores.firmwareTasks.update({ ...task, version: 2 }, task.content, BOB);
    const after = { state: 'draft', approvedBy: '', editedBy: [1, 2], version: 3 };
    expect(changed).toMatchObject({ ok: true, value: { after } });
    await start({ ...task, version: 3 });
    const running = await stores.firmwareTasks.update({ ...task, version: 4 }, task.content, BOB);
    expect(running).toEqual({ ok: false, reason: 'wrong-state' });
    expect(await stores.firmwareTasks.remove({ ...task, version: 4 })).toEqual({ ok: false, reason: 'wrong-state' });
  });

  it('have each device in one of them at a time', async () => {
    const first = await start(await add({ name: 'First' }), ['', '', 'already-installed']);
    const second = await start(await add({ name: 'Second' }));
    const rows = await stores.firmwareDevices.ofTask(second.id);
    expect(rows.map(({ state, fault }) => [state, fault])).toEqual([
      ['skipped', 'in-other-task'],
      ['skipped', 'in-other-task'],
      ['queued', ''],
    ]);
    expect(await stores.firmwareTasks.open()).toEqual([first.id, second.id]);
    const progress = (await stores.firmwareDevices.progress([first.id])).get(first.id);
    const of = (state: (typeof FIRMWARE_DEVICE_STATES)[number]) => FIRMWARE_DEVICE_STATES.indexOf(state);
    expect(progress?.map((stage) => [stage[of('queued')], stage[of('skipped')]])).toEqual([
      [1, 0],
      [1, 1],
    ]);
  });

  it('have each device once, though groups that share it start or retry theirs at once', async () => {
    const ownImage = await insertTestImage(database.db, elsewhere);
    const addElsewhere = async () => {
      const added = await stores.firmwareTasks.insert(elsewhere, aTaskContent({ image: ownImage }), ANN);
      if (!added.ok) throw new Error(added.reason);
      return added.value;
    };
    const owners = () =>
      database.db
        .selectFrom('firmware_device')
        .select('incarnation')
        .where('state', '=', FIRMWARE_DEVICE_STATES.indexOf('queued'))
        .orderBy('incarnation')
        .execute();
    const each = incarnations.map((incarnation) => ({ incarnation }));
    for (let round = 0; round < 5; round++) {
      const [one, other] = await Promise.all([add(), addElsewhere()]);
      const tasks = await Promise.all([start(one), start(other)]);
      expect(await owners()).toEqual(each);
      await database.db
        .updateTable('firmware_device')
        .set({ state: FIRMWARE_DEVICE_STATES.indexOf('failed') })
        .execute();
      await Promise.all(tasks.map((task) => stores.firmwareTasks.retry(task, NOW_MS)));
      expect((await owners()).length).toBe(each.length);
      await database.db.deleteFrom('firmware_task').execute();
    }
  });

  it('are open as long as a device of theirs has not ended, whatever has become of them', async () => {
    const task = await start(await add());
    const stopped = await stores.firmwareTasks.move(task, { state: 'stopped', atMs: NOW_MS });
    if (!stopped.ok) throw new Error(stopped.reason);
    expect(await stores.firmwareTasks.open()).toEqual([task.id]);
    const canceled = FIRMWARE_DEVICE_STATES.indexOf('canceled');
    await database.db.updateTable('firmware_device').set({ state: canceled }).execute();
    expect(await stores.firmwareTasks.open()).toEqual([]);
    expect(await stores.firmwareTasks.remove(stopped.value.after)).toMatchObject({ ok: true });
  });

  it('keep what happens to a device, and a log of it', async () => {
    const task = await start(await add());
    const [device] = await stores.firmwareDevices.ofTask(task.id);
    if (device === undefined) throw new Error('no device');
    const failed = { ...device, state: 'failed', fault: 'not-back', attempts: 2, sentBytes: 9 } as const;
    const step = {
      atMs: 5,
      state: 'failed',
      wait: '',
      fault: 'not-back',
      attempt: 2,
      sentBytes: 9,
      detail: 'x',
    } as const;
    await stores.firmwareDevices.write([
      { device: failed, step },
      { device: { ...failed, id: 999_999 }, step },
    ]);
    expect((await stores.firmwareDevices.ofTask(task.id))[0]).toEqual(failed);
    expect(await stores.firmwareDevices.steps(device.id, depot)).toEqual([step]);
    expect(await stores.firmwareDevices.steps(device.id, elsewhere)).toBeUndefined();
    const retried = await stores.firmwareTasks.retry(task, NOW_MS);
    expect(retried).toMatchObject({ ok: true, value: { devices: 1 } });
    expect((await stores.firmwareDevices.ofTask(task.id))[0]).toMatchObject({
      state: 'queued',
      attempts: 0,
      fault: '',
    });
  });

  it('list their devices by any order, and hide what the member group has no longer', async () => {
    const task = await start(await add());
    const query = {
      task: task.id,
      memberGroup: depot,
      search: '',
      state: undefined,
      limit: 2,
      position: FIRST,
    } as const;
    const byName = { ...query, sort: 'name', descending: true } as const;
    const page = await stores.firmwareDevices.page(byName);
    expect(page?.rows.map(({ deviceId, imageBytes }) => [deviceId, imageBytes])).toEqual([
      ['BUS3', 1_000],
      ['BUS2', 1_000],
    ]);
    const next = await stores.firmwareDevices.page({ ...byName, position: { at: 'after', values: page?.next ?? [] } });
    expect(next?.rows.map(({ deviceId }) => deviceId)).toEqual(['BUS1']);
    await database.db.updateTable('device').set({ disabled: 1 }).where('device_id', '=', 'BUS2').execute();
    const found = await stores.firmwareDevices.page({ ...byName, search: 'bus2' });
    expect(found?.rows).toMatchObject([{ deviceId: 'BUS2', name: '', plate: '' }]);
    expect((await stores.firmwareDevices.page({ ...byName, memberGroup: elsewhere }))?.rows).toEqual([]);
    for (const sort of ['stage', 'state', 'changedAtMs'] as const) {
      const sorted = await stores.firmwareDevices.page({ ...byName, sort, state: 'queued' });
      expect(sorted).toMatchObject({ total: 3 });
    }
  });

  it('take what a task does by itself only as long as no call has changed it', async () => {
    const task = await start(await add());
    const note = { version: 3, state: 'done', reason: '', stage: 1, nextStageAtMs: 0, endedAtMs: 8 } as const;
    await stores.firmwareTasks.note(task.id, task.version - 1, note);
    expect(await stores.firmwareTasks.findAnywhere(task.id)).toMatchObject({ state: 'running', version: 2 });
    await stores.firmwareTasks.note(task.id, task.version, note);
    expect(await stores.firmwareTasks.findAnywhere(task.id)).toMatchObject({ state: 'done', version: 3, stage: 1 });
  });

  const report = (incarnation: number, said: { manufacturer: string; model: string; firmware_version: string }) =>
    database.db
      .insertInto('terminal_attributes')
      .values({ incarnation, ...said, terminal_id: '1', iccid: '', hardware_version: 'H1', reported_at_ms: 1 })
      .execute();

  it('have a place among the versions, and the devices of each are listed', async () => {
    const [first = 0, second = 0] = incarnations;
    await report(first, { manufacturer: 'ACME', model: 'MDVR', firmware_version: 'V1' });
    // It said nothing of itself, as one that has never been there.
    await report(second, { manufacturer: '', model: '', firmware_version: '' });
    expect(await stores.firmwareVersions.versions(depot)).toEqual([
      { manufacturer: '', model: '', firmwareVersion: '', devices: 2 },
      { manufacturer: 'ACME', model: 'MDVR', firmwareVersion: 'V1', devices: 1 },
    ]);
    const ask = { memberGroup: depot, search: '', sort: 'name', descending: true, limit: 1, position: FIRST } as const;
    const silent = { ...ask, version: { manufacturer: '', model: '', firmwareVersion: '' } };
    const page = await stores.firmwareVersions.devices(silent);
    expect(page).toMatchObject({ total: 2, rows: [{ deviceId: 'BUS3', hardwareVersion: '', reportedAtMs: 0 }] });
    const next = await stores.firmwareVersions.devices({
      ...silent,
      position: { at: 'after', values: page?.next ?? [] },
    });
    expect(next?.rows).toMatchObject([{ deviceId: 'BUS2', hardwareVersion: 'H1', reportedAtMs: 1 }]);
    expect(next?.next).toBeUndefined();
    const named = { ...ask, version: { manufacturer: 'ACME', model: 'MDVR', firmwareVersion: 'V1' } };
    const sorted = await stores.firmwareVersions.devices({ ...named, sort: 'reportedAtMs', search: ' of bus1' });
    expect(sorted?.rows.map(({ name }) => name)).toEqual(['Name of BUS1']);
    expect(await stores.firmwareVersions.devices({ ...named, search: 'BUS2' })).toMatchObject({ total: 0 });
    expect(await stores.firmwareVersions.devices({ ...silent, memberGroup: elsewhere })).toMatchObject({ total: 0 });
    await database.db.updateTable('device').set({ disabled: 1 }).execute();
    expect(await stores.firmwareVersions.devices(named)).toMatchObject({ total: 0 });
  });

  it('reach the devices of the member group, with what their terminals have said', async () => {
    const [first = 0] = incarnations;
    await report(first, { manufacturer: 'ACME', model: 'MDVR', firmware_version: 'V1' });
    const reached = await stores.firmwareReach.devices(depot);
    expect(reached.map(({ deviceId, model, firmwareVersion }) => [deviceId, model, firmwareVersion])).toEqual([
      ['BUS1', 'MDVR', 'V1'],
      ['BUS2', '', ''],
      ['BUS3', '', ''],
    ]);
    expect(await stores.firmwareReach.devices(elsewhere)).toEqual([]);
    expect(await stores.firmwareReach.device(first, elsewhere)).toBeUndefined();
    await database.db.updateTable('device').set({ disabled: 1 }).execute();
    expect(await stores.firmwareReach.device(first, depot)).toBeUndefined();
  });
});
