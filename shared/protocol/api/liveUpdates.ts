// What the live updates' WebSocket says: JSON text messages, at most one a second.

import type { Severity } from '../events/eventWords.ts';
import type { GivenNames } from '../events/givenNames.ts';
import type { EventCounts, EventRow } from './events.ts';
import type { NotifyMessage } from './notify/notifyMessages.ts';
import type { OpenServerInfo } from './system.ts';

export const LIVE_UPDATES_PATH = '/api/live/updates';

type DevicePresence = 'online' | 'offline' | 'never';

/** A device as the fleet's screens show it. Times are milliseconds since the epoch, 0 for none. */
export interface LiveDevice {
  readonly id: string;
  readonly name: string;
  readonly plate: string;
  /** Terminal number; '' for a device without one. */
  readonly terminal: string;
  /** Serial number of the device group. */
  readonly group: number;
  readonly groupName: string;
  /** How many channels it has. */
  readonly chn: number;
  readonly state: DevicePresence;
  /** True only for devices that are online; online devices that do not move are parked. */
  readonly isMoving: boolean;
  /** Whether an event of severity major or higher lasts and isn't closed, whether the terminal is online or not. */
  readonly inAlarm: boolean;
  /**
   * The worst of those events, or the earliest of several: its type's code, its severity and when it began. '', '' and 0 without an
   * alarm.
   */
  readonly alarmType: string;
  readonly alarmSeverity: Severity | '';
  readonly alarmSince: number;
  /** Whether a camera was lost at the terminal's last report. */
  readonly videoLoss: boolean;
  /** The device's clock at the last position. */
  readonly at: number;
  /** The gateway's clock when the device was last heard from. */
  readonly seenAt: number;
  /** Degrees, WGS 84; null until there was a fix. */
  readonly lat: number | null;
  readonly lng: number | null;
  /** Null: the terminal doesn't know it. */
  readonly speedKmh: number | null;
  /** Clockwise from north; likewise. */
  readonly heading: number | null;
}

/** The alarm that a device is in. */
export interface DeviceAlarm {
  readonly type: string;
  readonly severity: Severity;
  readonly sinceMs: number;
}

/** The fields of a device that is not in alarm. */
export const NO_ALARM = { inAlarm: false, alarmType: '', alarmSeverity: '', alarmSince: 0 } as const;

/** A new row has all fields, a known one only those that changed. */
export type LiveChange = Pick<LiveDevice, 'id'> & Partial<LiveDevice>;

export interface FleetCounts {
  readonly total: number;
  readonly online: number;
  readonly offline: number;
  readonly moving: number;
  readonly parked: number;
  readonly alarm: number;
  readonly never: number;
  readonly videoLoss: number;
}

/** Kinds of records whose changes are reported to the screens that show them. */
export const RECORD_KINDS = [
  'device',
  'eventrule',
  'eventtype',
  'fence',
  'firmwareimage',
  'firmwaremodel',
  'firmwaretask',
  'group',
  'link',
  'member',
  'membergroup',
  'notifyrule',
  'reportschedule',
  'role',
  'sender',
  'session',
  'setting',
  'simplan',
  'syncrule',
  'template',
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** The topics that a page can subscribe to. */
export const LIVE_TOPICS = [
  'devices',
  'counts',
  'changed',
  'events',
  'eventcounts',
  'popups',
  'notifications',
  'fences',
  'reports',
  'firmware',
  'sync',
  'netflow',
  'backups',
  'server',
] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];

/** Topics that only report that lists are out of date. */
export const RELOAD_TOPICS = [
  'fences',
  'reports',
  'firmware',
  'sync',
  'netflow',
  'backups',
] as const satisfies readonly LiveTopic[];
export type ReloadTopic = (typeof RELOAD_TOPICS)[number];

/** An event that is shown over whatever page is open. */
export interface EventPopUp extends GivenNames {
  readonly id: number;
  /** English, and the key of its translation (EventTypes.json); '' for a type that an administrator made. */
  readonly builtInName: string;
  readonly severity: Severity;
  /** '' for an event of the gateway itself. */
  readonly deviceName: string;
  readonly plate: string;
  /** Milliseconds since the epoch. */
  readonly beginAtMs: number;
}

/** Maximum in one message; if there are more, the latest ones. */
export const POP_UPS_AT_ONCE = 10;

export type LiveUpdate =
  /** Everything, at the start and again whenever changes would not be enough. */
  | {
      readonly type: 'snapshot';
      readonly devices?: readonly LiveDevice[];
      readonly counts?: FleetCounts;
      readonly eventCounts?: EventCounts;
    }
  | {
      readonly type: 'changes';
      readonly devices?: readonly LiveChange[];
      readonly removed?: readonly string[];
      readonly counts?: FleetCounts;
      readonly eventCounts?: EventCounts;
    }
  /** Events that began or changed, as the list has them. */
  | { readonly type: 'events'; readonly revision: number; readonly events: readonly EventRow[] }
  /** First, and whenever rows would not be enough: events that were shown at another revision are out of date. */
  | { readonly type: 'events'; readonly revision: number; readonly reload: true }
  /** New or changed messages of the notification log, and a reload, both as with events. */
  | { readonly type: 'notifications'; readonly revision: number; readonly messages: readonly NotifyMessage[] }
  | { readonly type: 'notifications'; readonly revision: number; readonly reload: true }
  /** First, and when what the topic is about has changed for the member group: lists of another revision are out of date. */
  | { readonly type: ReloadTopic; readonly revision: number; readonly reload: true }
  /** Events that have just begun, as they are configured. Nothing makes up for a message that was missed. */
  | { readonly type: 'popups'; readonly popUps: readonly EventPopUp[] }
  /** Records of these kinds were edited, by anybody: lists that show them are out of date. */
  | { readonly type: 'changed'; readonly records: readonly RecordKind[] }
  /** The installation's description of itself: first, and whenever it changes. */
  | { readonly type: 'server'; readonly info: OpenServerInfo }
  /** The end: not signed in, no longer signed in, or a message that is no request. */
  | { readonly type: 'error'; readonly code: string; readonly message: string };

export interface LiveWatch {
  readonly type: 'watch';
  readonly topics: readonly LiveTopic[];
}

/**
 * The first message of a page that has a frame token: a WebSocket takes no headers, and an address is no place for a secret.
 * It counts instead of any cookie that came with the request.
 */
interface LiveSession {
  readonly type: 'session';
  readonly sid: string;
}

/** The first message of a page that takes no session, such as that of a share link. It receives only the topic `server`. */
interface LivePublic {
  readonly type: 'public';
}

export type LiveRequest = LiveSession | LivePublic | LiveWatch;

/** Undefined for what is no such message. */
export function parseLiveRequest(text: string): LiveRequest | undefined {
  const message = parseObject(text);
  if (message?.type === 'public') return { type: 'public' };
  if (message?.type === 'session' && typeof message.sid === 'string') return { type: 'session', sid: message.sid };
  if (message?.type !== 'watch' || !Array.isArray(message.topics)) return undefined;
  const topics: readonly unknown[] = message.topics;
  return { type: 'watch', topics: LIVE_TOPICS.filter((topic) => topics.includes(topic)) };
}

function parseObject(text: string): Partial<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Partial<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

export const NO_DEVICES: FleetCounts = {
  total: 0,
  online: 0,
  offline: 0,
  moving: 0,
  parked: 0,
  alarm: 0,
  never: 0,
  videoLoss: 0,
};

export function countFleet(devices: Iterable<LiveDevice>): FleetCounts {
  const counts: Record<keyof FleetCounts, number> = { ...NO_DEVICES };
  for (const device of devices) {
    counts.total++;
    counts[device.state]++;
    if (device.state === 'online') counts[device.isMoving ? 'moving' : 'parked']++;
    if (device.inAlarm) counts.alarm++;
    if (device.videoLoss) counts.videoLoss++;
  }
  return counts;
}
