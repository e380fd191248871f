// Names of geofences in events, and the preview: each member group knows its own.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FENCE_PREVIEW_PATH } from '../../../../shared/protocol/api/fences/fences.ts';
import { fenceContent } from '../../../support/fences.ts';
import { anEvent } from '../../store/events/anEvent.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

let test: TestApp;
let memberGroups: readonly number[];

/** Two member groups own the one group of devices; the fence is the first one's. */
beforeEach(async () => {
  test = await createTestApp();
  const { stores } = test;
  const buses = await stores.deviceGroups.insert('Buses');
  memberGroups = [
    await stores.memberGroups.insert({ name: 'North' }),
    await stores.memberGroups.insert({ name: 'South' }),
  ];
  for (const memberGroup of memberGroups) await stores.memberGroups.setDeviceGroups(memberGroup, [buses]);
  await stores.devices.insert({ deviceId: 'BUS1', name: 'Lake line', chn: 1, deviceGroup: buses });
  await test.addUser('ann', ['event', 'system', 'fence'], [memberGroups[0] ?? 0]);
  await test.addUser('sue', ['event', 'fence'], [memberGroups[1] ?? 0]);
});
afterEach(() => test.close());

async function addFence(): Promise<number> {
  const { name, enabled: _, ...content } = fenceContent();
  const row = await test.db
    .insertInto('fence')
    .values({
      member_group: memberGroups[0] ?? 0,
      name,
      name_key: 'depot',
      kind: 0,
      enabled: 1,
      content: JSON.stringify(content),
      changed_at_ms: 1,
      changed_by: 'ann',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

async function addEvent(area: number): Promise<number> {
  const [device] = await test.stores.fleet.archives();
  const event = anEvent({ archiveNumber: device?.archiveNumber ?? 0, type: 'fence-entered', area });
  const [id = 0] = await test.stores.eventLog.write({ added: [event], changed: [], days: [] });
  return id;
}

async function ask(username: string, method: 'GET' | 'POST', url: string, body?: object) {
  const headers = { cookie: await test.signIn(username) };
  const answer = await test.request({ method, url, headers, ...(body === undefined ? {} : { body }) });
  return { status: answer.statusCode, ...(answer.json() as { readonly code: string; readonly data: never }) };
}

describe('an event of a geofence', () => {
  it('is seen by all who see the device, and names the geofence to its own group alone', async () => {
    const fence = await addFence();
    const id = await addEvent(fence);
    const rowOf = async (username: string) => {
      const list = await ask(username, 'GET', '/api/event/events');
      const one = await ask(username, 'GET', `/api/event/events/${id}`);
      const rows = [(list.data as { rows: unknown[] }).rows[0], (one.data as { event: unknown }).event];
      return rows as { readonly area: number; readonly areaName: string }[];
    };
    for (const row of await rowOf('ann')) expect(row).toMatchObject({ area: fence, areaName: 'Depot' });
    for (const row of await rowOf('sue')) expect(row).toMatchObject({ area: fence, areaName: '' });
  });

  it('is told to pages with the owner of the name', async () => {
    const id = await addEvent(await addFence());
    const [row] = await test.stores.eventList.rowsOf([id]);
    expect(row).toMatchObject({ areaName: 'Depot', areaOwner: memberGroups[0] });
  });

  it('has no name for the number of an area that is no geofence', async () => {
    const id = await addEvent(4_711);
    const { data } = await ask('ann', 'GET', `/api/event/events/${id}`);
    expect((data as { event: object }).event).toMatchObject({ area: 4_711, areaName: '' });
  });
});

describe('the preview of a geofence', () => {
  const body = { fence: fenceContent({ rules: { enter: true } }) };

  it('tells how many devices it is for', async () => {
    const { status, data } = await ask('ann', 'POST', FENCE_PREVIEW_PATH, body);
    expect([status, data]).toEqual([200, { devices: 1, total: 0, events: [], isCut: false }]);
  });

  it('is for members with `system` and `fence`', async () => {
    expect((await ask('sue', 'POST', FENCE_PREVIEW_PATH, body)).status).toBe(403);
  });

  it('refuses a zone that there is not', async () => {
    const fence = { ...body.fence, timeZone: 'Nowhere/Land' };
    expect((await ask('ann', 'POST', FENCE_PREVIEW_PATH, { fence })).status).toBe(422);
  });
});
