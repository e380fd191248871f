import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type ConnectionTest, MEDIA_LOSS_KINDS } from '../../../shared/protocol/api/devices.ts';
import { EnvelopeOf, ErrorAnswers, ok, Refused, refuse } from '../kernel/envelope.ts';
import { ShortText } from '../kernel/fields.ts';
import { auditFields, groupPath, recordAudit } from './auditTrail.ts';
import type { DeviceGroupDeps } from './deps.ts';
import { type DeviceSaving, detailOf, refuseSaving, saveNew, saveOld } from './deviceSaving.ts';
import { toFields } from './rows.ts';
import { Detail, DeviceId, EditedDevice, Empty, NewDevice, Version } from './schemas.ts';
import { callerScope, canSee, ACCESS as config } from './scope.ts';

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
  const response = { 200: EnvelopeOf(Detail), ...ErrorAnswers };
  const schema = { summary: 'A device with its recording', params: DeviceId, response };
  routes.get('/api/devicegroup/devices/:id', { schema, config }, async (request, reply) => {
    const scope = await callerScope(deps, request);
    const record = await deps.stores.deviceRecords.find(request.params.id);
    if (record === undefined || !canSee(scope, record)) return refuse(reply, Refused.device);
    return ok(await detailOf(deps, record));
  });
}

function registerSaving(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = { 200: EnvelopeOf(Detail), ...ErrorAnswers };
  const adding = { summary: 'Adds a device', body: NewDevice, response };
  routes.post('/api/devicegroup/devices', { schema: adding, config }, async (request, reply) => {
    const { deviceid, recording, ...fields } = request.body as DeviceSaving & { readonly deviceid: string };
    const scope = await callerScope(deps, request);
    const answer = await saveNew(deps, { deviceId: deviceid, fields, recording, scope });
    if (!answer.ok) return refuseSaving(reply, answer, deps);
    const { record } = answer;
    const after = { ...auditFields(toFields(record), scope.groups), recording };
    await recordAudit(deps, request, { action: 'device.add', target: deviceid, after });
    return ok(await detailOf(deps, record));
  });

  const changing = { summary: 'Changes a device', params: DeviceId, body: EditedDevice, response };
  routes.put('/api/devicegroup/devices/:id', { schema: changing, config }, async (request, reply) => {
    const { version, recording, ...fields } = request.body as DeviceSaving & { readonly version: number };
    const scope = await callerScope(deps, request);
    const answer = await saveOld(deps, { deviceId: request.params.id, version, fields, recording, scope });
    if (!answer.ok) return refuseSaving(reply, answer, deps);
    await recordAudit(deps, request, { action: 'device.change', target: request.params.id, ...answer.difference });
    return ok(await detailOf(deps, answer.record));
  });
}

const RemovalQuery = Type.Object({ version: Version, recordings: Type.Enum(['keep', 'delete']) });

function registerRemoval(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { deviceRecords } = deps.stores;
  const response = { 200: EnvelopeOf(Empty), ...ErrorAnswers };
  const schema = { summary: 'Deletes a device', params: DeviceId, querystring: RemovalQuery, response };
  routes.delete('/api/devicegroup/devices/:id', { schema, config }, async (request, reply) => {
    const scope = await callerScope(deps, request);
    const deviceId = request.params.id;
    const before = await deviceRecords.find(deviceId);
    if (before === undefined || !canSee(scope, before)) return refuse(reply, Refused.device);
    const recordings = request.query.recordings === 'delete';
    const version = Number(request.query.version);
    const removed = await deviceRecords.remove({ deviceId, version }, { recordings, at: deps.now() });
    if (!removed.ok) return refuseSaving(reply, removed, deps);
    deps.terminals.forget(deviceId);
    deps.deviceRemoved(deviceId);
    const was = auditFields(toFields(before), scope.groups);
    await recordAudit(deps, request, {
      action: 'device.remove',
      target: deviceId,
      before: was,
      detail: { recordings },
    });
    return ok({});
  });
}

const MAX_MOVED = 1_000;
const MoveBody = Type.Object(
  {
    deviceids: Type.Array(ShortText, { minItems: 1, maxItems: MAX_MOVED, uniqueItems: true }),
    group: Type.Integer({ minimum: 1 }),
  },
  { additionalProperties: false },
);

function registerMove(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = { 200: EnvelopeOf(Type.Object({ moved: Type.Integer() })), ...ErrorAnswers };
  const schema = { summary: 'Moves devices to a group', body: MoveBody, response };
  routes.post('/api/devicegroup/devices/move', { schema, config }, async (request, reply) => {
    const scope = await callerScope(deps, request);
    const { deviceids, group } = request.body;
    if (!scope.ids.has(group)) return refuse(reply, { ...Refused.fields, data: { fields: { group: 'unknown' } } });
    const moved = await deps.stores.deviceRecords.move(deviceids, group, { scope: scope.devices, at: deps.now() });
    if (moved.length > 0) {
      const target = groupPath(scope.groups, group);
      await recordAudit(deps, request, { action: 'device.move', target, detail: { devices: moved } });
    }
    return ok({ moved: moved.length });
  });
}

/** What came of it; what the terminal said of itself is no event. */
function writtenTest({ connected, address, edition, answer }: ConnectionTest) {
  const answered = answer === null ? {} : { result: answer.result, milliseconds: answer.afterMs };
  return connected ? { connected, address, edition, ...answered } : { connected };
}

const Moment = Type.Integer();
const AfterMs = { afterMs: Type.Number() };
const Answer = Type.Union([
  Type.Object({
    result: Type.Literal('attributes'),
    ...AfterMs,
    manufacturer: Type.String(),
    model: Type.String(),
    terminalId: Type.String(),
    iccid: Type.String(),
    hardware: Type.String(),
    firmware: Type.String(),
  }),
  Type.Object({ result: Type.Enum(['unsupported', 'no-answer', 'lost']), ...AfterMs }),
  Type.Null(),
]);
const Counts = Type.Object(Object.fromEntries(MEDIA_LOSS_KINDS.map((kind) => [kind, Type.Integer()])));
const Losses = Type.Unsafe<ConnectionTest['mediaLoss']>(
  Type.Array(Type.Object({ channel: Type.Integer(), counts: Counts })),
);
const Test = Type.Object({
  connected: Type.Boolean(),
  sinceMs: Moment,
  lastMessageAtMs: Moment,
  address: Type.String(),
  edition: Type.String(),
  answer: Answer,
  mediaLoss: Losses,
});

function registerTest(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = { 200: EnvelopeOf(Test), ...ErrorAnswers };
  const schema = { summary: 'Asks the terminal for its attributes and times the answer', params: DeviceId, response };
  const silent = { ...config, changes: [] };
  routes.post('/api/devicegroup/devices/:id/test', { schema, config: silent }, async (request, reply) => {
    const scope = await callerScope(deps, request);
    const record = await deps.stores.deviceRecords.find(request.params.id);
    if (record === undefined || !canSee(scope, record)) return refuse(reply, Refused.device);
    const test = await deps.terminals.test(record.deviceId);
    await recordAudit(deps, request, { action: 'device.test', target: record.deviceId, detail: writtenTest(test) });
    return ok(test);
  });
}
