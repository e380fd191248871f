// The conditions that a device waits for before its firmware is sent. Pure.
import type { FirmwareTaskContent } from '../../../shared/protocol/api/firmware/tasks.ts';
import type { FirmwareWait } from '../../../shared/protocol/firmware/firmwareWords.ts';
import { dayNumber } from '../../../shared/protocol/timeZones.ts';
import { isScheduled } from '../../../shared/protocol/weekSchedule.ts';

export type Conditions = Pick<
  FirmwareTaskContent,
  'parkedMinutes' | 'ignition' | 'unwatched' | 'minimumSignal' | 'needsPlan'
>;
export type Dates = Pick<FirmwareTaskContent, 'window' | 'fromDay' | 'toDay'>;

/** The present state of a device. */
export interface DeviceSituation {
  readonly isOnline: boolean;
  /** The result of isInWindow, which is called once for all devices of a time zone. */
  readonly isInWindow: boolean;
  /** Undefined while the device moves, or where its motion is unknown. */
  readonly parkedSinceMs: number | undefined;
  readonly ignitionOn: boolean | undefined;
  readonly isWatched: boolean;
  /** Signal strength as the terminal reports it (0 to 31). */
  readonly signal: number | undefined;
  /** Its data plan allows files at all. */
  readonly mayTransfer: boolean;
  /** Its data plan has at least the size of the image left. */
  readonly hasPlanLeft: boolean;
  /** The terminal's last report of itself; undefined before the first. */
  readonly reported: { readonly model: string; readonly firmwareVersion: string } | undefined;
}

const MINUTE_MS = 60_000;

/** '' for nothing. Unknown conditions count as not met: a vehicle that doesn't report its speed may be driving. */
export function waitOf(conditions: Conditions, situation: DeviceSituation, nowMs: number): FirmwareWait {
  if (!situation.isOnline) return 'online';
  if (!situation.isInWindow) return 'window';
  const { parkedMinutes, ignition, unwatched, minimumSignal, needsPlan } = conditions;
  if (parkedMinutes > 0 && !isParked(situation, parkedMinutes, nowMs)) return 'parked';
  if (ignition !== 'any' && situation.ignitionOn !== (ignition === 'on')) return 'ignition';
  if (unwatched && situation.isWatched) return 'viewers';
  if (minimumSignal > 0 && (situation.signal ?? -1) < minimumSignal) return 'signal';
  return !situation.mayTransfer || (needsPlan && !situation.hasPlanLeft) ? 'plan' : '';
}

function isParked({ parkedSinceMs }: DeviceSituation, minutes: number, nowMs: number): boolean {
  return parkedSinceMs !== undefined && nowMs - parkedSinceMs >= minutes * MINUTE_MS;
}

/** Checks hours and dates on the wall clock of a time zone: an IANA name; '' for the gateway's own. */
export function isInWindow({ window, fromDay, toDay }: Dates, timeZone: string, nowMs: number): boolean {
  if (!isScheduled(window, timeZone, nowMs)) return false;
  if (fromDay === '' && toDay === '') return true;
  const today = dayNumber(nowMs, timeZone);
  return (fromDay === '' || today >= numberOf(fromDay)) && (toDay === '' || today <= numberOf(toDay));
}

export function isPastDates({ toDay }: Pick<Dates, 'toDay'>, timeZone: string, nowMs: number): boolean {
  return toDay !== '' && dayNumber(nowMs, timeZone) > numberOf(toDay);
}

function numberOf(day: string): number {
  return Number(day.replaceAll('-', ''));
}
