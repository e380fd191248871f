// Confirms alarms that terminals keep up (0x8203), so that they stop repeating them.
import { wallMs } from '../../../shared/protocol/time.ts';
import type { Edition } from '../../device/jt808/codec/codes.ts';
import type { DeviceOrders } from '../../device/orders/deviceOrders.ts';
import type { EventDevice } from '../engine/trackedEvent.ts';
import { confirmBitsOf } from '../signals/alarmMapping.ts';
import type { EventAction } from './eventActions.ts';

/** Later it could confirm another alarm of the same type. */
const EXPIRES_MS = 60_000;
/** Stands for all alarms of the type: the serial number of the terminal's message is no longer known. */
const ALL_OF_TYPE = 0;

export interface AlarmConfirmationsDeps {
  readonly orders: Pick<DeviceOrders, 'request'>;
  readonly now: () => number;
}

/** Confirms the alarms of events that are configured so, as soon as they are stored. */
export function createAlarmConfirmations(deps: AlarmConfirmationsDeps): EventAction {
  return ({ event, device, values: { confirms } }) => {
    if (!confirms || event.source !== 'terminal') return undefined;
    return confirmAlarms([event], device, deps);
  };
}

export interface ConfirmedEvent {
  readonly id: number;
  readonly type: string;
  /** Edition of the terminal's protocol; '' where no terminal reported the event. */
  readonly edition: string;
}

/** Sends one message for all events, since it confirms every alarm of its types; none where the terminal holds no alarm of them. */
export async function confirmAlarms(
  events: readonly ConfirmedEvent[],
  device: Pick<EventDevice, 'deviceId' | 'incarnation'>,
  { orders, now }: AlarmConfirmationsDeps,
): Promise<void> {
  const first = events.find((event) => heldAlarmOf(event) !== 0);
  if (first === undefined) return;
  const types = events.reduce((mask, event) => mask | heldAlarmOf(event), 0) >>> 0;
  const body = { kind: 'confirmAlarm', alarmSerial: ALL_OF_TYPE, types } as const;
  await orders.request({
    device,
    body,
    reason: 'event.confirm',
    reference: first.id,
    expiresAtMs: wallMs(now() + EXPIRES_MS),
  });
}

/** Mask of the alarms that the terminal holds for the event; 0 for none. */
function heldAlarmOf({ type, edition }: ConfirmedEvent): number {
  return isEdition(edition) ? confirmBitsOf(type, edition).alarms : 0;
}

function isEdition(text: string): text is Edition {
  return text === '2013' || text === '2019';
}
