// Event types and the reasons that events are closed for (docs/contract.md).
import * as Type from 'typebox/type';
import { CustomSource } from '../events/customSource.ts';
import { EVENT_CATEGORIES, EVENT_UNITS, SEVERITIES } from '../events/eventWords.ts';
import {
  Count,
  closed,
  Flag,
  Id,
  IdText,
  LineOfText,
  Nullable,
  OneOf,
  type RecordOf,
  ShortText,
  Text,
  Version,
  VersionText,
} from './records.ts';

/** For every signed-in member: the names of events, and how they look and sound. */
export const EVENT_TYPE_NAMES_PATH = '/api/event/types';
export const EVENT_TYPES_PATH = '/api/eventdefine/types';
export const EVENT_REASONS_PATH = '/api/eventdefine/reasons';

export const MAX_EVENT_NAME = 60;
/** Maximum before an event, and after it. */
export const MAX_CLIP_SECONDS = 300;
/** Maximum of types made by administrators, beside the built-in ones. */
export const CUSTOM_TYPES_MAX = 200;
/** Maximum of reasons, likewise. */
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

/** '' where none is given: the English name is then used or, where that is '' too, the translation of the built-in name. */
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
  icon: OneOf(EVENT_ICONS),
  sound: OneOf(EVENT_SOUNDS),
  needsAcknowledgment: Type.Boolean(),
  clipBeforeS: Seconds,
  clipAfterS: Seconds,
  /** Channels of which pictures are taken when the event begins. */
  snapshotChannels: Type.Array(Channel, { maxItems: 32, uniqueItems: true }),
  enabled: Type.Boolean(),
  /** What raises a type that an administrator made; null for a built-in one. */
  source: Nullable(CustomSource),
};

/** The values that a page uses for words that it does not know. */
const ofLaterGateways = {
  category: OneOf(EVENT_CATEGORIES, 'device'),
  severity: OneOf(SEVERITIES, 'info'),
  icon: OneOf(EVENT_ICONS, 'flag'),
  sound: OneOf(EVENT_SOUNDS, 'none'),
};

export const EventTypeRecord = Type.Object({
  ...content,
  ...ofLaterGateways,
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
export const ChangedEventType = Type.Object({ ...content, version: Version }, closed);

export const EventTypeParams = Type.Object({ code: ShortText });
export const EventReasonParams = Type.Object({ id: IdText });
/** The version that is reset to the state of a new installation. */
export const ResetVersion = Type.Object({ version: Version }, closed);
/** The version that is removed. */
export const VersionQuery = Type.Object({ version: VersionText }, closed);

/** What pages need in order to show an event. */
export const EventTypeName = Type.Object({
  code: Text,
  ...names,
  ...ofLaterGateways,
  unit: OneOf(EVENT_UNITS),
  color: Text,
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
export const ChangedEventReason = Type.Object({ ...reason, version: Version }, closed);

/** `GET EVENT_TYPE_NAMES_PATH`. */
export const EventWords = Type.Object({ types: Type.Array(EventTypeName), reasons: EventReasons });
export type EventWords = RecordOf<typeof EventWords>;
