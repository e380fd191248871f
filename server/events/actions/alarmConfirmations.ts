// Confirms alarms that terminals keep up (0x8203), so that they stop repeating them.
import { wallMs } from '../../../shared/protocol/time.ts';
import type { Edition } from '../../device/jt808/codec/codes.ts';
import type { DeviceOrders } from '../../device/orders/deviceOrders.ts';
import type { EventDevice } from '../engine/trackedEvent.ts';
import { confirmBitsOf } from '../signals/alarmMapping.ts';
import type { EventAction } from './eventActions.ts';

/** Later it could confirm another alarm of the same type. */
const EXPIRES_MS = 60_000;
/** The terminal's message isn't known any more: all alarms of the type. */
const ALL_OF_TYPE = 0;

export interface AlarmConfirmationsDeps {
  readonly orders: Pick<DeviceOrders, 'request'>;
  readonly now: () => number;
}

/** Of the configured events, as soon as they are stored. */
export function createAlarmConfirmations(deps: AlarmConfirmationsDeps): EventAction {
  return ({ event, device, values: { confirms } }) => {
    if (!confirms || event.source !== 'terminal') return undefined;
    return confirmAlarm(event, device, deps);
  };
}

/** Does nothing for an event of which the terminal holds no alarm. */
export async function confirmAlarm(
  { id, type, edition }: { readonly id: number; readonly type: string; readonly edition: string },
  device: Pick<EventDevice, 'deviceId' | 'incarnation'>,
  { orders, now }: AlarmConfirmationsDeps,
): Promise<void> {
  if (!isEdition(edition)) return;
  const { alarms } = confirmBitsOf(type, edition);
  if (alarms === 0) return;
  const body = { kind: 'confirmAlarm', alarmSerial: ALL_OF_TYPE, types: alarms } as const;
  await orders.request({
    device,
    body,
    reason: 'event.confirm',
    reference: id,
    expiresAtMs: wallMs(now() + EXPIRES_MS),
  });
}

function isEdition(text: string): text is Edition {
  return text === '2013' || text === '2019';
}
