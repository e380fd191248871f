// Data usage over time.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import {
  NETFLOW_HOURS_KEPT_DAYS,
  NETFLOW_HOURS_PATH,
  NETFLOW_USE_PATH,
  NetflowHours,
  NetflowHoursQuery,
  NetflowUse,
  NetflowUseQuery,
} from '../../../shared/protocol/api/netflow/netflow.ts';
import { dayNumber, isTimeZone, startOfDay } from '../../../shared/protocol/timeZones.ts';
import { withOverhead } from '../../netflow/rules/planLevels.ts';
import { answers } from '../kernel/answers.ts';
import { ok, Refused, refuse, refusedFields } from '../kernel/envelope.ts';
import { findDevice, groupsInside, MAY_SEE_USAGE, memberGroupOf, type NetflowDeps } from './netflowDeps.ts';
import { hoursOf, stepsOf } from './useSteps.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MAX_DAYS = 400;
/** By the hour, of many devices: their rows have no sums. A day has up to 25 hours, and one more where the zone is half an hour off. */
const MAX_FLEET_HOUR_DAYS = 2;
const TOP_DEVICES = 10;

export function registerNetflowUse(app: FastifyInstance, deps: NetflowDeps): void {
  registerUse(app, deps);
  registerHours(app, deps);
}

function registerUse(app: FastifyInstance, deps: NetflowDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { stores, netflow } = deps;
  const schema = { summary: 'Data usage over time', querystring: NetflowUseQuery, response: answers(NetflowUse) };
  routes.get(NETFLOW_USE_PATH, { schema, config: MAY_SEE_USAGE }, async (request, reply) => {
    const { timeZone, step, group, deviceid } = request.query;
    const [fromMs, toMs] = [Number(request.query.fromMs), Number(request.query.toMs)];
    const maxDays = step !== 'hour' ? MAX_DAYS : deviceid === undefined ? MAX_FLEET_HOUR_DAYS : NETFLOW_HOURS_KEPT_DAYS;
    if (!isTimeZone(timeZone)) return refuse(reply, refusedFields({ timeZone: 'unknown' }));
    if (fromMs >= toMs || toMs - fromMs > maxDays * DAY_MS)
      return refuse(reply, refusedFields({ toMs: 'out-of-range' }));
    const device = deviceid === undefined ? undefined : await findDevice(request, deviceid, deps);
    if (deviceid !== undefined && device === undefined) return refuse(reply, Refused.device);
    const over = {
      memberGroup: memberGroupOf(request),
      fromMs,
      toMs,
      // In zones that are half an hour off, the first hour of a day begins before it.
      firstDay: dayNumber(fromMs + HOUR_MS - 1, timeZone),
      lastDay: dayNumber(toMs - 1, timeZone),
      groups: await groupsInside(group, deps),
      incarnation: device?.incarnation,
    };
    const [points, top] = await Promise.all([
      step === 'hour' ? stores.netflowSeries.hours(over) : stores.netflowSeries.days(over),
      stores.netflowSeries.top(over, TOP_DEVICES),
    ]);
    const shown = (bytes: number): number => withOverhead(bytes, netflow.overheadPercent);
    return ok({
      steps: stepsOf(points, step, timeZone).map((each) => ({ ...each, kinds: each.kinds.map(shown) })),
      top: top.map(({ deviceId, name, bytes }) => ({ deviceid: deviceId, name, bytes: shown(bytes) })),
    });
  });
}

function registerHours(app: FastifyInstance, deps: NetflowDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { stores, netflow } = deps;
  const querystring = NetflowHoursQuery;
  const schema = { summary: 'Data usage of a device by the hour', querystring, response: answers(NetflowHours) };
  routes.get(NETFLOW_HOURS_PATH, { schema, config: MAY_SEE_USAGE }, async (request, reply) => {
    const { deviceid, day, timeZone } = request.query;
    const dayMs = Date.parse(`${day}T00:00:00Z`);
    if (!isTimeZone(timeZone)) return refuse(reply, refusedFields({ timeZone: 'unknown' }));
    if (!Number.isFinite(dayMs)) return refuse(reply, refusedFields({ day: 'bad-format' }));
    const device = await findDevice(request, deviceid, deps);
    if (device === undefined) return refuse(reply, Refused.device);
    const [fromMs, toMs] = [startOfDay(dayMs / DAY_MS, timeZone), startOfDay(dayMs / DAY_MS + 1, timeZone)];
    const memberGroup = memberGroupOf(request);
    const none = { firstDay: 0, lastDay: 0, groups: undefined };
    const over = { memberGroup, fromMs, toMs, ...none, incarnation: device.incarnation };
    const shown = (bytes: number): number => withOverhead(bytes, netflow.overheadPercent);
    const hours = hoursOf(await stores.netflowSeries.hours(over));
    return ok(
      hours.map(({ received, sent, ...each }) => ({ ...each, received: received.map(shown), sent: sent.map(shown) })),
    );
  });
}
