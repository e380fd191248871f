// The meaning of a message of the live updates. Total: anything that is no message of ours is dropped, a row without an id is
// left out, and a field of another kind than it should be counts as missing.
import { readOpenServerInfo } from '../api/parsers.ts';
import type { EventCounts } from '../protocol/api/events.ts';
import {
  type EventPopUp,
  type FleetCounts,
  type LiveChange,
  type LiveDevice,
  type LiveUpdate,
  NO_ALARM,
  RECORD_KINDS,
} from '../protocol/api/liveUpdates.ts';
import { SEVERITIES } from '../protocol/events/eventWords.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Rows of lists are left as they came: the few pages that show them read them by their schema, which no other has to load. */
export type ReadLiveUpdate =
  | Exclude<LiveUpdate, { readonly type: 'events' | 'notifications' }>
  | {
      readonly type: 'events';
      readonly revision: number;
      /** Undefined: all that is shown of another revision is out of date. */
      readonly events: readonly unknown[] | undefined;
    }
  | {
      readonly type: 'notifications';
      readonly revision: number;
      /** Undefined: as with events. */
      readonly messages: readonly unknown[] | undefined;
    };

export function readLiveUpdate(text: string): ReadLiveUpdate | undefined {
  const fields = fieldsOf(parse(text));
  switch (fields.type) {
    case 'snapshot': {
      const devices = changesOf(fields.devices)?.map((change) => ({ ...DEVICE_DEFAULTS, ...change }));
      return { type: 'snapshot', ...(devices === undefined ? {} : { devices }), ...countsOf(fields) };
    }
    case 'changes': {
      const devices = changesOf(fields.devices);
      const removed = Array.isArray(fields.removed) ? { removed: textsOf(fields.removed) } : {};
      return { type: 'changes', ...(devices === undefined ? {} : { devices }), ...removed, ...countsOf(fields) };
    }
    case 'events':
      return {
        type: 'events',
        revision: numberOf(fields.revision),
        events: Array.isArray(fields.events) ? fields.events : undefined,
      };
    case 'notifications':
      return {
        type: 'notifications',
        revision: numberOf(fields.revision),
        messages: Array.isArray(fields.messages) ? fields.messages : undefined,
      };
    case 'fences':
    case 'reports':
    case 'firmware':
    case 'sync':
    case 'netflow':
    case 'backups':
      return { type: fields.type, revision: numberOf(fields.revision), reload: true };
    case 'server':
      return { type: 'server', info: readOpenServerInfo(fields.info) };
    case 'popups':
      return { type: 'popups', popUps: popUpsOf(fields.popUps) };
    case 'changed':
      // A kind that a later gateway knows shows in no list of this page.
      return { type: 'changed', records: RECORD_KINDS.filter((kind) => textsOf(fields.records).includes(kind)) };
    case 'error':
      return { type: 'error', code: String(fields.code), message: String(fields.message) };
    default:
      return undefined;
  }
}

function popUpsOf(value: unknown): readonly EventPopUp[] {
  return Array.isArray(value)
    ? value
        .map(fieldsOf)
        .map(popUpOf)
        .filter(({ id }) => id > 0)
    : [];
}

function popUpOf(fields: Fields): EventPopUp {
  return {
    id: numberOf(fields.id),
    builtInName: textOf(fields.builtInName),
    nameEn: textOf(fields.nameEn),
    nameZh: textOf(fields.nameZh),
    nameJp: textOf(fields.nameJp),
    severity: SEVERITIES.find((severity) => severity === fields.severity) ?? 'info',
    deviceName: textOf(fields.deviceName),
    plate: textOf(fields.plate),
    beginAtMs: numberOf(fields.beginAtMs),
  };
}

/** A device of which nothing is known: what a row does not tell shows nothing and breaks nothing. */
export const DEVICE_DEFAULTS: Omit<LiveDevice, 'id'> = {
  name: '',
  plate: '',
  terminal: '',
  group: 0,
  groupName: '',
  chn: 0,
  state: 'never',
  isMoving: false,
  ...NO_ALARM,
  videoLoss: false,
  at: 0,
  seenAt: 0,
  lat: null,
  lng: null,
  speedKmh: 0,
  heading: 0,
};

const isText = (value: unknown): boolean => typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);
const isNumberOrNull = (value: unknown): boolean => value === null || isNumber(value);
const isPresence = (value: unknown): boolean => value === 'online' || value === 'offline' || value === 'never';

const CHECKS: Readonly<Record<keyof LiveDevice, (value: unknown) => boolean>> = {
  id: isText,
  name: isText,
  plate: isText,
  terminal: isText,
  groupName: isText,
  group: isNumber,
  chn: isNumber,
  at: isNumber,
  seenAt: isNumber,
  speedKmh: isNumberOrNull,
  heading: isNumberOrNull,
  isMoving: isFlag,
  inAlarm: isFlag,
  alarmType: isText,
  alarmSeverity: (value) => value === '' || SEVERITIES.some((each) => each === value),
  alarmSince: isNumber,
  videoLoss: isFlag,
  lat: isNumberOrNull,
  lng: isNumberOrNull,
  state: isPresence,
};

function changesOf(value: unknown): readonly LiveChange[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const changes: LiveChange[] = [];
  for (const fields of value.map(fieldsOf)) {
    const change = changeOf(fields);
    if (change.id !== undefined && change.id !== '') changes.push(change as LiveChange);
  }
  return changes;
}

const CHECK_LIST = Object.entries(CHECKS);

/** A loop and no chain of arrays: it runs ten thousand times a second for a large fleet. */
function changeOf(fields: Fields): Partial<LiveDevice> {
  const change: Record<string, unknown> = {};
  for (const [name, isRight] of CHECK_LIST) if (isRight(fields[name])) change[name] = fields[name];
  return change;
}

const COUNTS = ['total', 'online', 'offline', 'moving', 'parked', 'alarm', 'never', 'videoLoss'] as const;

interface ReadCounts {
  readonly counts?: FleetCounts;
  readonly eventCounts?: EventCounts;
}

function countsOf({ counts, eventCounts }: Fields): ReadCounts {
  const { unacknowledged, open } = fieldsOf(eventCounts);
  return {
    ...(isObject(counts) ? { counts: numbersOf(COUNTS, counts) } : {}),
    ...(isObject(eventCounts)
      ? { eventCounts: { unacknowledged: numbersOf(SEVERITIES, unacknowledged), open: numbersOf(SEVERITIES, open) } }
      : {}),
  };
}

function numbersOf<Name extends string>(names: readonly Name[], value: unknown): Readonly<Record<Name, number>> {
  const fields = fieldsOf(value);
  return Object.fromEntries(names.map((name) => [name, numberOf(fields[name])])) as Record<Name, number>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function numberOf(value: unknown): number {
  return isNumber(value) ? (value as number) : 0;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
