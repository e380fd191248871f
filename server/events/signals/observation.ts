// Converts a report of a terminal to an observation of conditions.
import type { MessageReport, PositionReport, Report } from '../../device/reportFeed.ts';
import { alarmWordSignals } from './alarmWordSignals.ts';
import type { CustomTypes } from './customTypes.ts';
import { mediaSignals } from './mediaSignals.ts';
import { isLateTime } from './reportTimes.ts';
import { safetySignals } from './safetySignals.ts';
import { type Observation, Origin, type Signal } from './signal.ts';
import { silentVideoOrigins, VIDEO_ORIGINS, videoSignals } from './videoSignals.ts';

/**
 * More signals than a terminal can mean in one report (the alarm bits, 32 channels twice, 16 storages, all tires of a truck), and far
 * fewer than fit into a malicious report.
 */
export const MAX_SIGNALS = 256;

/** Undefined for a report that says nothing of conditions; a position always does, even if only that nothing is wrong. */
export function observationOf(report: Report, customTypes: CustomTypes): Observation | undefined {
  switch (report.kind) {
    case 'position':
      return ofPosition(report, customTypes);
    case 'message':
      return ofMessage(report, customTypes);
    // The position from which the video loss was taken says it too.
    case 'video-loss':
    case 'presence':
    case 'attributes':
      return undefined;
  }
}

/**
 * Origins that every position covers. The alarm word is in every position. Items are not, but a missing item says that nothing is wrong
 * (videoSignals.ts), also for the items of an administrator's types.
 */
const EVERY_POSITION = Origin.AlarmWord | VIDEO_ORIGINS | Origin.Custom;
/** Items that have signals of their own; the items 0x11 to 0x13 only add to the alarm word. */
const ALARM_ITEMS: ReadonlySet<number> = new Set([0x14, 0x15, 0x16, 0x17, 0x18, 0x64, 0x65, 0x66, 0x67, 0x70]);
const NO_SIGNALS: readonly Signal[] = [];

function ofPosition(report: PositionReport, customTypes: CustomTypes): Observation {
  const { position, isLive } = report;
  const { deviceTimeMs } = position;
  const atMs = isLive ? position.receivedAtMs : lateTime(position);
  const isLate = !isLive;
  if (hasAlarms(report, customTypes)) return { atMs, deviceTimeMs, isLate, ...alarmsOf(report, customTypes) };
  return { atMs, deviceTimeMs, isLate, covered: EVERY_POSITION, signals: NO_SIGNALS };
}

/** An alarm with an impossible time still is an alarm: it gets the time at which it was received. */
function lateTime({ deviceTimeMs, receivedAtMs }: PositionReport['position']): number {
  return isLateTime(deviceTimeMs, receivedAtMs) ? deviceTimeMs : receivedAtMs;
}

/** Whether there are alarms. Nearly all positions have none, and cost no more than this check. */
function hasAlarms({ position, items }: PositionReport, customTypes: CustomTypes): boolean {
  return position.alarmBits !== 0 || items.some(({ id }) => ALARM_ITEMS.has(id)) || customTypes.watches(items);
}

function alarmsOf({ position, items, details, edition }: PositionReport, customTypes: CustomTypes): ObservedSignals {
  const signals = [
    ...alarmWordSignals({ position, details, edition }),
    ...videoSignals(details),
    ...customTypes.itemSignals(items),
    ...safetySignals(details),
  ];
  return { covered: EVERY_POSITION & ~silentVideoOrigins(details), ...bounded(signals) };
}

type ObservedSignals = Pick<Observation, 'covered' | 'signals' | 'signalsLeftOut'>;

function bounded(signals: readonly Signal[]): Pick<Observation, 'signals' | 'signalsLeftOut'> {
  if (signals.length <= MAX_SIGNALS) return { signals };
  return { signals: signals.slice(0, MAX_SIGNALS), signalsLeftOut: signals.length - MAX_SIGNALS };
}

function ofMessage({ body, receivedAtMs }: MessageReport, customTypes: CustomTypes): Observation | undefined {
  const signals = messageSignals(body, customTypes);
  if (signals.length === 0) return undefined;
  return { atMs: receivedAtMs, deviceTimeMs: receivedAtMs, isLate: false, covered: 0, signals };
}

function messageSignals(body: MessageReport['body'], customTypes: CustomTypes): readonly Signal[] {
  switch (body.kind) {
    case 'mediaEvent':
      return mediaSignals(body);
    case 'passthroughUp':
      return customTypes.passthroughSignals(body.type, body.data);
    case 'driverIdentity':
    case 'passengerFlow':
    case 'eventReport':
    case 'questionAnswer':
    case 'upgradeResult':
    case 'fileUploadDone':
      return NO_SIGNALS;
  }
}
