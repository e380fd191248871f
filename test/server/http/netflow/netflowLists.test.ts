// Which devices the list of data usage has, and what its spreadsheet says.
import readSheets from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NetflowDevice, NetflowUse } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const DAY_MS = 86_400_000;
const FROM_MS = Date.UTC(2026, 10, 1);

let test: TestApp;
let cookie: string;
let depot: number;
let night: number;
beforeAll(async () => {
  test = await createTestApp();
  const { deviceGroups, deviceTree, memberGroups, devices, netflowUse, simPlans, sims } = test.stores;
  depot = await deviceGroups.insert('Depot');
  const memberGroup = await memberGroups.insert({ name: 'North' });
  const other = await deviceGroups.insert('Other');
  await memberGroups.setDeviceGroups(memberGroup, [depot, other]);
  const added = await deviceTree.add({ name: 'Night', parent: depot, among: [] }, memberGroup);
  if (!added.ok) throw new Error(added.reason);
  night = added.group.serialno;
  const zeros = Array.from({ length: 9 }, () => 0);
  for (const [deviceId, deviceGroup, bytes] of [
    ['BUS1', depot, 1_000_000],
    ['BUS2', night, 2_000_000],
    ['VAN1', other, 4_000_000],
  ] as const) {
    const { incarnation } = await devices.insert({ deviceId, name: deviceId, chn: 1, deviceGroup });
    await netflowUse.write(
      [{ incarnation, hourMs: FROM_MS, received: [bytes, ...zeros.slice(1)], sent: zeros }],
      [
        {
          ...{ incarnation, fromMs: FROM_MS, toMs: FROM_MS + 30 * DAY_MS, receivedBytes: bytes, sentBytes: 500_000 },
          ...{ kinds: zeros, today: 1, todayBytes: 250_000, forecastBytes: null, days: [] },
        },
      ],
    );
    if (deviceId !== 'BUS1') continue;
    const content = {
      name: 'Small',
      megabytes: 100,
      resetDay: 1,
      timeZone: 'Asia/Taipei',
      price: '',
      action: 'none',
    } as const;
    const plan = await simPlans.insert({ memberGroup }, { content, by: 'ann', atMs: 1 });
    if (!plan.ok) throw new Error(plan.reason);
    const sim = { number: '0912', iccid: '89886', plan: plan.value.id, expiryDay: '2027-01-31', version: 0 };
    await sims.putSim(incarnation, sim);
  }
  await test.addUser('ann', ['netflow'], [memberGroup]);
  cookie = await test.signIn('ann');
});
afterAll(() => test.close());

async function get<Data>(url: string): Promise<Data> {
  const answer = await test.request({ url, headers: { cookie } });
  expect(answer.statusCode).toBe(200);
  return (answer.json() as { data: Data }).data;
}

describe('data usage by device group (S-2.4.9)', () => {
  const devicesOf = async (group: number): Promise<string[]> => {
    const { rows } = await get<{ rows: NetflowDevice[] }>(`/api/netflow/devices?group=${group}&sort=name`);
    return rows.map(({ deviceid }) => deviceid);
  };

  it('lists the devices of a group and of the groups inside it', async () => {
    expect(await devicesOf(depot)).toEqual(['BUS1', 'BUS2']);
    expect(await devicesOf(night)).toEqual(['BUS2']);
    expect(await devicesOf(9_999)).toEqual([]);
  });

  it('adds up the same devices', async () => {
    const range = `fromMs=${FROM_MS}&toMs=${FROM_MS + DAY_MS}&timeZone=UTC&step=day`;
    const of = async (group: number) => (await get<NetflowUse>(`/api/netflow/use?${range}&group=${group}`)).top;
    expect((await of(depot)).map(({ deviceid, bytes }) => [deviceid, bytes])).toEqual([
      ['BUS2', 2_080_000],
      ['BUS1', 1_040_000],
    ]);
    expect((await of(night)).map(({ deviceid }) => deviceid)).toEqual(['BUS2']);
  });
});

describe('data usage as a spreadsheet (S-2.4.9)', () => {
  it('has titles in the language of the reader, numbers, and times on the clock of the plan', async () => {
    const file = await test.download('/api/netflow/file?format=xlsx&language=zh-TW', cookie);
    expect(file.headers['content-disposition']).toContain('data-usage.xlsx');
    const [sheet] = await readSheets(file.rawPayload);
    const [titles, bus, ...others] = sheet?.data ?? [];
    expect([titles?.[0], titles?.[6]]).toEqual(['裝置 ID', '接收（MB）']);
    const [from, to] = [new Date(FROM_MS + 8 * 3_600_000), new Date(FROM_MS + 30 * DAY_MS + 8 * 3_600_000)];
    expect(bus).toEqual([
      ...['BUS1', 'BUS1', null, 'Depot', from, to, 1.04, 0.52, 0.26, null],
      ...['Small', 100, '0912', '89886', '2027-01-31'],
    ]);
    expect(others.map(([deviceId]) => deviceId)).toEqual(['BUS2', 'VAN1']);
  });
});
