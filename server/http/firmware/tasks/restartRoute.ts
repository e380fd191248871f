// Restarts a terminal, or sets it back to how it left the factory.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { KeptOrder } from '../../../../shared/protocol/api/deviceOrders.ts';
import { FIRMWARE_RESTART_PATH, RestartRequest } from '../../../../shared/protocol/api/firmware/tasks.ts';
import type { TerminalRestart } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { refusalOfOrder } from '../../devices/orderRefusals.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { ok, Refused, refuse } from '../../kernel/envelope.ts';
import { recordAudit } from '../../kernel/recordAudit.ts';
import { type FirmwareTaskDeps, MAY_UPDATE_FIRMWARE, WRONG_PLATE } from './taskDeps.ts';
import { groupOf } from './taskRoutes.ts';

/** 0x8105. */
const COMMANDS: Readonly<Record<TerminalRestart, number>> = { restart: 4, 'factory-reset': 5 };
const ACTIONS = { restart: 'device.restart', 'factory-reset': 'device.factoryreset' } as const;
/** Whoever restarts a vehicle's recorder means now: it must not happen when the vehicle comes back on the road. */
const WAITS_FOR_MS = 60_000;

/** `POST /api/firmware/restart`. */
export function registerRestart(app: FastifyInstance, deps: FirmwareTaskDeps): void {
  const { stores, orders, now } = deps;
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Restarts a terminal or resets it', body: RestartRequest, response: answers(KeptOrder) };
  const config = { ...MAY_UPDATE_FIRMWARE, changes: [] };
  routes.post(FIRMWARE_RESTART_PATH, { schema, config }, async (request, reply) => {
    const { deviceid, act, plate, reason } = request.body;
    const device = await stores.devices.findByDeviceId(deviceid);
    const own = device && (await stores.firmwareReach.device(device.incarnation, groupOf(request)));
    if (device === undefined || own === undefined) return refuse(reply, Refused.device);
    if (!isConfirmed(plate, device.plate === '' ? deviceid : device.plate)) {
      return refuse(reply, WRONG_PLATE);
    }
    const { id, username } = callerOf(request).user;
    const requested = await orders.request({
      device: { deviceId: deviceid, incarnation: device.incarnation },
      body: { kind: 'terminalControl', command: COMMANDS[act], parameter: '' },
      by: { id, username, address: request.ip },
      reason: ACTIONS[act],
      expiresAtMs: wallMs(now() + WAITS_FOR_MS),
    });
    if (!requested.ok) return refuse(reply, refusalOfOrder(requested));
    await recordAudit(request, { action: ACTIONS[act], target: deviceid, detail: { reason, order: requested.id } });
    return ok({ order: requested.id, isOnline: deps.isOnline(deviceid) });
  });
}

function isConfirmed(typed: string, plate: string): boolean {
  return typed.trim().toLowerCase() === plate.trim().toLowerCase();
}
