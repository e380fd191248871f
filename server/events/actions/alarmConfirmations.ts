// Confirms alarms that terminals keep up (0x8203) as soon as their event is stored.
import { wallMs } from '../../../shared/protocol/time.ts';
import type { Edition } from '../../device/jt808/codec/codes.ts';
import type { DeviceOrders } from '../../device/orders/deviceOrders.ts';
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

export function createAlarmConfirmations({ orders, now }: AlarmConfirmationsDeps): EventAction {
  return ({ event, device, values: { confirms } }) => {
    if (!confirms || event.source !== 'terminal' || !isEdition(event.edition)) return undefined;
    const { alarms } = confirmBitsOf(event.type, event.edition);
    if (alarms === 0) return undefined;
    const body = { kind: 'confirmAlarm', alarmSerial: ALL_OF_TYPE, types: alarms } as const;
    const expiresAtMs = wallMs(now() + EXPIRES_MS);
    return orders
      .request({ device, body, reason: 'event.confirm', reference: event.id, expiresAtMs })
      .then(() => undefined);
  };
}

function isEdition(text: string): text is Edition {
  return text === '2013' || text === '2019';
}
