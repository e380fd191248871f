import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { ConnectionTest } from '../../../shared/protocol/api/connectionTest.ts';
import {
  DEVICES_PATH,
  DeviceDetail,
  DeviceIdParams,
  DeviceMove,
  DeviceRemoval,
  EditedDevice,
  MovedDevices,
  NewDevice,
} from '../../../shared/protocol/api/devices.ts';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import { createDeviceActs, type DeviceActs } from '../../devices/acts/devices.ts';
import { canSee, groupPath } from '../../devices/reach.ts';
import { answers } from '../kernel/answers.ts';
import { ok, Refused, refuse, refusedFields } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { actorOf } from '../kernel/records/recordRoutes.ts';
import type { DeviceGroupDeps } from './deps.ts';
import { detailOf, deviceRefusal } from './deviceSaving.ts';
import { ACT_CONFIG, ROUTE_CONFIG as config, deviceReachOf } from './scope.ts';

/** `/api/devicegroup/devices/:id` and what is done to several devices at once. */
export async function registerDevices(app: FastifyInstance, deps: DeviceGroupDeps): Promise<void> {
  const acts = createDeviceActs(deps);
  registerReading(app, deps);
  registerSaving(app, { deps, acts });
  registerRemoval(app, { deps, acts });
  registerMove(app, deps);
  registerTest(app, deps);
}

interface Acting {
  readonly deps: DeviceGroupDeps;
  readonly acts: DeviceActs;
}

function registerReading(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = answers(DeviceDetail);
  const schema = { summary: 'A device with its recording', params: DeviceIdParams, response };
  routes.get(`${DEVICES_PATH}/:id`, { schema, config }, async (request, reply) => {
    const reach = await deviceReachOf(deps, request);
    const record = await deps.stores.deviceRecords.find(request.params.id);
    if (record === undefined || !canSee(reach, record)) return refuse(reply, Refused.device);
    return ok(await detailOf(deps, record));
  });
}

function registerSaving(app: FastifyInstance, { deps, acts }: Acting): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = answers(DeviceDetail);
  const adding = { summary: 'Adds a device', body: NewDevice, response };
  routes.post(DEVICES_PATH, { schema: adding, config: ACT_CONFIG }, async (request, reply) => {
    const done = await acts.add(actorOf(request), request.body);
    return done.ok ? ok(await detailOf(deps, done.value)) : refuse(reply, await deviceRefusal(done.reason, deps));
  });

  const changing = { summary: 'Changes a device', params: DeviceIdParams, body: EditedDevice, response };
  routes.put(`${DEVICES_PATH}/:id`, { schema: changing, config: ACT_CONFIG }, async (request, reply) => {
    const { version, ...content } = request.body;
    const done = await acts.change(actorOf(request), { id: request.params.id, version }, content);
    return done.ok ? ok(await detailOf(deps, done.value)) : refuse(reply, await deviceRefusal(done.reason, deps));
  });
}

function registerRemoval(app: FastifyInstance, { deps, acts }: Acting): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = answers(Nothing);
  const schema = { summary: 'Deletes a device', params: DeviceIdParams, querystring: DeviceRemoval, response };
  routes.delete(`${DEVICES_PATH}/:id`, { schema, config: ACT_CONFIG }, async (request, reply) => {
    const { version, recordings } = request.query;
    const named = { id: request.params.id, version: Number(version) };
    const done = await acts.remove(actorOf(request), named, { recordings: recordings === 'delete' });
    return done.ok ? ok({}) : refuse(reply, await deviceRefusal(done.reason, deps));
  });
}

function registerMove(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = answers(MovedDevices);
  const schema = { summary: 'Moves devices to a group', body: DeviceMove, response };
  routes.post(`${DEVICES_PATH}/move`, { schema, config }, async (request, reply) => {
    const reach = await deviceReachOf(deps, request);
    const { deviceids, group } = request.body;
    if (!reach.ids.has(group)) return refuse(reply, refusedFields({ group: 'unknown' }));
    const within = { scope: reach.devices, at: deps.now() };
    const moved = await deps.stores.deviceRecords.move(deviceids, group, within);
    if (moved.length > 0) {
      const target = groupPath(reach.groups, group);
      await recordAudit(request, { action: 'device.move', target, detail: { devices: moved } });
    }
    return ok({ moved: moved.length });
  });
}

/** What came of it; what the terminal said of itself is no event. */
function writtenTest({ connected, address, edition, answer }: ConnectionTest) {
  const answered = answer === null ? {} : { result: answer.result, milliseconds: answer.afterMs };
  return connected ? { connected, address, edition, ...answered } : { connected };
}

function registerTest(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = answers(ConnectionTest);
  const schema = {
    summary: 'Asks the terminal for its attributes and times the answer',
    params: DeviceIdParams,
    response,
  };
  const silent = { ...config, changes: [] };
  routes.post(`${DEVICES_PATH}/:id/test`, { schema, config: silent }, async (request, reply) => {
    const reach = await deviceReachOf(deps, request);
    const record = await deps.stores.deviceRecords.find(request.params.id);
    if (record === undefined || !canSee(reach, record)) return refuse(reply, Refused.device);
    const test = await deps.terminals.test(record.deviceId);
    await recordAudit(request, { action: 'device.test', target: record.deviceId, detail: writtenTest(test) });
    return ok(test);
  });
}
