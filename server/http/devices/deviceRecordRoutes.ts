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
import { answers } from '../kernel/answers.ts';
import { ok, Refused, refuse, refusedFields } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { auditFields, groupPath } from './auditTrail.ts';
import type { DeviceGroupDeps } from './deps.ts';
import { detailOf, refuseSaving, saveNew, saveOld } from './deviceSaving.ts';
import { toFields } from './rows.ts';
import { canSee, ROUTE_CONFIG as config, deviceReachOf } from './scope.ts';

/** `/api/devicegroup/devices/:id` and what is done to several devices at once. */
export async function registerDevices(app: FastifyInstance, deps: DeviceGroupDeps): Promise<void> {
  registerReading(app, deps);
  registerSaving(app, deps);
  registerRemoval(app, deps);
  registerMove(app, deps);
  registerTest(app, deps);
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

function registerSaving(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = answers(DeviceDetail);
  const adding = { summary: 'Adds a device', body: NewDevice, response };
  routes.post(DEVICES_PATH, { schema: adding, config }, async (request, reply) => {
    const { deviceid, recording, ...fields } = request.body;
    const reach = await deviceReachOf(deps, request);
    const answer = await saveNew(deps, { deviceId: deviceid, fields, recording, reach });
    if (!answer.ok) return refuseSaving(reply, answer, deps);
    const { record } = answer;
    const after = { ...auditFields(toFields(record), reach.groups), recording };
    await recordAudit(request, { action: 'device.add', target: deviceid, after });
    return ok(await detailOf(deps, record));
  });

  const changing = { summary: 'Changes a device', params: DeviceIdParams, body: EditedDevice, response };
  routes.put(`${DEVICES_PATH}/:id`, { schema: changing, config }, async (request, reply) => {
    const { version, recording, ...fields } = request.body;
    const reach = await deviceReachOf(deps, request);
    const answer = await saveOld(deps, { deviceId: request.params.id, version, fields, recording, reach });
    if (!answer.ok) return refuseSaving(reply, answer, deps);
    const { before, after } = answer;
    await recordAudit(request, { action: 'device.change', target: request.params.id, before, after });
    return ok(await detailOf(deps, answer.record));
  });
}

function registerRemoval(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { deviceRecords } = deps.stores;
  const response = answers(Nothing);
  const schema = { summary: 'Deletes a device', params: DeviceIdParams, querystring: DeviceRemoval, response };
  routes.delete(`${DEVICES_PATH}/:id`, { schema, config }, async (request, reply) => {
    const reach = await deviceReachOf(deps, request);
    const deviceId = request.params.id;
    const before = await deviceRecords.find(deviceId);
    if (before === undefined || !canSee(reach, before)) return refuse(reply, Refused.device);
    const recordings = request.query.recordings === 'delete';
    const version = Number(request.query.version);
    const removed = await deviceRecords.remove({ deviceId, version }, { recordings, at: deps.now() });
    if (!removed.ok) return refuseSaving(reply, removed, deps);
    deps.terminals.forget(deviceId);
    deps.bus.deviceRemoved.tell({ deviceId });
    const was = auditFields(toFields(before), reach.groups);
    await recordAudit(request, {
      action: 'device.remove',
      target: deviceId,
      before: was,
      detail: { recordings },
    });
    return ok({});
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
