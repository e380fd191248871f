// The configuration of events by installation, device group and device, and the alarm limits of the devices themselves.
import * as Type from 'typebox/type';
import { EVENT_RULE_FIELDS, EventRuleSettings, EventRuleValues, RULE_ORIGINS } from '../events/eventRules.ts';
import { EVENT_CATEGORIES } from '../events/eventWords.ts';
import { Count, closed, Flag, Id, Nullable, OneOf, type RecordOf, ShortText, Text, Timestamp } from './records.ts';

export const EVENT_RULES_PATH = '/api/eventconfig/rules';
export const EVENT_RULE_PREVIEW_PATH = '/api/eventconfig/preview';
export const ALARM_LIMITS_PATH = '/api/eventconfig/limits';

/** The device groups that rules can be set for. */
export const EVENT_RULE_GROUPS_PATH = '/api/eventconfig/groups';

export const RULE_SCOPES = ['installation', 'group', 'device'] as const;
export type RuleScope = (typeof RULE_SCOPES)[number];

/** In a query and in a body; `group` and `deviceid` go with their scopes. */
const scopeFields = {
  scope: OneOf(RULE_SCOPES),
  group: Type.Optional(ShortText),
  deviceid: Type.Optional(ShortText),
};
export const RuleScopeQuery = Type.Object(scopeFields, closed);
export type RuleScopeQuery = RecordOf<typeof RuleScopeQuery>;

export const RuleGroup = Type.Object({
  id: Id,
  name: Text,
  /** Null at the top, and where the caller does not see the parent group. */
  parent: Nullable(Id),
});
export type RuleGroup = RecordOf<typeof RuleGroup>;
/** Each group comes after the groups beside it that precede it. */
export const RuleGroups = Type.Array(RuleGroup);
export type RuleGroups = RecordOf<typeof RuleGroups>;

export const RuleOrigin = Type.Object({
  kind: OneOf(RULE_ORIGINS, 'default'),
  /** Name of the device group; '' for other origins. */
  name: Text,
  group: Id,
});
export type RuleOrigin = RecordOf<typeof RuleOrigin>;

/** An event type with the settings that apply in a scope. */
export const EventRuleRow = Type.Object({
  type: Text,
  category: OneOf(EVENT_CATEGORIES, 'device'),
  hasRule: Flag,
  /** Reported by terminals, not by a rule alone. */
  isReported: Flag,
  /** The rule uses only stored data, so that it can be tried on the last days. */
  hasPreview: Flag,
  /** Version of the scope's own settings; 0 if it has none. */
  version: Count,
  own: EventRuleSettings,
  values: EventRuleValues,
  /** The origin of each field. */
  origins: Type.Object(Object.fromEntries(EVENT_RULE_FIELDS.map((field) => [field, RuleOrigin]))),
  /** The values that would apply without the scope's own settings. */
  inherited: EventRuleValues,
});
export type EventRuleRow = Omit<RecordOf<typeof EventRuleRow>, 'origins' | 'own'> & {
  readonly own: Partial<EventRuleValues>;
  readonly origins: Readonly<Record<keyof EventRuleValues, RuleOrigin>>;
};
/** By category, then by the order of the built-in types. */
export const EventRuleRows = Type.Array(EventRuleRow);

export const ChangedEventRule = Type.Object(
  {
    ...scopeFields,
    type: ShortText,
    /** Version that the caller saw; 0: there was none. */
    version: Count,
    /** All settings: fields that are left out are inherited. */
    settings: EventRuleSettings,
  },
  closed,
);
export type ChangedEventRule = RecordOf<typeof ChangedEventRule>;

/** Asks what the settings would have done to a device in the last days. */
export const RulePreviewRequest = Type.Object(
  { ...scopeFields, type: ShortText, settings: EventRuleSettings, device: ShortText },
  closed,
);
export type RulePreviewRequest = RecordOf<typeof RulePreviewRequest>;

export const PREVIEW_DAYS = 7;
/** Maximum number of positions that are looked through. */
export const PREVIEW_POSITIONS_MAX = 200_000;

export const RulePreview = Type.Object({
  events: Count,
  /** Number of events with the current settings. */
  eventsNow: Count,
  positions: Count,
  /** There were more; only the latest were looked through. */
  isPartial: Flag,
  /** Begin times of the latest ten events, newest first. */
  begins: Type.Array(Timestamp),
});
export type RulePreview = RecordOf<typeof RulePreview>;

/**
 * Alarm limits that terminals watch by themselves (0x8103): the alarms that they leave out (0x0050) and mark as key alarms (0x0054),
 * the video alarms that they leave out (0x007A), and the limits of speed, driving time, rest and parking (0x0055 to 0x005A).
 */
const limitFields = {
  /** Bits as in the alarm word of a position. */
  maskedAlarms: Type.Integer({ minimum: 0, maximum: 0xffff_ffff }),
  keyAlarms: Type.Integer({ minimum: 0, maximum: 0xffff_ffff }),
  maskedVideoAlarms: Type.Integer({ minimum: 0, maximum: 0xffff_ffff }),
  maxSpeedKmh: Type.Integer({ minimum: 0, maximum: 250 }),
  speedingSeconds: Type.Integer({ minimum: 0, maximum: 3_600 }),
  drivingSeconds: Type.Integer({ minimum: 0, maximum: 86_400 }),
  dailyDrivingSeconds: Type.Integer({ minimum: 0, maximum: 86_400 }),
  restSeconds: Type.Integer({ minimum: 0, maximum: 86_400 }),
  parkedSeconds: Type.Integer({ minimum: 0, maximum: 30 * 86_400 }),
};
export const AlarmLimits = Type.Object(limitFields, closed);
export type AlarmLimits = RecordOf<typeof AlarmLimits>;

/**
 * `none`: never written. `sent`: sent to the terminal, which has not reported yet what it has now. `differs`: the terminal reports
 * something other than what was written.
 */
export const ALARM_LIMIT_STATES = ['none', 'waiting', 'sent', 'confirmed', 'differs', 'refused', 'expired'] as const;
export type AlarmLimitState = (typeof ALARM_LIMIT_STATES)[number];

export const DeviceAlarmLimits = Type.Object({
  deviceid: Text,
  isOnline: Flag,
  state: OneOf(ALARM_LIMIT_STATES, 'none'),
  /** Version of the wanted limits; 0 if none were written. */
  version: Count,
  /** Who wrote them last, and when. */
  by: Text,
  writtenAtMs: Timestamp,
  /** The limits that should apply; null if none were written. */
  wanted: Nullable(Type.Partial(AlarmLimits)),
  /** The limits that the terminal reported last; null if it never did. Limits that it doesn't have are left out. */
  reported: Nullable(Type.Partial(AlarmLimits)),
  reportedAtMs: Timestamp,
});
export type DeviceAlarmLimits = RecordOf<typeof DeviceAlarmLimits>;

export const AlarmLimitQuery = Type.Object({ deviceid: ShortText }, closed);
export const ChangedAlarmLimits = Type.Object(
  {
    deviceid: ShortText,
    /** Version of the limits that were changed, as the caller saw it. */
    version: Count,
    /** Limits that are left out stay unchanged; limits that are null are no longer set, and the terminal keeps its values. */
    limits: Type.Object(
      Object.fromEntries(
        Object.entries(limitFields).map(([name, field]) => [name, Type.Optional(Nullable(field))] as const),
      ),
      closed,
    ),
  },
  closed,
);
export type AlarmLimitChange = { readonly [Name in keyof AlarmLimits]?: AlarmLimits[Name] | null };
export type ChangedAlarmLimits = Omit<RecordOf<typeof ChangedAlarmLimits>, 'limits'> & {
  readonly limits: AlarmLimitChange;
};
