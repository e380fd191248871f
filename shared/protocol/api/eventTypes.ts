// Event types and the reasons that events are closed for (docs/contract.md).
import * as Type from 'typebox/type';
import { EVENT_CATEGORIES, EVENT_UNITS, SEVERITIES } from '../events/eventWords.ts';
import { Count, closed, Flag, Id, LineOfText, Nullable, OneOf, type RecordOf, Text, Version } from './records.ts';

/** For every signed-in member: what events are called, and how they look and sound. */
export const EVENT_TYPE_NAMES_PATH = '/api/event/types';
export const EVENT_TYPES_PATH = '/api/eventdefine/types';
export const EVENT_REASONS_PATH = '/api/eventdefine/reasons';

export const MAX_EVENT_NAME = 60;
/** Before and after an event. */
export const MAX_CLIP_SECONDS = 300;
/** Made by administrators, beside the built-in ones. */
export const CUSTOM_TYPES_MAX = 200;
export const REASONS_MAX = 100;

export const EVENT_SOUNDS = ['none', 'chime', 'alert', 'alarm', 'siren'] as const;
export type EventSound = (typeof EVENT_SOUNDS)[number];

/** Names of icons that the pages have. */
export const EVENT_ICONS = [
  ...(['sos', 'collision', 'speed', 'driver', 'fatigue', 'phone', 'smoking', 'lane', 'vehicle', 'pedestrian'] as const),
  ...(['tire', 'camera', 'storage', 'power', 'gnss', 'fuel', 'temperature', 'ignition', 'door', 'parking'] as const),
  ...(['clock', 'offline', 'fence', 'route', 'passengers', 'device', 'system', 'flag'] as const),
] as const;
export type EventIcon = (typeof EVENT_ICONS)[number];

/** '' in a name follows the language, where the type is built in. */
const names = {
  nameEn: LineOfText(MAX_EVENT_NAME),
  nameZh: LineOfText(MAX_EVENT_NAME),
  nameJp: LineOfText(MAX_EVENT_NAME),
};

const Seconds = Type.Integer({ minimum: 0, maximum: MAX_CLIP_SECONDS });
const Channel = Type.Integer({ minimum: 1, maximum: 32 });

/** What a form edits. */
const content = {
  ...names,
  category: OneOf(EVENT_CATEGORIES),
  severity: OneOf(SEVERITIES),
  /** `#rrggbb`; '' follows the severity. */
  color: Type.String({ pattern: '^(#[0-9a-f]{6})?$' }),
  icon: OneOf(EVENT_ICONS, 'flag'),
  sound: OneOf(EVENT_SOUNDS, 'none'),
  needsAcknowledgment: Type.Boolean(),
  clipBeforeS: Seconds,
  clipAfterS: Seconds,
  /** Of which pictures are taken as it begins. */
  snapshotChannels: Type.Array(Channel, { maxItems: 32, uniqueItems: true }),
  enabled: Type.Boolean(),
};

export const EventTypeRecord = Type.Object({
  ...content,
  code: Text,
  version: Version,
  isBuiltIn: Flag,
  unit: OneOf(EVENT_UNITS),
  hasRule: Flag,
});
export type EventTypeRecord = RecordOf<typeof EventTypeRecord>;
export const EventTypeRecords = Type.Array(EventTypeRecord);

export const EventTypeContent = Type.Object(content, closed);
export type EventTypeContent = RecordOf<typeof EventTypeContent>;

/** What pages need in order to show an event. */
export const EventTypeName = Type.Object({
  code: Text,
  ...names,
  category: OneOf(EVENT_CATEGORIES),
  severity: OneOf(SEVERITIES),
  unit: OneOf(EVENT_UNITS),
  color: Text,
  icon: OneOf(EVENT_ICONS, 'flag'),
  sound: OneOf(EVENT_SOUNDS, 'none'),
  clipBeforeS: Count,
  clipAfterS: Count,
  needsAcknowledgment: Flag,
});
export type EventTypeName = RecordOf<typeof EventTypeName>;

const reason = { ...names, isFalseAlarm: Type.Boolean(), enabled: Type.Boolean() };

export const EventReason = Type.Object({ id: Id, version: Version, code: Text, isBuiltIn: Flag, ...reason });
export type EventReason = RecordOf<typeof EventReason>;
export const EventReasons = Type.Array(EventReason);

export const EventReasonContent = Type.Object(reason, closed);
export type EventReasonContent = RecordOf<typeof EventReasonContent>;

/** `GET EVENT_TYPE_NAMES_PATH`. */
export const EventWords = Type.Object({ types: Type.Array(EventTypeName), reasons: EventReasons });
export type EventWords = RecordOf<typeof EventWords>;

export const MaybeEventType = Nullable(EventTypeRecord);
