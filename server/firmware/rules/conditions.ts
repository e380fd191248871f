// What a device waits for before its firmware is sent. Pure.
import type { FirmwareTaskContent } from '../../../shared/protocol/api/firmware/tasks.ts';
import type { FirmwareWait } from '../../../shared/protocol/firmware/firmwareWords.ts';
import { dayNumber } from '../../../shared/protocol/timeZones.ts';
import { isScheduled } from '../../../shared/protocol/weekSchedule.ts';

export type Conditions = Pick<
  FirmwareTaskContent,
  'parkedMinutes' | 'ignition' | 'unwatched' | 'minimumSignal' | 'needsPlan'
>;
export type Dates = Pick<FirmwareTaskContent, 'window' | 'fromDay' | 'toDay'>;

/** How a device is now. */
export interface DeviceSituation {
  readonly isOnline: boolean;
  /** As isInWindow says, which is asked once for all devices of a time zone. */
  readonly isInWindow: boolean;
  /** Undefined while it moves, or where nothing is known of that. */
  readonly parkedSinceMs: number | undefined;
  readonly ignitionOn: boolean | undefined;
  readonly isWatched: boolean;
  /** As the terminal reports it (0 to 31). */
  readonly signal: number | undefined;
  /** Its data plan lets files pass at all. */
  readonly mayTransfer: boolean;
  /** And has as much left as the image is large. */
  readonly hasPlanLeft: boolean;
  /** What its terminal has said last that it is; undefined before it has. */
  readonly reported: { readonly model: string; readonly firmwareVersion: string } | undefined;
}

const MINUTE_MS = 60_000;

/** '' for nothing. What isn't known is taken as not fulfilled: a vehicle that says nothing of its speed may be driving. */
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

/** Hours and dates, on the wall clock of a time zone: an IANA name; '' for the gateway's own. */
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
