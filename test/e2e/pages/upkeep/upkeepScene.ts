// What Datasync and Device Netflow show: a rule, requests of a vehicle that is away, and a plan with its SIM.
import {
  NETFLOW_DEVICES_PATH,
  type NetflowDevice,
  SIM_PATH,
  SIM_PLANS_PATH,
  type SimPlan,
} from '../../../../shared/protocol/api/netflow/netflow.ts';
import {
  SYNC_ACT_PATH,
  SYNC_REQUEST_PATH,
  SYNC_RULES_PATH,
  type SyncRequested,
} from '../../../../shared/protocol/api/sync/sync.ts';
import { aSyncRule } from '../../../support/sync/syncRecords.ts';
import { BUS, type TrackScene } from '../tracks/trackScene.ts';

export const FIRMWARE = '/innerpage/firmware.html';
export const DATASYNC = '/innerpage/datasync.html';
export const NETFLOW = '/innerpage/devicenetflow.html';
const HOUR_MS = 3_600_000;

/** A rule that only listed events meet, and two requests of the bus, which is away: one is canceled. */
export async function addSync(scene: TrackScene): Promise<void> {
  await scene.call('archivist', 'POST', SYNC_RULES_PATH, aSyncRule({ name: 'Alarms of all', choice: 'alarms' }));
  const fromMs = Date.now() - 5 * HOUR_MS;
  const span = { fromMs, toMs: fromMs + HOUR_MS / 6 };
  const body = { deviceid: BUS.deviceId, channels: [1, 2], stream: 'any', ...span };
  const { items } = (await scene.call('archivist', 'POST', SYNC_REQUEST_PATH, body)) as SyncRequested;
  await scene.call('archivist', 'POST', SYNC_ACT_PATH, { items: items.slice(0, 1), act: 'cancel' });
}

/** A plan, and the bus has a SIM of it. */
export async function addPlan(scene: TrackScene): Promise<void> {
  const content = {
    name: 'Five',
    megabytes: 5_000,
    resetDay: 1,
    timeZone: 'UTC',
    price: 'NT$ 199',
    action: 'no-video',
  };
  const plan = (await scene.call('accountant', 'POST', SIM_PLANS_PATH, content)) as SimPlan;
  const { rows } = (await scene.call('accountant', 'GET', `${NETFLOW_DEVICES_PATH}?limit=10`)) as {
    readonly rows: readonly NetflowDevice[];
  };
  const version = rows.find(({ deviceid }) => deviceid === BUS.deviceId)?.simVersion;
  const sim = {
    deviceid: BUS.deviceId,
    number: '0912345678',
    iccid: '',
    expiryDay: '2027-01-31',
    plan: plan.id,
    version,
  };
  await scene.call('accountant', 'PUT', SIM_PATH, sim);
}
