// Which devices a member group shows is decided by somebody else than those who would then see them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScene, type Scene } from './scene.ts';

const GROUPS = '/api/membership/groups';

let scene: Scene;
let buses: number;
let trucks: number;
beforeEach(async () => {
  scene = await createScene();
  const { test, north, south, addMember, addWith, roles } = scene;
  const { stores } = test;
  buses = await stores.deviceGroups.insert('Buses');
  trucks = await stores.deviceGroups.insert('Trucks');
  await stores.memberGroups.setDeviceGroups(north, [buses]);
  await stores.memberGroups.setDeviceGroups(south, [trucks]);
  await stores.devices.insert({ deviceId: 'TRUCK', name: 'Truck', chn: 1, deviceGroup: trucks });
  await addMember('admin', roles.administrator, [north]);
  await addWith('chief', ['system', 'member', 'devicegroup', 'membergroup', 'link'], [north]);
});
afterEach(() => scene.test.close());

async function put(who: string, serialno: number, deviceGroups: readonly number[]) {
  const { rows } = (await scene.ask(who, 'GET', GROUPS)).data;
  const group = rows.find((row) => row.serialno === serialno);
  const { name, retentionDays, expiresAtMs, version } = group ?? {};
  const body = { name, retentionDays, expiresAtMs, version, deviceGroups };
  return scene.ask(who, 'PUT', `${GROUPS}/${serialno}`, body);
}

const watches = async (who: string) =>
  (await scene.ask(who, 'POST', '/api/device/view', { deviceid: 'TRUCK', kinds: ['live'] })).status === 200;

const claim = (who: string, deviceGroup: number) =>
  scene.ask(who, 'POST', `/api/devicegroup/groups/${deviceGroup}/claim`);

describe('a holder of system and member', () => {
  it('neither joins another group nor brings its devices into the own one', async () => {
    const { ask, south, north, test } = scene;
    const chief = (await test.stores.users.findByName('chief'))?.id;
    expect(await ask('chief', 'POST', `${GROUPS}/${south}/people`, { add: [chief], remove: [] })).toMatchObject({
      status: 403,
      code: 'own-account',
    });
    expect(await put('chief', north, [buses, trucks])).toMatchObject({
      status: 422,
      data: { fields: { deviceGroups: 'device-group-not-yours' } },
    });
    expect(await watches('chief')).toBe(false);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['takes the device group away from its group', () => put('chief', scene.south, [])],
    ['removes its group', () => scene.ask('chief', 'DELETE', `${GROUPS}/${scene.south}?version=1`)],
    [
      'does so twice at once, when two groups own it',
      async () => {
        const { stores } = scene.test;
        const east = await stores.memberGroups.insert({ name: 'East' });
        await stores.memberGroups.setDeviceGroups(east, [trucks]);
        await Promise.all([put('chief', scene.south, []), put('chief', east, [])]);
      },
    ],
  ])('does not free another group’s devices to claim them: %s', async (_way, frees) => {
    await frees();
    expect((await claim('chief', trucks)).status).toBe(404);
    expect(await put('chief', scene.north, [buses, trucks])).toMatchObject({ status: 422 });
    expect(await watches('chief')).toBe(false);
  });

  it('is told why it does not remove a group whose devices it does not see, and does once another group has them', async () => {
    const { ask, south, test } = scene;
    expect(await ask('chief', 'DELETE', `${GROUPS}/${south}?version=1`)).toMatchObject({
      status: 403,
      code: 'device-groups-left-over',
    });
    const east = await test.stores.memberGroups.insert({ name: 'East' });
    await test.stores.memberGroups.setDeviceGroups(east, [trucks]);
    expect((await ask('chief', 'DELETE', `${GROUPS}/${south}?version=1`)).status).toBe(200);
  });

  it('does not place its devices below an own group, nor move or import them', async () => {
    const { ask, test } = scene;
    expect((await ask('chief', 'PUT', `/api/devicegroup/groups/${trucks}`, groupFields(buses))).status).toBe(404);
    const moved = await ask('chief', 'POST', '/api/devicegroup/devices/move', { deviceids: ['TRUCK'], group: buses });
    expect(moved.data).toEqual({ moved: 0 });
    expect((await test.stores.devices.findByDeviceId('TRUCK'))?.deviceGroup).toBe(trucks);
  });

  it('keeps what the own group has, gives it to others, and takes what no group owns', async () => {
    const { north, south, test } = scene;
    expect((await put('chief', south, [buses, trucks])).status).toBe(200);
    expect((await put('chief', north, [buses])).status).toBe(200);
    const fresh = await test.stores.deviceGroups.insert('New ones');
    expect((await put('chief', north, [buses, fresh])).status).toBe(200);
    expect((await put('chief', north, [fresh])).status).toBe(200);
  });

  it('does not take what no group owns without the permission for device groups', async () => {
    const { addWith, north, test } = scene;
    await addWith('clerk', ['system', 'member'], [north]);
    const fresh = await test.stores.deviceGroups.insert('New ones');
    expect(await put('clerk', north, [buses, fresh])).toMatchObject({
      data: { fields: { deviceGroups: 'device-group-not-yours' } },
    });
  });
});

it('somebody who holds every permission does both', async () => {
  const { ask, north, south, test } = scene;
  expect((await put('admin', north, [buses, trucks])).status).toBe(200);
  expect(await watches('admin')).toBe(true);
  const admin = (await test.stores.users.findByName('admin'))?.id;
  expect((await ask('admin', 'POST', `${GROUPS}/${south}/people`, { add: [admin], remove: [] })).status).toBe(200);
  expect((await ask('admin', 'DELETE', `${GROUPS}/${south}?version=1`)).status).toBe(200);
});

function groupFields(parent: number) {
  return { name: 'Trucks', parent, version: 1 };
}
