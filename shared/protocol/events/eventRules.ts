// The configuration of an event type: by the installation, by device groups, and by a device. Pure; the gateway uses it to decide
// what to raise, the page to show where a value comes from.
import * as Type from 'typebox/type';
import { closed, LineOfText, Nullable, OneOf, type RecordOf } from '../api/records.ts';
import { WeekSchedule } from '../api/weekWindows.ts';
import { SEVERITIES } from './eventWords.ts';

/** Maximum characters of a text on the driver's screen; 0x8300 has room for 1,024 bytes of GBK at most. */
export const DRIVER_TEXT_MAX = 200;
/** How long a device's channels are recorded because of an event. */
export const RECORD_SECONDS = { minimum: 10, maximum: 3_600 } as const;
export const MERGE_SECONDS = { minimum: 0, maximum: 3_600 } as const;
export const EVENTS_AN_HOUR_RANGE = { minimum: 1, maximum: 3_600 } as const;

const Channels = Type.Array(Type.Integer({ minimum: 1, maximum: 32 }), { maxItems: 32, uniqueItems: true });
const numberOrNone = Nullable(Type.Number());

/** `null`: no such limit. Bounds of the numbers depend on the type (ruleSettings.ts). */
const fields = {
  enabled: Type.Boolean(),
  severity: OneOf(SEVERITIES),
  threshold: numberOrNone,
  clearThreshold: numberOrNone,
  lowThreshold: numberOrNone,
  durationSeconds: numberOrNone,
  /** Empty: at any time. */
  schedule: WeekSchedule,
  mergeSeconds: Type.Integer(MERGE_SECONDS),
  eventsAnHour: Type.Integer(EVENTS_AN_HOUR_RANGE),
  /** Channels that are recorded when the event begins, whatever the recording schedule says. */
  recordChannels: Channels,
  recordSeconds: Type.Integer(RECORD_SECONDS),
  /** Channels of which pictures are taken when the event begins. */
  snapshotChannels: Channels,
  /** Whether the terminal's own files of the alarm are requested, if it has any. */
  requestsFiles: Type.Boolean(),
  /** Whether a window is shown over whatever page the operator has open. */
  popUp: Type.Boolean(),
  /** Text sent to the driver; '' for none. */
  driverText: LineOfText(DRIVER_TEXT_MAX),
  /** Whether the text is also read out. */
  isSpoken: Type.Boolean(),
  /** The gateway confirms the alarm (0x8203) as soon as it is stored, so that the terminal stops repeating it. */
  confirms: Type.Boolean(),
};

export const EventRuleValues = Type.Object(fields, closed);
/** All values that apply to a type at a device. */
export type EventRuleValues = RecordOf<typeof EventRuleValues>;

/** The settings of one place; fields that are left out are inherited. */
export const EventRuleSettings = Type.Partial(EventRuleValues);
export type EventRuleSettings = Partial<EventRuleValues>;

export type EventRuleField = keyof EventRuleValues;
export const EVENT_RULE_FIELDS = Object.keys(fields) as readonly EventRuleField[];

/** Where a value can come from, the farthest first. */
export const RULE_ORIGINS = ['default', 'installation', 'group', 'device'] as const;

export interface RuleLayer<Origin> {
  readonly origin: Origin;
  readonly settings: EventRuleSettings;
}

export interface ResolvedRule<Origin> {
  readonly values: EventRuleValues;
  /** Where each value comes from. */
  readonly origins: Readonly<Record<EventRuleField, Origin>>;
}

/** Field by field, the nearest layer wins. `layers`: the farthest first. */
export function resolveRule<Origin>(
  defaults: { readonly origin: Origin; readonly values: EventRuleValues },
  layers: readonly RuleLayer<Origin>[],
): ResolvedRule<Origin> {
  const values: Record<string, unknown> = { ...defaults.values };
  const origins: Record<string, Origin> = {};
  for (const field of EVENT_RULE_FIELDS) origins[field] = defaults.origin;
  for (const { origin, settings } of layers) {
    for (const field of EVENT_RULE_FIELDS) {
      if (settings[field] === undefined) continue;
      values[field] = settings[field];
      origins[field] = origin;
    }
  }
  // Every field has been given by the defaults.
  return { values: values as unknown as EventRuleValues, origins: origins as Readonly<Record<EventRuleField, Origin>> };
}
