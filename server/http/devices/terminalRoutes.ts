// Terminals that were refused: unknown ones to adopt, known ones whose identity has changed.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { DeviceFields, WaitingTerminal } from '../../../shared/protocol/api/devices.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import { addressKey } from '../../limits/addressKey.ts';
import type { DeviceRecord } from '../../store/devices/deviceRecordRows.ts';
import type { UnknownTerminal } from '../../store/devices/unknownTerminals.ts';
import { EnvelopeOf, ErrorAnswers, ok, Refused, refuse } from '../kernel/envelope.ts';
import { auditFields, recordAudit } from './auditTrail.ts';
import type { DeviceGroupDeps } from './deps.ts';
import { detailOf, refuseSaving, saveNew } from './deviceSaving.ts';
import { Detail, DeviceFieldsSchema, Empty } from './schemas.ts';
import { type CallerScope, callerScope, canSee, ACCESS as config } from './scope.ts';

const NO_TERMINAL = {
  status: 404,
  code: 'no-such-terminal',
  message: 'This terminal is no longer awaiting approval.',
} as const;

/** Terminals that are refused try again within seconds or minutes. */
const APPROVED_MS = 5 * 60_000;

const Text = Type.String({ maxLength: 256 });
const Moment = Type.Integer();
const Known = Type.Object({
  deviceid: Type.String(),
  name: Type.String(),
  manufacturer: Type.String(),
  terminalId: Type.String(),
});
const Waiting = Type.Object({
  terminal: Type.String(),
  edition: Type.String(),
  manufacturer: Type.String(),
  model: Type.String(),
  terminalId: Type.String(),
  plate: Type.String(),
  address: Type.String(),
  firstSeenAtMs: Moment,
  lastSeenAtMs: Moment,
  attempts: Type.Integer(),
  device: Type.Union([Known, Type.Null()]),
  refusedAtMs: Moment,
  refusedBy: Type.String(),
});

/** What was shown of the terminal: it is let in as this and as nothing else. */
const shown = { terminal: Text, manufacturer: Text, terminalId: Text };
const Shown = Type.Object(shown, { additionalProperties: false });
/** The address counts where the device has the identity already: it is what is approved then. */
const Approval = Type.Object({ ...shown, address: Type.Optional(Text) }, { additionalProperties: false });
const Adoption = Type.Object(
  { ...shown, deviceid: Text, device: Type.Object(DeviceFieldsSchema, { additionalProperties: false }) },
  { additionalProperties: false },
);
type Shown = Type.Static<typeof Shown>;

/** `/api/devicegroup/terminals`. */
export async function registerTerminals(app: FastifyInstance, deps: DeviceGroupDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { stores } = deps;
  const list = { 200: EnvelopeOf(Type.Array(Waiting)), ...ErrorAnswers };
  const listing = { summary: 'Terminals that wait to be let in', response: list };
  routes.get('/api/devicegroup/terminals', { schema: listing, config }, async (request) => {
    const [scope, terminals] = await Promise.all([callerScope(deps, request), stores.unknownTerminals.list()]);
    const ids = terminals.flatMap(({ deviceId }) => deviceId ?? []);
    const devices = new Map((await stores.deviceRecords.findMany(ids)).map((record) => [record.deviceId, record]));
    return ok(terminals.flatMap((terminal) => toWaiting(terminal, devices, scope)));
  });

  const detail = { 200: EnvelopeOf(Detail), ...ErrorAnswers };
  const adopting = { summary: 'Makes an unknown terminal a device', body: Adoption, response: detail };
  routes.post('/api/devicegroup/terminals/adopt', { schema: adopting, config }, async (request, reply) => {
    const found = await waitingAs(deps, request, request.body);
    if ('status' in found) return refuse(reply, found);
    const { terminal, device, scope } = found;
    if (device !== undefined) return refuse(reply, NO_TERMINAL);
    const { manufacturer, terminalId } = terminal;
    const given = request.body.device as DeviceFields;
    const fields = { ...given, terminal: terminal.terminal.canonical, edition: editionOf(terminal, given) };
    const deviceId = request.body.deviceid;
    const answer = await saveNew(deps, { deviceId, fields, identity: { manufacturer, terminalId }, scope });
    if (!answer.ok) return refuseSaving(reply, answer, deps);
    const identity = { manufacturer, terminalId, address: terminal.address };
    const after = auditFields(fields, scope.groups);
    await recordAudit(deps, request, { action: 'terminal.adopt', target: deviceId, after, detail: identity });
    return ok(await detailOf(deps, answer.record));
  });
  registerIdentities(app, deps);
}

function registerIdentities(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { stores, terminals } = deps;
  const response = { 200: EnvelopeOf(Empty), ...ErrorAnswers };
  const approving = { summary: 'Approves the changed identity or address of a terminal', body: Approval, response };
  routes.post('/api/devicegroup/terminals/approve', { schema: approving, config }, async (request, reply) => {
    const found = await waitingAs(deps, request, request.body);
    if ('status' in found) return refuse(reply, found);
    const { device } = found;
    if (device === undefined) return refuse(reply, NO_TERMINAL);
    const { terminal, manufacturer, terminalId } = request.body;
    const identity = { manufacturer, terminalId };
    const approval = approvalOf(found.terminal, device, deps.now());
    if (approval !== undefined && request.body.address !== found.terminal.address)
      return refuse(reply, Refused.conflict);
    // The codes that the terminal before it holds open nothing from now on.
    const codes = { authCodeHash: undefined, pendingCodeHash: undefined };
    await stores.devices.update(device.deviceId, { identity, ...codes, approval });
    await stores.unknownTerminals.remove(terminal);
    terminals.forget(device.deviceId);
    const sides = { before: { ...device.identity }, after: identity };
    const { address } = found.terminal;
    await recordAudit(deps, request, {
      action: 'terminal.approve',
      target: device.deviceId,
      ...sides,
      detail: { address },
    });
    return ok({});
  });

  const refusing = { summary: 'Refuses a terminal as it is now', body: Shown, response };
  routes.post('/api/devicegroup/terminals/refuse', { schema: refusing, config }, async (request, reply) =>
    refuseTerminal(deps, request as FastifyRequest<{ Body: Shown }>, reply),
  );
}

async function refuseTerminal(deps: DeviceGroupDeps, request: FastifyRequest<{ Body: Shown }>, reply: FastifyReply) {
  const found = await waitingAs(deps, request, request.body);
  if ('status' in found) return refuse(reply, found);
  const by = request.caller?.user.username ?? '';
  if (!(await deps.stores.unknownTerminals.refuse(request.body, by, deps.now())))
    return refuse(reply, Refused.conflict);
  const { terminal, manufacturer, terminalId } = request.body;
  const target = found.device?.deviceId ?? terminal;
  await recordAudit(deps, request, {
    action: 'terminal.refuse',
    target,
    detail: { terminal, manufacturer, terminalId },
  });
  return ok({});
}

/**
 * A terminal with the identity that the device has already was listed since the device is online from elsewhere. Both would
 * register at once when that session is cut, so for a time only the one that was approved may.
 */
function approvalOf({ manufacturer, terminalId, address }: UnknownTerminal, { identity }: DeviceRecord, now: WallMs) {
  const isSame = identity?.manufacturer === manufacturer && identity.terminalId === terminalId;
  return isSame ? { address: addressKey(address), untilMs: now + APPROVED_MS } : undefined;
}

interface Found {
  readonly terminal: UnknownTerminal;
  readonly device: DeviceRecord | undefined;
  readonly scope: CallerScope;
}

/** The terminal, if it still is what the administrator was shown. */
async function waitingAs(
  deps: DeviceGroupDeps,
  request: FastifyRequest,
  given: Shown,
): Promise<Found | typeof NO_TERMINAL | typeof Refused.conflict> {
  const scope = await callerScope(deps, request);
  const terminal = await deps.stores.unknownTerminals.find(given.terminal);
  if (terminal === undefined) return NO_TERMINAL;
  const { deviceId } = terminal;
  const device = deviceId === undefined ? undefined : await deps.stores.deviceRecords.find(deviceId);
  if (deviceId !== undefined && (device === undefined || !canSee(scope, device))) return NO_TERMINAL;
  const isSame = terminal.manufacturer === given.manufacturer && terminal.terminalId === given.terminalId;
  return isSame ? { terminal, device, scope } : Refused.conflict;
}

function editionOf({ edition }: UnknownTerminal, given: DeviceFields): DeviceFields['edition'] {
  return edition === '2011' || edition === '2013' || edition === '2019' ? edition : given.edition;
}

function toWaiting(
  terminal: UnknownTerminal,
  devices: ReadonlyMap<string, DeviceRecord>,
  scope: CallerScope,
): WaitingTerminal[] {
  const { deviceId, terminal: number, plateColour: _, ...rest } = terminal;
  const device = deviceId === undefined ? undefined : devices.get(deviceId);
  if (deviceId !== undefined && (device === undefined || !canSee(scope, device))) return [];
  return [{ ...rest, terminal: number.canonical, device: device === undefined ? null : known(device) }];
}

function known({ deviceId, name, identity }: DeviceRecord): NonNullable<WaitingTerminal['device']> {
  const { manufacturer = '', terminalId = '' } = identity ?? {};
  return { deviceid: deviceId, name, manufacturer, terminalId };
}
