// The SIM of a device, and lifting what its data plan forbids.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  LiftRequest,
  NETFLOW_LIFT_PATH,
  NetflowDevice,
  SIM_PATH,
  SimContent,
} from '../../../shared/protocol/api/netflow/netflow.ts';
import { utcDayMs } from '../../../shared/protocol/utcDay.ts';
import type { StoredSim } from '../../store/netflow/sims.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { conflictWith, ok, Refused, refuse, refusedFields } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { MAY_SEE_USAGE as config, findDevice, memberGroupOf, type NetflowDeps } from './netflowDeps.ts';
import { showDevice } from './netflowRows.ts';

const HOUR_MS = 3_600_000;

export function registerSims(app: FastifyInstance, deps: NetflowDeps): void {
  registerSim(app, deps);
  registerLift(app, deps);
}

function registerSim(app: FastifyInstance, deps: NetflowDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { stores } = deps;
  const schema = { summary: 'Changes the SIM of a device', body: SimContent, response: answers(NetflowDevice) };
  routes.put(SIM_PATH, { schema, config }, async (request, reply) => {
    const { deviceid, ...given } = request.body;
    const content = { ...given, number: given.number.trim(), iccid: given.iccid.trim() };
    const device = await findDevice(request, deviceid, deps);
    if (device === undefined) return refuse(reply, Refused.device);
    if (content.expiryDay !== '' && utcDayMs(content.expiryDay) === undefined) {
      return refuse(reply, refusedFields({ expiryDay: 'bad-format' }));
    }
    const before = await stores.sims.sim(device.incarnation);
    // A device that came from another member group keeps its plan until it gets one of this group.
    const isOwn =
      content.plan === 0 || content.plan === before.plan || (await planName(request, content.plan, deps)) !== undefined;
    if (!isOwn) return refuse(reply, refusedFields({ plan: 'unknown' }));
    if (!(await stores.sims.putSim(device.incarnation, content))) {
      const current = await shown(request, deviceid, deps);
      return refuse(reply, current === undefined ? Refused.device : conflictWith(current));
    }
    const sides = {
      before: await auditFieldsOf(request, before, deps),
      after: await auditFieldsOf(request, content, deps),
    };
    await recordAudit(request, { action: 'sim.change', target: deviceid, ...sides });
    return answerWith(request, reply, deviceid, deps);
  });
}

function registerLift(app: FastifyInstance, deps: NetflowDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { stores, now } = deps;
  const schema = { summary: 'Lifts the limit of a data plan', body: LiftRequest, response: answers(NetflowDevice) };
  routes.post(NETFLOW_LIFT_PATH, { schema, config }, async (request, reply) => {
    const { deviceid, hours, reason } = request.body;
    const device = await findDevice(request, deviceid, deps);
    if (device === undefined) return refuse(reply, Refused.device);
    const untilMs = hours === 0 ? 0 : now() + hours * HOUR_MS;
    await stores.sims.lift(device.incarnation, { untilMs, by: callerOf(request).user.username });
    await recordAudit(request, {
      action: 'netflow.lift',
      target: deviceid,
      detail: { untilMs, reason: reason.trim() },
    });
    return answerWith(request, reply, deviceid, deps);
  });
}

async function answerWith(request: FastifyRequest, reply: FastifyReply, deviceId: string, deps: NetflowDeps) {
  await deps.bus.recordsChanged.publish({ kinds: ['simplan'], memberGroup: memberGroupOf(request) });
  const device = await shown(request, deviceId, deps);
  return device === undefined ? refuse(reply, Refused.device) : ok(device);
}

async function shown(request: FastifyRequest, deviceId: string, { stores, netflow, now }: NetflowDeps) {
  const row = await stores.netflowDevices.row(memberGroupOf(request), deviceId);
  return row && showDevice(row, { ...netflow, nowMs: now() });
}

async function planName(request: FastifyRequest, plan: number, { stores }: NetflowDeps): Promise<string | undefined> {
  return (await stores.simPlans.find(plan, { memberGroup: memberGroupOf(request) }))?.name;
}

async function auditFieldsOf(
  request: FastifyRequest,
  { number, iccid, plan, expiryDay }: StoredSim,
  deps: NetflowDeps,
) {
  return { number, iccid, plan: (await planName(request, plan, deps)) ?? '', expiryDay };
}
