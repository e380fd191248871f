// The fleet screens' view of a device, from its record, its terminal's presence and its last report. Pure.
import { type DeviceAlarm, type LiveChange, type LiveDevice, NO_ALARM } from '../../shared/protocol/api/liveUpdates.ts';

/** The part of a device's record that the screens need. */
export interface FleetDevice {
  readonly deviceId: string;
  readonly incarnation: number;
  /** The number that its events are stored under. */
  readonly archiveNumber: number;
  readonly name: string;
  readonly plate: string;
  readonly terminalNumber: string;
  readonly deviceGroup: number;
  readonly groupName: string;
  readonly chn: number;
  readonly installchs: string;
  readonly timeZone: string;
  /** Whether a terminal has ever signed in as this device. */
  readonly wasSeen: boolean;
}

/** The latest position that was reported live, not delivered later. */
export interface LastReport {
  /** Incarnation of the device that reported it. */
  readonly incarnation: number;
  readonly deviceTimeMs: number;
  readonly receivedAtMs: number;
  readonly latitude: number;
  readonly longitude: number;
  /** Undefined: not known. */
  readonly speedKmh: number | undefined;
  readonly headingDeg: number | undefined;
}

export interface DeviceFacts {
  readonly isOnline: boolean;
  /** Time at which its terminal signed in or left, by the gateway's clock; 0 if neither happened since the start. */
  readonly presenceAtMs: number;
  readonly report: LastReport | undefined;
  /** The worst event of severity major or higher that lasts and is not closed. */
  readonly alarm: DeviceAlarm | undefined;
  readonly videoLostBits: number;
  /** The channel count that the terminal reports, for records that leave it to the terminal. */
  readonly reportedChannels: number | undefined;
}

/** Below this speed, the fixes of a standing vehicle only wander. */
const MOVING_FROM_KMH = 3;
/** Terminals report every few seconds to a minute; after this long without a report, a device is not known to move. */
export const REPORT_HOLDS_MS = 3 * 60_000;

export function isRecent(report: LastReport | undefined, nowMs: number): report is LastReport {
  return report !== undefined && nowMs - report.receivedAtMs < REPORT_HOLDS_MS;
}

export function isSameRecord(left: FleetDevice | undefined, right: FleetDevice): boolean {
  if (left === undefined) return false;
  for (const field in right) if (!isSameField(left, right, field as keyof FleetDevice)) return false;
  return true;
}

function isSameField<Row>(left: Row, right: Row, field: keyof Row): boolean {
  return left[field] === right[field];
}

export function liveDevice(device: FleetDevice, facts: DeviceFacts, nowMs: number): LiveDevice {
  const { isOnline, presenceAtMs, report, alarm, videoLostBits, reportedChannels } = facts;
  const wasSeen = device.wasSeen || presenceAtMs > 0 || report !== undefined;
  const isPlaced = report !== undefined && (report.latitude !== 0 || report.longitude !== 0);
  return {
    id: device.deviceId,
    name: device.name,
    plate: device.plate,
    terminal: device.terminalNumber,
    group: device.deviceGroup,
    groupName: device.groupName,
    chn: device.chn > 0 ? device.chn : (reportedChannels ?? 0),
    state: isOnline ? 'online' : wasSeen ? 'offline' : 'never',
    isMoving: isOnline && isRecent(report, nowMs) && (report.speedKmh ?? 0) >= MOVING_FROM_KMH,
    ...alarmFields(alarm),
    videoLoss: videoLostBits !== 0,
    at: report?.deviceTimeMs ?? 0,
    seenAt: lastSeenMs(report, presenceAtMs),
    lat: isPlaced ? report.latitude : null,
    lng: isPlaced ? report.longitude : null,
    speedKmh: report === undefined ? 0 : (report.speedKmh ?? null),
    heading: report === undefined ? 0 : (report.headingDeg ?? null),
  };
}

function alarmFields(alarm: DeviceAlarm | undefined) {
  if (alarm === undefined) return NO_ALARM;
  return { inAlarm: true, alarmType: alarm.type, alarmSeverity: alarm.severity, alarmSince: alarm.sinceMs };
}

/** Time of the last report or presence change; 0: never. */
export function lastSeenMs(report: LastReport | undefined, presenceAtMs: number): number {
  return Math.max(report?.receivedAtMs ?? 0, presenceAtMs);
}

/** The fields that differ, or undefined when none does. */
export function differenceOf(before: LiveDevice, after: LiveDevice): LiveChange | undefined {
  let difference: Record<string, unknown> | undefined;
  for (const name in after) {
    const field = name as keyof LiveDevice;
    if (isSameField(before, after, field)) continue;
    difference ??= { id: after.id };
    difference[field] = after[field];
  }
  return difference as LiveChange | undefined;
}
