// Who may send a driver something, and what every call that does so needs.
import type { KeptOrder } from '../../../shared/protocol/api/deviceOrders.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { DeviceOrders } from '../../device/orders/deviceOrders.ts';
import type { Device } from '../../store/devices/devices.ts';
import type { Stores } from '../../store/stores.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { type Refusal, Refused } from '../kernel/envelope.ts';
import type { Caller } from '../kernel/recognise.ts';
import type { TerminalPort } from './deps.ts';
import type { DeviceDirectory } from './deviceRoute.ts';

export interface OrderRoutesDeps {
  readonly stores: Pick<Stores, 'deviceOrders' | 'deviceTree' | 'devices' | 'memberGroups'>;
  readonly orders: Pick<DeviceOrders, 'request'>;
  readonly directory: DeviceDirectory;
  readonly terminals: TerminalPort;
  readonly now: () => WallMs;
}

export const MAY_TEXT_DRIVERS = { access: { kind: 'permissions', all: [Permission.DeviceText] } } as const;

/** Delayed messages would only confuse a driver. */
export const WAITS_FOR_MS = 5 * 60_000;
const NO_TALK = {
  status: 409,
  code: 'no-talk',
  message: "Talk isn't set up for this device. Ask your administrator to set it up.",
} as const;
/** The order as the caller sees it. */
export function keptOrder({ terminals }: OrderRoutesDeps, { deviceId }: Device, order: number): KeptOrder {
  return { order, isOnline: terminals.presence(deviceId).onlineSinceMs !== undefined };
}

export async function deviceToTalkTo(
  { stores, directory }: OrderRoutesDeps,
  caller: Caller,
  deviceId: string,
): Promise<Device | Refusal> {
  const { userId, memberGroup } = scopeOf(caller);
  const isSeen = await stores.memberGroups.userSeesDevice(userId, deviceId, memberGroup);
  const device = isSeen ? await stores.devices.findByDeviceId(deviceId) : undefined;
  if (device === undefined || device.disabled) return Refused.device;
  const channels = await directory.describe(deviceId);
  return channels?.talkchs.includes('1') === true ? device : NO_TALK;
}
