// Terminals that were refused: unknown ones to adopt, known ones whose identity has changed.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DeviceDetail, type SentDeviceFields } from '../../../shared/protocol/api/devices.ts';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import {
  ShownTerminal,
  TERMINALS_PATH,
  TerminalAdoption,
  TerminalApproval,
  type WaitingTerminal,
  WaitingTerminals,
} from '../../../shared/protocol/api/terminals.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import { createDeviceActs } from '../../devices/acts/devices.ts';
import { canSee, type DeviceReach } from '../../devices/reach.ts';
import { addressKey } from '../../limits/addressKey.ts';
import type { DeviceRecord } from '../../store/devices/deviceRecordRows.ts';
import type { UnknownTerminal } from '../../store/devices/unknownTerminals.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, Refused, refuse } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { actorOf } from '../kernel/records/recordRoutes.ts';
import type { DeviceGroupDeps } from './deps.ts';
import { detailOf, deviceRefusal } from './deviceSaving.ts';
import { ACT_CONFIG, ROUTE_CONFIG as config, deviceReachOf } from './scope.ts';

const NO_TERMINAL = {
  status: 404,
  code: 'no-such-terminal',
  message: 'This terminal is no longer awaiting approval.',
} as const;

/** Terminals that are refused try again within seconds or minutes. */
const APPROVED_MS = 5 * 60_000;

/** `/api/devicegroup/terminals`. */
export async function registerTerminals(app: FastifyInstance, deps: DeviceGroupDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { stores } = deps;
  const list = answers(WaitingTerminals);
  const listing = { summary: 'Terminals that wait to be let in', response: list };
  routes.get(TERMINALS_PATH, { schema: listing, config }, async (request) => {
    const [reach, terminals] = await Promise.all([deviceReachOf(deps, request), stores.unknownTerminals.list()]);
    const ids = terminals.flatMap(({ deviceId }) => deviceId ?? []);
    const devices = new Map((await stores.deviceRecords.findMany(ids)).map((record) => [record.deviceId, record]));
    return ok(terminals.flatMap((terminal) => toWaiting(terminal, devices, reach)));
  });

  const detail = answers(DeviceDetail);
  const adopting = { summary: 'Makes an unknown terminal a device', body: TerminalAdoption, response: detail };
  const acts = createDeviceActs(deps);
  routes.post(`${TERMINALS_PATH}/adopt`, { schema: adopting, config: ACT_CONFIG }, async (request, reply) => {
    const found = await waitingAs(deps, request, request.body);
    if ('status' in found) return refuse(reply, found);
    const { terminal, device } = found;
    if (device !== undefined) return refuse(reply, NO_TERMINAL);
    const { manufacturer, terminalId, address } = terminal;
    const { deviceid, device: given } = request.body;
    const edition = editionOf(terminal, given);
    const content = { deviceid, ...given, terminal: terminal.terminal.canonical, edition };
    const done = await acts.add(actorOf(request), content, { manufacturer, terminalId, address });
    return done.ok ? ok(await detailOf(deps, done.value)) : refuse(reply, await deviceRefusal(done.reason, deps));
  });
  registerIdentities(app, deps);
}

function registerIdentities(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { stores, terminals } = deps;
  const response = answers(Nothing);
  const approving = {
    summary: 'Approves the changed identity or address of a terminal',
    body: TerminalApproval,
    response,
  };
  routes.post(`${TERMINALS_PATH}/approve`, { schema: approving, config }, async (request, reply) => {
    const found = await waitingAs(deps, request, request.body);
    if ('status' in found) return refuse(reply, found);
    const { device } = found;
    if (device === undefined) return refuse(reply, NO_TERMINAL);
    const { terminal, manufacturer, terminalId } = request.body;
    const identity = { manufacturer, terminalId };
    const approval = approvalOf(found.terminal, device, deps.now());
    if (approval !== undefined && request.body.address !== found.terminal.address)
      return refuse(reply, Refused.conflict);
    await terminals.dropOrders(device.deviceId);
    // The codes that the terminal before it holds open nothing from now on.
    const codes = { authCodeHash: undefined, pendingCodeHash: undefined };
    await stores.devices.update(device.deviceId, { identity, ...codes, approval });
    await stores.unknownTerminals.remove(terminal);
    terminals.forget(device.deviceId);
    const sides = { before: { ...device.identity }, after: identity };
    const { address } = found.terminal;
    await recordAudit(request, {
      action: 'terminal.approve',
      target: device.deviceId,
      ...sides,
      detail: { address },
    });
    return ok({});
  });

  const refusing = { summary: 'Refuses a terminal as it is now', body: ShownTerminal, response };
  routes.post(`${TERMINALS_PATH}/refuse`, { schema: refusing, config }, async (request, reply) =>
    refuseTerminal(deps, request as FastifyRequest<{ Body: ShownTerminal }>, reply),
  );
}

async function refuseTerminal(
  deps: DeviceGroupDeps,
  request: FastifyRequest<{ Body: ShownTerminal }>,
  reply: FastifyReply,
) {
  const found = await waitingAs(deps, request, request.body);
  if ('status' in found) return refuse(reply, found);
  const by = callerOf(request).user.username;
  if (!(await deps.stores.unknownTerminals.refuse(request.body, by, deps.now())))
    return refuse(reply, Refused.conflict);
  const { terminal, manufacturer, terminalId } = request.body;
  const target = found.device?.deviceId ?? terminal;
  await recordAudit(request, {
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
  readonly reach: DeviceReach;
}

/** The terminal, if it still is what the administrator was shown. */
async function waitingAs(
  deps: DeviceGroupDeps,
  request: FastifyRequest,
  given: ShownTerminal,
): Promise<Found | typeof NO_TERMINAL | typeof Refused.conflict> {
  const reach = await deviceReachOf(deps, request);
  const terminal = await deps.stores.unknownTerminals.find(given.terminal);
  if (terminal === undefined) return NO_TERMINAL;
  const { deviceId } = terminal;
  const device = deviceId === undefined ? undefined : await deps.stores.deviceRecords.find(deviceId);
  if (deviceId !== undefined && (device === undefined || !canSee(reach, device))) return NO_TERMINAL;
  const isSame = terminal.manufacturer === given.manufacturer && terminal.terminalId === given.terminalId;
  return isSame ? { terminal, device, reach } : Refused.conflict;
}

function editionOf({ edition }: UnknownTerminal, given: SentDeviceFields): SentDeviceFields['edition'] {
  return edition === '2011' || edition === '2013' || edition === '2019' ? edition : given.edition;
}

function toWaiting(
  terminal: UnknownTerminal,
  devices: ReadonlyMap<string, DeviceRecord>,
  reach: DeviceReach,
): WaitingTerminal[] {
  const { deviceId, terminal: number, plateColour: _, ...rest } = terminal;
  const device = deviceId === undefined ? undefined : devices.get(deviceId);
  if (deviceId !== undefined && (device === undefined || !canSee(reach, device))) return [];
  return [{ ...rest, terminal: number.canonical, device: device === undefined ? null : known(device) }];
}

function known({ deviceId, name, identity }: DeviceRecord): NonNullable<WaitingTerminal['device']> {
  const { manufacturer = '', terminalId = '' } = identity ?? {};
  return { deviceid: deviceId, name, manufacturer, terminalId };
}
