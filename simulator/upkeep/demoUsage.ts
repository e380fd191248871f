// The demo's data usage: what its vehicles used two days ago, and data plans, one of which is nearly used up.
import type { HourUse } from '../../server/store/netflow/netflowHours.ts';
import type { Stores } from '../../server/store/stores.ts';
import {
  NETFLOW_DEVICES_PATH,
  type NetflowDevice,
  SIM_PATH,
  SIM_PLANS_PATH,
  type SimContent,
  type SimPlan,
  type SimPlanContent,
} from '../../shared/protocol/api/netflow/netflow.ts';
import { NETFLOW_KINDS, type NetflowKind } from '../../shared/protocol/netflow/netflowWords.ts';
import type { DemoSession } from '../members/demoSession.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MEGABYTE = 1_000_000;
/** In their last 24 hours the vehicles had no network. */
const USED_DAY = { fromHoursAgo: 48, toHoursAgo: 25 } as const;
/** The plans' period begins before `USED_DAY`, so that it includes that day. */
const RESET_DAYS_AGO = 10;
/** The default of NETFLOW_OVERHEAD_PERCENT, as a factor. */
const OVERHEAD = 1.04;

/** Each kind's share of what a vehicle uses, and the share of it that is sent to the vehicle. */
const SHARES: Readonly<Record<NetflowKind, { readonly share: number; readonly sent: number }>> = {
  signalling: { share: 0.01, sent: 0.4 },
  position: { share: 0.02, sent: 0.2 },
  live: { share: 0.2, sent: 0.01 },
  recording: { share: 0.52, sent: 0.01 },
  playback: { share: 0.1, sent: 0.01 },
  talk: { share: 0.01, sent: 0.5 },
  attachments: { share: 0.04, sent: 0.02 },
  sync: { share: 0.09, sent: 0.02 },
  firmware: { share: 0.01, sent: 0.98 },
};

interface DemoPlan {
  readonly content: Omit<SimPlanContent, 'resetDay' | 'timeZone'>;
  readonly devices: readonly string[];
  /** Share of the plan that each of its devices has used. */
  readonly usedShare: number;
}

const PLANS: readonly DemoPlan[] = [
  {
    content: { name: 'Small 5 GB', megabytes: 5_000, price: 'NT$ 199', action: 'none' },
    devices: ['BUS-101'],
    usedShare: 0.803,
  },
  {
    content: { name: 'Video 40 GB', megabytes: 40_000, price: 'NT$ 599', action: 'sub-stream' },
    devices: ['BUS-104', 'BUS-106', 'BUS-108'],
    usedShare: 0.3,
  },
];

/** Adds usage before the first vehicle signs in, unless an earlier run has left some. */
export async function addDemoUse({ netflowUse }: Pick<Stores, 'netflowUse'>, nowMs: number): Promise<void> {
  const thisHourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const firstMs = thisHourMs - USED_DAY.fromHoursAgo * HOUR_MS;
  const [known, devices] = await Promise.all([netflowUse.hoursFrom(0), netflowUse.devices()]);
  if (known.length > 0) return;
  const hours = devices.flatMap(({ deviceId, incarnation }) => {
    const plan = PLANS.find((one) => one.devices.includes(deviceId));
    if (plan === undefined) return [];
    const bytes = (plan.content.megabytes * MEGABYTE * plan.usedShare) / OVERHEAD;
    return usedHours({ incarnation, firstMs, bytes });
  });
  await netflowUse.write(hours, []);
}

/** Usage of each hour, more by day than by night. */
function usedHours({ incarnation, firstMs, bytes }: UsedDay): HourUse[] {
  const count = USED_DAY.fromHoursAgo - USED_DAY.toHoursAgo;
  const weights = Array.from({ length: count }, (_, hour) => 1 + 4 * Math.sin((Math.PI * (hour + 0.5)) / count));
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight, hour) => {
    const shares = NETFLOW_KINDS.map((kind) => SHARES[kind]);
    const ofHour = (bytes * weight) / weightSum;
    return {
      incarnation,
      hourMs: firstMs + hour * HOUR_MS,
      received: shares.map(({ share, sent }) => Math.round(ofHour * share * (1 - sent))),
      sent: shares.map(({ share, sent }) => Math.round(ofHour * share * sent)),
    };
  });
}

interface UsedDay {
  readonly incarnation: number;
  readonly firstMs: number;
  readonly bytes: number;
}

/** Gives the vehicles their plans, unless an earlier run or somebody has left plans. */
export async function addDemoPlans(session: Pick<DemoSession, 'get' | 'send'>, nowMs: number): Promise<void> {
  const known = await session.get<Rows<SimPlan>>(SIM_PLANS_PATH);
  const found = await session.get<Rows<NetflowDevice>>(`${NETFLOW_DEVICES_PATH}?limit=100`);
  if (known === undefined || known.rows.length > 0) return;
  const resetDay = new Date(nowMs - RESET_DAYS_AGO * DAY_MS).getUTCDate();
  for (const { content, devices } of PLANS) {
    const request: SimPlanContent = { ...content, resetDay, timeZone: 'UTC' };
    const plan = await session.send<SimPlan>('POST', SIM_PLANS_PATH, request);
    if (plan === undefined) continue;
    for (const device of found?.rows ?? []) {
      if (devices.includes(device.deviceid)) await session.send('PUT', SIM_PATH, simOf(device, plan));
    }
  }
}

interface Rows<Row> {
  readonly rows: readonly Row[];
}

function simOf({ deviceid, simVersion }: NetflowDevice, { id }: SimPlan): SimContent {
  const number = `0912-${deviceid.replace(/\D/g, '').padStart(6, '0')}`;
  return { deviceid, number, iccid: '', plan: id, expiryDay: '', version: simVersion };
}
