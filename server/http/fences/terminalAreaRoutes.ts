// Geofences in terminals: what each terminal has, and orders to put them there, take them out and query what is there.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  FENCE_DEVICE_PATH,
  fenceDevicesPath,
  type TerminalArea,
  TerminalAreaRequest,
  TerminalAreas,
} from '../../../shared/protocol/api/fences/fences.ts';
import { IdText } from '../../../shared/protocol/api/records.ts';
import type { AreaRequested } from '../../device/areas/areaSync.ts';
import type { FenceDevice } from '../../store/fences/fenceReach.ts';
import type { StoredFence } from '../../store/fences/fences.ts';
import { refusalOfOrder } from '../devices/orderRefusals.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { ok, Refused, refuse } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { MAY_CONFIGURE_FENCES as config, type FenceDeps, NO_FENCE } from './fenceDeps.ts';

/** `GET /api/fence/fences/:id/devices` and `POST /api/fence/device`. */
export function registerTerminalAreas(app: FastifyInstance, deps: FenceDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = answers(TerminalAreas);
  const params = Type.Object({ id: IdText });
  const reading = { summary: 'What terminals have of a geofence', params, response };
  routes.get(fenceDevicesPath(':id'), { schema: reading, config }, async (request, reply) => {
    const { memberGroup } = scopeOf(callerOf(request));
    const fence = await deps.stores.fences.find(Number(request.params.id), memberGroup);
    return fence === undefined ? refuse(reply, NO_FENCE) : ok(await areasOf(deps, fence));
  });

  const acting = { summary: 'Puts a geofence into terminals or takes it out', body: TerminalAreaRequest, response };
  routes.post(FENCE_DEVICE_PATH, { schema: acting, config }, async (request, reply) => {
    const { fence: id, act, devices: ids } = request.body;
    const { memberGroup } = scopeOf(callerOf(request));
    const fence = await deps.stores.fences.find(id, memberGroup);
    if (fence === undefined) return refuse(reply, NO_FENCE);
    const devices = await deps.stores.fenceReach.devices(memberGroup, ids);
    if (devices.length < ids.length) return refuse(reply, Refused.device);
    const done: string[] = [];
    for (const device of devices) {
      const requested = await perform(deps, request, { fence, device, act });
      if (!requested.ok) {
        await audit(request, { fence, act, devices: done });
        return refuse(reply, refusalOfOrder(requested));
      }
      done.push(device.deviceId);
    }
    await audit(request, { fence, act, devices: done });
    return ok(await areasOf(deps, fence));
  });
}

interface AreaAct {
  readonly fence: StoredFence;
  readonly device: FenceDevice;
  readonly act: TerminalAreaRequest['act'];
}

async function perform(
  { areaSync }: FenceDeps,
  request: FastifyRequest,
  { fence, device, act }: AreaAct,
): Promise<AreaRequested> {
  const { id, username } = callerOf(request).user;
  const by = { id, username, address: request.ip };
  if (act === 'put') return areaSync.put(fence, device, by);
  if (act === 'remove') return areaSync.remove(fence.id, device, by);
  await areaSync.ask(device.deviceId);
  return { ok: true };
}

interface AuditedAct extends Pick<AreaAct, 'fence' | 'act'> {
  readonly devices: readonly string[];
}

/** Records what was done, also of a request that was refused halfway. A query changes nothing. */
async function audit(request: FastifyRequest, { fence, act, devices }: AuditedAct): Promise<void> {
  if (act === 'ask' || devices.length === 0) return;
  await recordAudit(request, { action: 'fence.device', target: fence.content.name, detail: { act, devices } });
}

/** Devices that the member group no longer has, and former ones, are left out. */
async function areasOf({ areaSync, stores }: FenceDeps, fence: StoredFence): Promise<TerminalArea[]> {
  const areas = await areaSync.ofFence(fence.id);
  const ids = areas.map(({ device }) => device.deviceId);
  const devices = new Map(
    (await stores.fenceReach.devices(fence.memberGroup, ids)).map((each) => [each.deviceId, each]),
  );
  return areas.flatMap(({ device, state, note, fenceVersion, changedAtMs }) => {
    const known = devices.get(device.deviceId);
    if (known?.incarnation !== device.incarnation) return [];
    const { deviceId: deviceid, name, plate } = known;
    const isOnline = areaSync.isOnline(deviceid);
    return [{ deviceid, name, plate, isOnline, state, note, isOld: fenceVersion !== fence.version, changedAtMs }];
  });
}
