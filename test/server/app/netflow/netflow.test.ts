import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Netflow, startNetflow } from '../../../../server/app/netflow/netflow.ts';
import { type ChangeBus, createChangeBus } from '../../../../server/bus/changeBus.ts';
import { type Closing, createClosing } from '../../../../server/process/closing.ts';
import { createLog } from '../../../../server/process/log.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import type { SimPlanContent } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { openTestDatabase, type TestDatabase } from '../../store/testDatabase.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let stores: Stores;
let memberGroup: number;
let bus: number;
let closing: Closing;
beforeEach(async () => {
  closing = createClosing((_, error) => {
    throw error;
  });
  database = await openTestDatabase('sqlite');
  stores = createStores(database.db);
  const deviceGroup = await stores.deviceGroups.insert('Depot');
  memberGroup = await stores.memberGroups.insert({ name: 'North' });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  ({ incarnation: bus } = await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus', chn: 1, deviceGroup }));
});
afterEach(async () => {
  await closing.close();
  await database.close();
});

async function start(): Promise<Netflow & { readonly told: (number | undefined)[]; readonly changes: ChangeBus }> {
  const told: (number | undefined)[] = [];
  const changes = createChangeBus(noFaults);
  changes.listChanged.subscribe('open pages', ({ list, memberGroup: group }) => {
    if (list === 'netflow') told.push(group);
  });
  const netflow = await startNetflow(
    {
      config: { netflowOverheadPercent: 0 },
      stores,
      bus: changes,
      metrics: new Registry(),
      log: createLog('silent'),
      closing,
      onLimit: () => undefined,
    },
    { engine: { raise: () => undefined } },
  );
  return { ...netflow, told, changes };
}

describe('data usage of a gateway that runs (S-2.4.9)', () => {
  it('has the sums of the new period in the database when a change of plan is answered', async () => {
    const now = Date.now();
    const zeros = Array.from({ length: 9 }, () => 0);
    const used = [2 * DAY_MS, 0].map((agoMs) => Math.floor((now - agoMs) / HOUR_MS) * HOUR_MS);
    const hours = used.map((hourMs) => ({ incarnation: bus, hourMs, received: [500, ...zeros.slice(1)], sent: zeros }));
    await stores.netflowUse.write(hours, []);
    const { changes, told } = await start();
    const content: SimPlanContent = {
      name: 'Small',
      megabytes: 100,
      resetDay: new Date(now).getUTCDate(),
      timeZone: 'UTC',
      price: '',
      action: 'none',
    };
    const plan = await stores.simPlans.insert({ memberGroup }, { content, by: 'ann', atMs: 1 });
    if (!plan.ok) throw new Error(plan.reason);
    await stores.sims.putSim(bus, { number: '', iccid: '', plan: plan.value.id, expiryDay: '', version: 0 });
    await changes.recordsChanged.publish({ kinds: ['simplan'], memberGroup });
    const midnightMs = Math.floor(now / DAY_MS) * DAY_MS;
    expect(await stores.netflowDevices.row(memberGroup, 'BUS1')).toMatchObject({
      from_ms: midnightMs,
      received_bytes: 500,
    });
    expect(told).toContain(memberGroup);
  });
});
