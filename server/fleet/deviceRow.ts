// What the fleet's screens show of a device, from its record, its terminal's presence and its last report. Pure.
import type { LiveChange, LiveDevice } from '../../shared/protocol/api/liveUpdates.ts';

/** A device's record, as far as the screens need it. */
export interface FleetDevice {
  readonly deviceId: string;
  readonly incarnation: number;
  /** What its events lie under. */
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
  /** Of the device that reported it. */
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
  /** When its terminal signed in or left, by the gateway's clock; 0 if neither happened since the start. */
  readonly presenceAtMs: number;
  readonly report: LastReport | undefined;
  /** An event of severity major or higher lasts, and nobody has closed it. */
  readonly isInAlarm: boolean;
  readonly videoLostBits: number;
  /** The channel count that the terminal reports, for records that leave it to the terminal. */
  readonly reportedChannels: number | undefined;
}

/** Below it a standing vehicle's fixes only wander. */
const MOVING_FROM_KMH = 3;
/** Terminals report every few seconds to a minute; one that says nothing for so long is not known to move. */
export const REPORT_HOLDS_MS = 3 * 60_000;

export function liveDevice(device: FleetDevice, facts: DeviceFacts, nowMs: number): LiveDevice {
  const { isOnline, presenceAtMs, report, isInAlarm, videoLostBits, reportedChannels } = facts;
  const ageMs = report === undefined ? Number.POSITIVE_INFINITY : nowMs - report.receivedAtMs;
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
    isMoving: isOnline && ageMs < REPORT_HOLDS_MS && (report?.speedKmh ?? 0) >= MOVING_FROM_KMH,
    inAlarm: isInAlarm,
    videoLoss: videoLostBits !== 0,
    at: report?.deviceTimeMs ?? 0,
    seenAt: Math.max(report?.receivedAtMs ?? 0, presenceAtMs),
    lat: isPlaced ? report.latitude : null,
    lng: isPlaced ? report.longitude : null,
    speedKmh: report === undefined ? 0 : (report.speedKmh ?? null),
    heading: report === undefined ? 0 : (report.headingDeg ?? null),
  };
}

/** What differs, or undefined when nothing does. */
export function differenceOf(before: LiveDevice, after: LiveDevice): LiveChange | undefined {
  const changed = Object.entries(after).filter(([key, value]) => before[key as keyof LiveDevice] !== value);
  return changed.length === 0 ? undefined : { id: after.id, ...Object.fromEntries(changed) };
}
