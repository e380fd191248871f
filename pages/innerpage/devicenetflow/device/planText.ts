// How much of its plan a device has used. Pure.
import type { NetflowDevice } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { formatDay } from '../../../../shared/time/format.ts';

/** The days of the period in the time zone of the plan, or of the device: in another zone they would be the day before or after. */
export function periodText({ fromMs, toMs, timeZone }: Pick<NetflowDevice, 'fromMs' | 'toMs' | 'timeZone'>): string {
  // The day on which the next period begins is not part of this one.
  return `${formatDay(fromMs, timeZone)} – ${formatDay(toMs - 1, timeZone)}`;
}

type Use = Pick<NetflowDevice, 'receivedBytes' | 'sentBytes' | 'planBytes'>;

export function usedBytes({ receivedBytes, sentBytes }: Pick<Use, 'receivedBytes' | 'sentBytes'>): number {
  return receivedBytes + sentBytes;
}

/** The usage in percent, whole and rounded down: 100 means that the plan is used up. Undefined without a plan. */
export function percentUsed(device: Use): number | undefined {
  if (device.planBytes === 0) return undefined;
  return Math.floor((100 * usedBytes(device)) / device.planBytes);
}

export type PlanState = 'within' | 'near' | 'over';
const NEAR_PERCENT = 80;

/** The plan state as the list's filter defines it: a forecast above the plan already counts as near. */
export function planStateOf(device: Use & Pick<NetflowDevice, 'forecastBytes'>): PlanState | undefined {
  const percent = percentUsed(device);
  if (percent === undefined) return undefined;
  if (percent >= 100) return 'over';
  return percent >= NEAR_PERCENT || (device.forecastBytes ?? 0) > device.planBytes ? 'near' : 'within';
}
