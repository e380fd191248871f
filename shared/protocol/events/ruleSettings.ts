// What the gateway's rules are configured by: the form, the check of what comes in and the evaluation go by this table.
import type { WeekSchedule } from '../api/weekWindows.ts';
import type { FieldCode } from '../fieldCodes.ts';
import type { BUILT_IN_TYPES, BuiltInCode } from './builtInTypes.ts';

/** The event types that the gateway can find by itself. */
export type RuleCode = {
  [Code in BuiltInCode]: (typeof BUILT_IN_TYPES)[Code] extends { readonly hasRule: true } ? Code : never;
}[BuiltInCode];

export interface RuleSettings {
  readonly threshold?: number;
  /** Ends the event. Where it is left out, the threshold does. */
  readonly clearThreshold?: number;
  /** For what has a range, the lower end of it. */
  readonly lowThreshold?: number;
  /** How long before the event is raised. */
  readonly durationSeconds?: number;
  /** When the rule applies. Left out or empty: at any time. */
  readonly schedule?: WeekSchedule;
}

export type RuleNumberName = Exclude<keyof RuleSettings, 'schedule'>;

/**
 * What a form shows the number in. The event's value and limit are in the unit of the threshold. A duration is kept in
 * seconds, with its bounds, also where it is shown in minutes.
 */
export type RuleUnit = 'km/h' | 'km/h/s' | 'm' | 'L' | '°C' | 's' | 'min' | 'persons';

export interface RuleNumber {
  readonly unit: RuleUnit;
  readonly minimum: number;
  readonly maximum: number;
  /** What the form suggests, and what counts where the number is left out. */
  readonly defaultValue?: number;
  /** Left out, there is no such limit: the default is a suggestion only. */
  readonly isOptional?: true;
  /** It can't be greater than that one. */
  readonly atMost?: 'threshold';
}

/** What a rule uses; what is left out here isn't shown, and isn't accepted. */
export interface RuleFields extends Partial<Readonly<Record<RuleNumberName, RuleNumber>>> {
  /** `required`: the schedule is what the rule is about. */
  readonly schedule: 'optional' | 'required';
}

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

function seconds(defaultValue: number, minimum: number, maximum: number): RuleNumber {
  return { unit: 's', defaultValue, minimum, maximum };
}

function minutes(defaultValue: number, minimum: number, maximum: number): RuleNumber {
  return { unit: 'min', defaultValue, minimum, maximum };
}

/** Tires grip at 35 km/h a second at most; what a bus passenger standing in the aisle notices begins at 7. */
const ACCELERATION = { unit: 'km/h/s', minimum: 4, maximum: 30 } as const;

export const RULE_FIELDS: Readonly<Record<RuleCode, RuleFields>> = {
  speeding: {
    threshold: { unit: 'km/h', defaultValue: 100, minimum: 10, maximum: 200 },
    clearThreshold: { unit: 'km/h', defaultValue: 95, minimum: 5, maximum: 200, isOptional: true, atMost: 'threshold' },
    durationSeconds: seconds(10, 0, HOUR_S),
    schedule: 'optional',
  },
  'harsh-braking': { threshold: { ...ACCELERATION, defaultValue: 12 }, schedule: 'optional' },
  'harsh-acceleration': { threshold: { ...ACCELERATION, defaultValue: 10 }, schedule: 'optional' },
  // How far the vehicle has moved.
  'unauthorized-movement': {
    threshold: { unit: 'm', defaultValue: 200, minimum: 100, maximum: 10_000 },
    schedule: 'optional',
  },
  // The schedule says when driving is forbidden.
  'forbidden-hours': { durationSeconds: seconds(MINUTE_S, 0, HOUR_S), schedule: 'required' },
  // More persons than that.
  'passenger-overload': {
    threshold: { unit: 'persons', defaultValue: 45, minimum: 1, maximum: 500 },
    schedule: 'optional',
  },
  // Driving time, and the rest after which it is counted anew.
  'continuous-driving': {
    threshold: { unit: 'min', defaultValue: 240, minimum: 10, maximum: 1_440 },
    clearThreshold: { unit: 'min', defaultValue: 20, minimum: 5, maximum: 720 },
    schedule: 'optional',
  },
  'no-driver-card': { durationSeconds: seconds(MINUTE_S, 0, HOUR_S), schedule: 'optional' },
  'video-loss': { durationSeconds: seconds(MINUTE_S, 0, DAY_S), schedule: 'optional' },
  'storage-fault': { durationSeconds: seconds(MINUTE_S, 0, DAY_S), schedule: 'optional' },
  'not-recorded': { durationSeconds: minutes(5 * MINUTE_S, MINUTE_S, DAY_S), schedule: 'optional' },
  'no-fix': { durationSeconds: minutes(10 * MINUTE_S, MINUTE_S, DAY_S), schedule: 'optional' },
  // A change by so much, within the duration; time with the ignition off isn't counted.
  'fuel-drop': {
    threshold: { unit: 'L', defaultValue: 15, minimum: 3, maximum: 1_000 },
    durationSeconds: minutes(10 * MINUTE_S, 2 * MINUTE_S, 2 * HOUR_S),
    schedule: 'optional',
  },
  refueling: {
    threshold: { unit: 'L', defaultValue: 20, minimum: 3, maximum: 1_000 },
    durationSeconds: minutes(10 * MINUTE_S, 2 * MINUTE_S, 2 * HOUR_S),
    schedule: 'optional',
  },
  // At least one of both ends. Below the lower one, the event ends as far inside as it does at the upper one.
  'cabin-temperature': {
    threshold: { unit: '°C', defaultValue: 35, minimum: -50, maximum: 100, isOptional: true },
    clearThreshold: { unit: '°C', minimum: -50, maximum: 100, isOptional: true, atMost: 'threshold' },
    lowThreshold: { unit: '°C', minimum: -50, maximum: 100, isOptional: true, atMost: 'threshold' },
    durationSeconds: minutes(5 * MINUTE_S, 0, DAY_S),
    schedule: 'optional',
  },
  'ignition-on': { schedule: 'optional' },
  'ignition-off': { schedule: 'optional' },
  idling: { durationSeconds: minutes(5 * MINUTE_S, MINUTE_S, DAY_S), schedule: 'optional' },
  'parked-too-long': { durationSeconds: minutes(DAY_S, 5 * MINUTE_S, 30 * DAY_S), schedule: 'optional' },
  offline: { durationSeconds: minutes(HOUR_S, MINUTE_S, 30 * DAY_S), schedule: 'optional' },
  // How far the device's clock is from the gateway's.
  'wrong-clock': { threshold: seconds(2 * MINUTE_S, 10, DAY_S), schedule: 'optional' },
};

export const RULE_CODES = Object.keys(RULE_FIELDS) as readonly RuleCode[];

const NUMBER_NAMES = ['threshold', 'clearThreshold', 'lowThreshold', 'durationSeconds'] as const;

export function hasRule(code: string): code is RuleCode {
  return Object.hasOwn(RULE_FIELDS, code);
}

/** What the form shows first. */
export function suggestedSettings(code: RuleCode): RuleSettings {
  const fields = RULE_FIELDS[code];
  return Object.fromEntries(
    NUMBER_NAMES.flatMap((name) => {
      const value = fields[name]?.defaultValue;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The number that counts: the one that was set, else the default. Undefined: the rule has no such limit. */
export function ruleNumber(code: RuleCode, settings: RuleSettings, name: RuleNumberName): number | undefined {
  const field = RULE_FIELDS[code][name];
  if (field === undefined) return undefined;
  return settings[name] ?? (field.isOptional ? undefined : field.defaultValue);
}

export type RuleFaults = Partial<Record<keyof RuleSettings, FieldCode>>;

/** What is wrong with the settings as a whole, inherited ones included. */
export function ruleFaults(code: RuleCode, settings: RuleSettings): RuleFaults {
  const faults: RuleFaults = {};
  for (const name of NUMBER_NAMES) {
    const fault = numberFault(code, settings, name);
    if (fault !== undefined) faults[name] = fault;
  }
  if (code === 'cabin-temperature' && settings.threshold === undefined && settings.lowThreshold === undefined)
    faults.threshold = 'required';
  const { schedule = [] } = settings;
  if (RULE_FIELDS[code].schedule === 'required' && schedule.length === 0) faults.schedule = 'required';
  return faults;
}

function numberFault(code: RuleCode, settings: RuleSettings, name: RuleNumberName): FieldCode | undefined {
  const field = RULE_FIELDS[code][name];
  const value = settings[name];
  if (value === undefined) return undefined;
  if (field === undefined) return 'not-allowed';
  const { threshold = Number.POSITIVE_INFINITY } = settings;
  const maximum = field.atMost === 'threshold' ? Math.min(field.maximum, threshold) : field.maximum;
  return value >= field.minimum && value <= maximum ? undefined : 'out-of-range';
}
