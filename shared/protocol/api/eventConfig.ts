// What is configured of events by installation, device group and device, and the alarm limits of the devices themselves.
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
  /** Null at the top, also where the group above is none that the caller sees. */
  parent: Nullable(Id),
});
export type RuleGroup = RecordOf<typeof RuleGroup>;
/** Each behind the groups beside it that come before it. */
export const RuleGroups = Type.Array(RuleGroup);
export type RuleGroups = RecordOf<typeof RuleGroups>;

export const RuleOrigin = Type.Object({
  kind: OneOf(RULE_ORIGINS, 'default'),
  /** Of a device group; '' otherwise. */
  name: Text,
  group: Id,
});
export type RuleOrigin = RecordOf<typeof RuleOrigin>;

/** A type as it holds in a scope. */
export const EventRuleRow = Type.Object({
  type: Text,
  category: OneOf(EVENT_CATEGORIES, 'device'),
  hasRule: Flag,
  /** Reported by terminals, not by a rule alone. */
  isReported: Flag,
  /** Its rule goes by what is kept, so that it can be tried on the last days. */
  hasPreview: Flag,
  /** Of the scope's own settings; 0 where it has none. */
  version: Count,
  own: EventRuleSettings,
  values: EventRuleValues,
  /** For each field. */
  origins: Type.Object(Object.fromEntries(EVENT_RULE_FIELDS.map((field) => [field, RuleOrigin]))),
  /** What would hold without the scope's own settings. */
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
    /** As the caller has seen it; 0: there was none. */
    version: Count,
    /** Whole: what is left out is inherited. */
    settings: EventRuleSettings,
  },
  closed,
);
export type ChangedEventRule = RecordOf<typeof ChangedEventRule>;

/** What the settings would have done to a device in the last days. */
export const RulePreviewRequest = Type.Object(
  { ...scopeFields, type: ShortText, settings: EventRuleSettings, device: ShortText },
  closed,
);
export type RulePreviewRequest = RecordOf<typeof RulePreviewRequest>;

export const PREVIEW_DAYS = 7;
/** More are not looked through. */
export const PREVIEW_POSITIONS_MAX = 200_000;

export const RulePreview = Type.Object({
  events: Count,
  /** With what is set now. */
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
 * `none`: never written. `sent`: the terminal was told, and has not said yet what it has now. `differs`: it says something else than
 * what was written.
 */
export const ALARM_LIMIT_STATES = ['none', 'waiting', 'sent', 'confirmed', 'differs', 'refused', 'expired'] as const;
export type AlarmLimitState = (typeof ALARM_LIMIT_STATES)[number];

export const DeviceAlarmLimits = Type.Object({
  deviceid: Text,
  isOnline: Flag,
  state: OneOf(ALARM_LIMIT_STATES, 'none'),
  /** Of what should hold; 0 where nothing was written. */
  version: Count,
  /** Who wrote them last, and when. */
  by: Text,
  writtenAtMs: Timestamp,
  /** What should hold; null where nothing was written. */
  wanted: Nullable(Type.Partial(AlarmLimits)),
  /** What the terminal said last; null where it never did. What it doesn't have is left out. */
  reported: Nullable(Type.Partial(AlarmLimits)),
  reportedAtMs: Timestamp,
});
export type DeviceAlarmLimits = RecordOf<typeof DeviceAlarmLimits>;

export const AlarmLimitQuery = Type.Object({ deviceid: ShortText }, closed);
export const ChangedAlarmLimits = Type.Object(
  {
    deviceid: ShortText,
    /** Of what was changed, as the caller has seen it. */
    version: Count,
    /** What is left out stays as it is; what is null is not set any more, and the terminal keeps what it has. */
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
