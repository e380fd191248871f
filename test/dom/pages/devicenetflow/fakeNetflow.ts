// The gateway's part of the page: devices, their use, and plans that are kept.
import {
  type ChangedSimPlan,
  type LiftRequest,
  NETFLOW_DEVICES_PATH,
  NETFLOW_HOURS_PATH,
  NETFLOW_LIFT_PATH,
  NETFLOW_USE_PATH,
  type NetflowDevice,
  SIM_PATH,
  SIM_PLANS_PATH,
  type SimContent,
  type SimPlan,
  type SimPlanContent,
} from '../../../../shared/protocol/api/netflow/netflow.ts';
import { NETFLOW_KINDS, type NetflowKind } from '../../../../shared/protocol/netflow/netflowWords.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { type FakeGateway, json } from '../../../support/fakes/fakeGateway.ts';

const MB = 1_000_000;

export function kindBytes(used: Partial<Record<NetflowKind, number>>): number[] {
  return NETFLOW_KINDS.map((kind) => (used[kind] ?? 0) * MB);
}

export function aPlan(changes: Partial<SimPlan> = {}): SimPlan {
  return {
    id: 1,
    version: 1,
    name: 'Bus 3 GB',
    megabytes: 3_000,
    resetDay: 15,
    timeZone: 'Asia/Taipei',
    price: '',
    action: 'sub-stream',
    devices: 1,
    ...changes,
  };
}

export function aDevice(changes: Partial<NetflowDevice> = {}): NetflowDevice {
  return {
    deviceid: 'BUS1',
    name: 'Lake line 1',
    plate: 'KAA-1',
    group: 1,
    groupName: 'Buses',
    fromMs: wallMs(Date.UTC(2026, 10, 14, 16)),
    toMs: wallMs(Date.UTC(2026, 11, 14, 16)),
    timeZone: 'Asia/Taipei',
    receivedBytes: 2_000 * MB,
    sentBytes: 550 * MB,
    kinds: kindBytes({ live: 2_550 }),
    todayBytes: 120 * MB,
    forecastBytes: 4_100 * MB,
    plan: 1,
    planName: 'Bus 3 GB',
    planBytes: 3_000 * MB,
    action: 'sub-stream',
    isLimited: false,
    liftedUntilMs: wallMs(0),
    liftedBy: '',
    simNumber: '',
    simIccid: '',
    simExpiryDay: '',
    simVersion: 0,
    reportedIccid: '89860012345678901234',
    ...changes,
  };
}

export interface KeptNetflow {
  readonly plans: SimPlan[];
  readonly sims: SimContent[];
  readonly lifts: LiftRequest[];
}

export function keepNetflow(gateway: FakeGateway, devices: readonly NetflowDevice[], plans: SimPlan[]): KeptNetflow {
  const kept: KeptNetflow = { plans, sims: [], lifts: [] };
  const today = wallMs(Date.UTC(2026, 10, 25));
  gateway.on(`GET ${NETFLOW_USE_PATH}`, () =>
    json({
      error: false,
      data: {
        steps: [{ fromMs: today, kinds: kindBytes({ live: 80, position: 2, sync: 38 }) }],
        top: devices.map(({ deviceid, name, todayBytes }) => ({ deviceid, name, bytes: todayBytes })),
      },
    }),
  );
  gateway.on(`GET ${NETFLOW_DEVICES_PATH}`, () => page(devices));
  gateway.on(`GET ${NETFLOW_HOURS_PATH}`, () =>
    json({
      error: false,
      data: [
        {
          fromMs: wallMs(Date.UTC(2026, 10, 25, 8)),
          received: kindBytes({ live: 70 }),
          sent: kindBytes({ live: 1, talk: 3 }),
        },
      ],
    }),
  );
  gateway.on(`PUT ${SIM_PATH}`, ({ body }) => {
    const sim = body as SimContent;
    const device = devices.find(({ deviceid }) => deviceid === sim.deviceid) as NetflowDevice;
    kept.sims.push(sim);
    return json({ error: false, data: { ...device, simNumber: sim.number } });
  });
  gateway.on(`POST ${NETFLOW_LIFT_PATH}`, ({ body }) => {
    kept.lifts.push(body as LiftRequest);
    return json({ error: false, data: devices[0] });
  });
  keepPlans(gateway, kept);
  return kept;
}

function keepPlans(gateway: FakeGateway, { plans }: KeptNetflow): void {
  gateway.on(`GET ${SIM_PLANS_PATH}`, () => page(plans));
  gateway.on(`POST ${SIM_PLANS_PATH}`, ({ body }) => {
    plans.push(aPlan({ ...(body as SimPlanContent), id: plans.length + 1, devices: 0 }));
    return json({ error: false, data: plans.at(-1) });
  });
  for (const { id } of plans) {
    gateway.on(`PUT ${SIM_PLANS_PATH}/${id}`, ({ body }) => {
      const { version, ...content } = body as ChangedSimPlan;
      const at = plans.findIndex((plan) => plan.id === id);
      const known = plans[at] as SimPlan;
      if (known.version !== version) {
        return json({ error: true, code: 'conflict', message: 'conflict', data: { current: known } }, { status: 409 });
      }
      plans[at] = { ...known, ...content, version: version + 1 };
      return json({ error: false, data: plans[at] });
    });
    gateway.on(`DELETE ${SIM_PLANS_PATH}/${id}`, () => {
      plans.splice(
        plans.findIndex((plan) => plan.id === id),
        1,
      );
      return json({ error: false, data: {} });
    });
  }
}

function page(rows: readonly object[]): Response {
  return json({
    error: false,
    data: { rows, total: rows.length, hasMoreThanTotal: false, next: null, previous: null },
  });
}
