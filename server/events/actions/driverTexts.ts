// Text to the driver (0x8300) when an event begins: shown, or read out as well.
import { wallMs } from '../../../shared/protocol/time.ts';
import type { DeviceOrders } from '../../device/orders/deviceOrders.ts';
import { driverText } from '../../device/orders/driverText.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { RecentMap } from '../../limits/recentMap.ts';
import type { EventAction } from './eventActions.ts';

/**
 * Texts that one device gets in a minute because of events: a driver who reads one text after the other doesn't look at the road. Further
 * ones are not sent.
 */
export const DRIVER_TEXTS_LIMIT: Limit = { name: 'events.driver-texts.device', max: 1 };
const MINUTE_MS = 60_000;
/** A later text would leave the driver wondering what it is about. */
const EXPIRES_MS = 60_000;
/** Maximum of devices whose last text is remembered: more than an installation has. */
const DEVICES = 50_000;

export interface DriverTextsDeps {
  readonly orders: Pick<DeviceOrders, 'request'>;
  readonly now: () => number;
  readonly onLimit: OnLimit;
}

export function createDriverTexts({ orders, now, onLimit }: DriverTextsDeps): EventAction {
  const sentAtMs = new RecentMap<number>(DEVICES);
  return ({ event, device, values: { driverText: text, isSpoken } }) => {
    if (text === '') return undefined;
    const nowMs = now();
    const key = String(device.archiveNumber);
    // A clock that was set back must not hold texts back for that long.
    if (Math.abs(nowMs - (sentAtMs.get(key) ?? Number.NEGATIVE_INFINITY)) < MINUTE_MS) {
      onLimit(DRIVER_TEXTS_LIMIT);
      return undefined;
    }
    sentAtMs.set(key, nowMs);
    const body = driverText(text, { speech: isSpoken, urgent: event.severity === 'critical' });
    const expiresAtMs = wallMs(nowMs + EXPIRES_MS);
    return orders.request({ device, body, reason: 'event.text', reference: event.id, expiresAtMs }).then(ignore);
  };
}

/** Refused orders are reported as limits; the list of orders shows the outcome of the others. */
const ignore = (): void => undefined;
