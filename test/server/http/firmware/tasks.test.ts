import type { InjectOptions } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { InstalledDevice } from '../../../../shared/protocol/api/firmware/images.ts';
import type {
  FirmwareDevice,
  FirmwareReach,
  FirmwareSteps,
  FirmwareTask,
  FirmwareTaskContent,
} from '../../../../shared/protocol/api/firmware/tasks.ts';
import { aTaskContent } from '../../../support/firmware/aTask.ts';
import { insertTestImage } from '../../../support/firmware/testImages.ts';
import { type Answer, cookieFor } from '../events/eventDefineScene.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const TASKS = '/api/firmware/tasks';
let test: TestApp;
let image: number;
let north: number;

beforeAll(async () => {
  test = await createTestApp();
  north = await addGroup('North', ['BUS1', 'BUS2', 'BUS3']);
  const south = await addGroup('South', ['TRUCK1']);
  await test.addUser('ann', ['fwupdate'], [north]);
  await test.addUser('bob', ['fwupdate'], [north]);
  await test.addUser('south', ['fwupdate'], [south]);
  await test.addUser('driver', ['system'], [north]);
  image = await insertTestImage(test.db, north);
});
afterEach(async () => {
  for (const table of ['firmware_task', 'audit', 'device_order'] as const) await test.db.deleteFrom(table).execute();
  test.taskChanges.length = 0;
  test.firmwareChanges.length = 0;
});
afterAll(() => test.close());

async function addGroup(name: string, deviceIds: readonly string[]): Promise<number> {
  const { stores, db } = test;
  const deviceGroup = await stores.deviceGroups.insert(name);
  const memberGroup = await stores.memberGroups.insert({ name });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  for (const deviceId of deviceIds) {
    const plate = `${deviceId}-P`;
    const { incarnation } = await stores.devices.insert({ deviceId, name: deviceId, plate, deviceGroup, chn: 4 });
    await db
      .insertInto('terminal_attributes')
      .values({
        incarnation,
        manufacturer: '',
        model: deviceId === 'BUS3' ? 'OTHER' : 'MDVR-8',
        terminal_id: '',
        iccid: '',
        hardware_version: '',
        firmware_version: 'V1.0',
        reported_at_ms: 1,
      })
      .execute();
  }
  return memberGroup;
}

async function ask<Data>(
  method: InjectOptions['method'],
  url: string,
  body?: object,
  as = 'ann',
): Promise<Answer<Data>> {
  const headers = as === '' ? {} : { cookie: await cookieFor(test, as) };
  const answer = await test.request({ method: method ?? 'GET', url, headers, ...(body && { body }) });
  const { code, data } = answer.json();
  return { status: answer.statusCode, code, data };
}

async function add(change: Partial<FirmwareTaskContent> = {}): Promise<FirmwareTask> {
  const { status, code, data } = await ask<FirmwareTask>('POST', TASKS, aTaskContent({ image, ...change }));
  if (status !== 200) throw new Error(`${status} ${code} ${JSON.stringify(data)}`);
  return data;
}

function act(task: Pick<FirmwareTask, 'id' | 'version'>, name: string, as = 'ann') {
  const body = { act: name, reason: 'because', version: task.version };
  return ask<FirmwareTask>('POST', `${TASKS}/${task.id}/act`, body, as);
}

async function started(change: Partial<FirmwareTaskContent> = {}): Promise<FirmwareTask> {
  const approved = await act(await add(change), 'approve', 'bob');
  return (await act(approved.data, 'start')).data;
}

function callsOf(id: number) {
  return [
    ['GET', TASKS],
    ['POST', TASKS, aTaskContent({ image })],
    ['GET', `${TASKS}/${id}`],
    ['PUT', `${TASKS}/${id}`, { ...aTaskContent({ image }), version: 1 }],
    ['DELETE', `${TASKS}/${id}?version=1`],
    ['POST', `${TASKS}/${id}/act`, { act: 'approve', reason: '', version: 1 }],
    ['GET', `/api/firmware/devices?task=${id}`],
    ['GET', '/api/firmware/steps?device=1'],
    ['GET', '/api/firmware/installed'],
    ['POST', '/api/firmware/reach', { image, devices: [], deviceGroups: [], model: '', installedVersion: '' }],
    ['POST', '/api/firmware/restart', { deviceid: 'BUS1', act: 'restart', plate: 'BUS1-P', reason: '' }],
  ] as const;
}

describe('who may update firmware (S-2.4.7)', () => {
  it.each([
    ['nobody who is not signed in', '', 401],
    ['no one without `fwupdate`', 'driver', 403],
  ] as const)('%s', async (_who, as, status) => {
    for (const [method, url, body] of callsOf((await add()).id)) {
      expect({ url, status: (await ask(method, url, body, as)).status }).toEqual({ url, status });
    }
  });

  it('tasks, images and devices of another member group are not there', async () => {
    const { id } = await started();
    const { data } = await ask<{ rows: FirmwareDevice[] }>('GET', `/api/firmware/devices?task=${id}`);
    const device = data.rows[0]?.id;
    const notThere: [InjectOptions['method'], string, object?][] = [
      ['GET', `${TASKS}/${id}`],
      ['PUT', `${TASKS}/${id}`, { ...aTaskContent({ image }), version: 3 }],
      ['DELETE', `${TASKS}/${id}?version=3`],
      ['POST', `${TASKS}/${id}/act`, { act: 'stop', reason: '', version: 3 }],
      ['GET', `/api/firmware/steps?device=${device}`],
      ['POST', '/api/firmware/restart', { deviceid: 'BUS1', act: 'restart', plate: 'BUS1-P', reason: '' }],
    ];
    for (const [method, url, body] of notThere) {
      expect({ url, status: (await ask(method, url, body, 'south')).status }).toEqual({ url, status: 404 });
    }
    const empty = { data: { rows: [], total: 0 } };
    expect(await ask('GET', TASKS, undefined, 'south')).toMatchObject(empty);
    const installed = '/api/firmware/installed?model=OTHER&firmwareVersion=V1.0';
    expect(await ask('GET', installed, undefined, 'south')).toMatchObject(empty);
    expect(await ask('GET', `/api/firmware/devices?task=${id}`, undefined, 'south')).toMatchObject(empty);
    const foreign = await ask('POST', TASKS, aTaskContent({ image, devices: ['BUS1'] }), 'south');
    expect(foreign).toMatchObject({ status: 422, data: { fields: { image: 'unknown', devices: 'unknown' } } });
  });
});

describe('firmware tasks', () => {
  it('are added, changed and deleted, each told to the group and kept in the audit', async () => {
    const added = await add({ name: '  Spring ' });
    expect(added).toMatchObject({
      name: 'Spring',
      state: 'draft',
      mayApprove: false,
      imageName: 'Image',
      progress: [],
    });
    const content = aTaskContent({ image, name: 'Summer' });
    const put = await ask<FirmwareTask>('PUT', `${TASKS}/${added.id}`, { ...content, version: 1 });
    expect(put).toMatchObject({ status: 200, data: { name: 'Summer', version: 2 } });
    const stale = await ask('PUT', `${TASKS}/${added.id}`, { ...content, version: 1 });
    expect(stale).toMatchObject({ status: 409, code: 'conflict', data: { current: { version: 2 } } });
    expect(await ask('DELETE', `${TASKS}/${added.id}?version=2`)).toMatchObject({ status: 200 });
    expect(await ask('GET', `${TASKS}/${added.id}`)).toMatchObject({ status: 404, code: 'no-such-firmware-task' });
    const actions = await test.db.selectFrom('audit').select('action').orderBy('id').execute();
    expect(actions.map(({ action }) => action).filter((action) => action.startsWith('firmware'))).toEqual([
      'firmwaretask.add',
      'firmwaretask.change',
      'firmwaretask.remove',
    ]);
    expect(test.firmwareChanges).toEqual([north, north, north]);
  });

  it.each([
    [{ name: ' ' }, { name: 'required' }],
    [{ devices: ['TRUCK1'] }, { devices: 'unknown' }],
    [{ canaries: ['TRUCK1'] }, { canaries: 'unknown' }],
    [{ devices: ['BUS1', 'BUS2'], canaries: ['BUS3'] }, { canaries: 'not-allowed' }],
    [{ model: 'MDVR*', canaries: ['BUS1', 'BUS3'] }, { canaries: 'not-allowed' }],
    [{ deviceGroups: [99_999] }, { deviceGroups: 'unknown' }],
    [{ stages: [50] }, { stages: 'out-of-range' }],
    [{ fromDay: '2026-13-01' }, { fromDay: 'out-of-range' }],
    [{ fromDay: '2026-11-02', toDay: '2026-11-01' }, { toDay: 'out-of-range' }],
  ])('%j is refused', async (change, fields) => {
    const answer = await ask('POST', TASKS, aTaskContent({ image, ...change }));
    expect(answer).toMatchObject({ status: 422, data: { fields } });
  });

  it('are approved by somebody who has not edited them', async () => {
    const task = await add();
    expect(await act(task, 'start')).toMatchObject({ status: 409, code: 'wrong-firmware-state' });
    expect(await act(task, 'approve')).toMatchObject({ status: 403, code: 'second-person' });
    const seen = await ask<FirmwareTask>('GET', `${TASKS}/${task.id}`, undefined, 'bob');
    expect(seen.data.mayApprove).toBe(true);
    const approved = await act(task, 'approve', 'bob');
    expect(approved).toMatchObject({ status: 200, data: { state: 'approved', approvedBy: 'bob' } });
    expect(await act(task, 'start')).toMatchObject({ status: 409, code: 'conflict' });
    expect(test.taskChanges).toEqual([]);
  });

  it('fix their devices at the start, and are paused, resumed, stopped and retried', async () => {
    const task = await started({ canaries: ['BUS2'] });
    expect(task).toMatchObject({ state: 'running', version: 3 });
    const { data } = await ask<{ rows: FirmwareDevice[] }>('GET', `/api/firmware/devices?task=${task.id}`);
    const rows = new Map(data.rows.map((row) => [row.deviceid, row]));
    expect(rows.get('BUS1')).toMatchObject({ stage: 1, state: 'queued', versionBefore: 'V1.0', totalBytes: 1_000 });
    expect(rows.get('BUS2')).toMatchObject({ stage: 0, state: 'queued', plate: 'BUS2-P' });
    expect(rows.get('BUS3')).toMatchObject({ state: 'skipped', fault: 'model-mismatch' });
    const steps = await ask<FirmwareSteps>('GET', `/api/firmware/steps?device=${rows.get('BUS1')?.id}`);
    expect(steps).toMatchObject({ status: 200, data: [] });
    let version = task.version;
    for (const [name, state] of [
      ['pause', 'paused'],
      ['resume', 'running'],
      ['stop', 'stopped'],
      ['retry', 'running'],
    ] as const) {
      const answer = await act({ id: task.id, version }, name);
      expect(answer).toMatchObject({ status: 200, data: { state } });
      version = answer.data.version;
    }
    expect(test.taskChanges.map(({ id }) => id)).toEqual(Array.from({ length: 5 }, () => task.id));
    expect(await ask('DELETE', `${TASKS}/${task.id}?version=${version}`)).toMatchObject({ status: 409 });
  });

  it('are not retried with an image that was deleted', async () => {
    const old = await insertTestImage(test.db, north, { name: 'Old' });
    const stopped = await act(await started({ image: old }), 'stop');
    await test.db.updateTable('firmware_image').set({ removed_at_ms: 5 }).where('id', '=', old).execute();
    test.taskChanges.length = 0;
    expect(await act(stopped.data, 'retry')).toMatchObject({ status: 404, code: 'no-such-firmware-image' });
    expect(test.taskChanges).toEqual([]);
  });

  it('are told to what runs them even if the audit fails', async () => {
    const task = await started();
    test.taskChanges.length = 0;
    const audit = vi.spyOn(test.stores.audit, 'add').mockRejectedValueOnce(new Error('disk full'));
    expect(await act(task, 'stop')).toMatchObject({ status: 500 });
    audit.mockRestore();
    expect(test.taskChanges).toEqual([{ id: task.id, isAccepted: false }]);
  });

  it('do not start for nobody', async () => {
    const task = await add({ devices: ['BUS3'] });
    const approved = await act(task, 'approve', 'bob');
    expect(await act(approved.data, 'start')).toMatchObject({ status: 409, code: 'no-firmware-targets' });
  });

  it('do not start without any of their canaries, and start with some of them', async () => {
    const startWith = async (change: Partial<FirmwareTaskContent>) => {
      const approved = await act(await add(change), 'approve', 'bob');
      return act(approved.data, 'start');
    };
    const refusal = { status: 409, code: 'no-firmware-canaries' };
    expect(await startWith({ canaries: ['BUS3'] })).toMatchObject(refusal);
    expect(await startWith({ canaries: ['BUS3', 'BUS2'] })).toMatchObject({ status: 200 });
  });

  it('say beforehand whom they would reach', async () => {
    const targets = { image, devices: [], deviceGroups: [], model: '', installedVersion: 'V1*' };
    const reach = await ask<FirmwareReach>('POST', '/api/firmware/reach', targets);
    const unfitting = [{ fault: 'model-mismatch', devices: 1 }];
    expect(reach).toMatchObject({ status: 200, data: { devices: 3, fitting: 2, unfitting } });
    const none = await ask<FirmwareReach>('POST', '/api/firmware/reach', { ...targets, model: 'X' });
    expect(none.data).toEqual({ devices: 0, fitting: 0, unfitting: [] });
  });
});

describe('the devices with one version', () => {
  it('are listed for the member group, page by page and as a file', async () => {
    // Both were reported at the same moment.
    const path = '/api/firmware/installed?model=MDVR-8&firmwareVersion=V1.0&sort=reportedAtMs&limit=1';
    const { data } = await ask<{ rows: InstalledDevice[]; total: number; next: string }>('GET', path);
    expect(data).toMatchObject({ total: 2, rows: [{ deviceid: 'BUS1', plate: 'BUS1-P', isOnline: false }] });
    const next = await ask('GET', `${path}&after=${data.next}`);
    expect(next.data).toMatchObject({ rows: [{ deviceid: 'BUS2', reportedAtMs: 1 }], next: null });
    const file = await ask<{ address: string }>('POST', '/api/firmware/installed/csv?model=OTHER&firmwareVersion=V1.0');
    const { body } = await test.request({ method: 'GET', url: file.data.address });
    expect(body).toContain('BUS3,BUS3,BUS3-P');
    expect(body).not.toContain('BUS1');
  });

  it.each([
    '',
    '?model=MDVR-8&firmwareVersion=V2.0',
    '?firmwareVersion=V1.0',
    '?manufacturer=A&model=MDVR-8&firmwareVersion=V1.0',
  ])('are none where a part is another, or left out: %j', async (query) => {
    expect(await ask('GET', `/api/firmware/installed${query}`)).toMatchObject({ data: { rows: [], total: 0 } });
  });
});

describe('a restart of a terminal', () => {
  const restart = (change: object) => {
    const body = { deviceid: 'BUS1', act: 'factory-reset', plate: ' bus1-p ', reason: 'hangs', ...change };
    return ask('POST', '/api/firmware/restart', body);
  };

  it('takes the plate, typed by hand', async () => {
    expect(await restart({ plate: 'BUS2-P' })).toMatchObject({ status: 422, code: 'wrong-plate' });
    expect(await restart({ plate: '' })).toMatchObject({ status: 422 });
    expect(await test.db.selectFrom('device_order').select('id').execute()).toEqual([]);
  });

  it('is ordered and kept in the audit', async () => {
    expect(await restart({})).toMatchObject({ status: 200, data: { isOnline: false } });
    const orders = await test.db.selectFrom('device_order').select(['message', 'body']).execute();
    expect(orders).toMatchObject([{ message: 'terminalControl' }]);
    expect(JSON.parse(orders[0]?.body ?? '')).toMatchObject({ command: 5 });
    const entries = await test.db.selectFrom('audit').select(['action', 'target']).execute();
    expect(entries).toContainEqual({ action: 'device.factoryreset', target: 'BUS1' });
  });
});
