// The alarm limits that terminals watch by themselves.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  ALARM_LIMITS_PATH,
  AlarmLimitQuery,
  ChangedAlarmLimits,
  DeviceAlarmLimits,
} from '../../../../shared/protocol/api/eventConfig.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { seenDevice } from '../../../events/config/ruleScope.ts';
import type { StoredAlarmLimits } from '../../../store/devices/alarmLimits.ts';
import type { Device } from '../../../store/devices/devices.ts';
import { refusalOfOrder } from '../../devices/orderRefusals.ts';
import { deviceReachOf } from '../../devices/scope.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { conflictWith, ok, Refused, refuse, refusedFields } from '../../kernel/envelope.ts';
import { recordAudit } from '../../kernel/recordAudit.ts';
import { MAY_CONFIGURE_EVENTS as config, type EventConfigDeps } from './eventConfigDeps.ts';

/** `/api/eventconfig/limits`. */
export function registerAlarmLimits(app: FastifyInstance, deps: EventConfigDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = answers(DeviceAlarmLimits);
  const reading = { summary: "A terminal's own alarm limits", querystring: AlarmLimitQuery, response };
  routes.get(ALARM_LIMITS_PATH, { schema: reading, config }, async (request, reply) => {
    const device = await deviceOf(deps, request, request.query.deviceid);
    if (device === undefined) return refuse(reply, Refused.device);
    return ok(answerOf(deps, device, await deps.alarmLimits.current(device.deviceId)));
  });

  const changing = { summary: 'Changes them, as soon as the terminal is here', body: ChangedAlarmLimits, response };
  routes.put(ALARM_LIMITS_PATH, { schema: changing, config }, async (request, reply) => {
    const { deviceid, version, limits } = request.body as ChangedAlarmLimits;
    const device = await deviceOf(deps, request, deviceid);
    if (device === undefined) return refuse(reply, Refused.device);
    if (Object.keys(limits).length === 0) return refuse(reply, refusedFields({ limits: 'required' }));
    const { id, username } = callerOf(request).user;
    const by = { id, username, address: request.ip };
    const changed = await deps.alarmLimits.change(device, { limits, version, by });
    if (!changed.ok) {
      const now = async () => answerOf(deps, device, await deps.alarmLimits.known(deviceid));
      return refuse(reply, changed.reason === 'conflict' ? conflictWith(await now()) : refusalOfOrder(changed));
    }
    const { before, after } = changed;
    await recordAudit(request, { action: 'device.limits', target: deviceid, before, after });
    return ok(answerOf(deps, device, await deps.alarmLimits.known(deviceid)));
  });
}

async function deviceOf(deps: EventConfigDeps, request: FastifyRequest, deviceId: string): Promise<Device | undefined> {
  const seen = await seenDevice(deps.stores, await deviceReachOf(deps, request), deviceId);
  return seen && deps.stores.devices.findByDeviceId(deviceId);
}

function answerOf(
  { alarmLimits }: EventConfigDeps,
  { deviceId }: Device,
  known: StoredAlarmLimits | undefined,
): DeviceAlarmLimits {
  return {
    deviceid: deviceId,
    isOnline: alarmLimits.isOnline(deviceId),
    state: known?.state ?? 'none',
    version: known?.version ?? 0,
    by: known?.writtenBy ?? '',
    writtenAtMs: known?.writtenAtMs ?? wallMs(0),
    wanted: known?.wanted ?? null,
    reported: known?.reported ?? null,
    reportedAtMs: known?.reportedAtMs ?? wallMs(0),
  };
}
