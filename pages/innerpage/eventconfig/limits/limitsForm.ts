// The form of a device's alarm limits as data. Pure.
import type { AlarmLimitChange, AlarmLimits, DeviceAlarmLimits } from '../../../../shared/protocol/api/eventConfig.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';
import { sameValue } from '../../../../shared/ui/form/formState.ts';
import { bitsOfMask, MASK_NAMES, type MaskName, maskOfBits } from './alarmBits.ts';

export type LimitName = keyof AlarmLimits;
export type LimitNumberName = Exclude<LimitName, MaskName>;

export interface LimitNumber {
  readonly unit: 'km/h' | 's' | 'min';
  /** In the unit. */
  readonly maximum: number;
}

/** The gateway counts all times in seconds. */
export const LIMIT_NUMBERS: Readonly<Record<LimitNumberName, LimitNumber>> = {
  maxSpeedKmh: { unit: 'km/h', maximum: 250 },
  speedingSeconds: { unit: 's', maximum: 3_600 },
  drivingSeconds: { unit: 'min', maximum: 1_440 },
  dailyDrivingSeconds: { unit: 'min', maximum: 1_440 },
  restSeconds: { unit: 'min', maximum: 1_440 },
  parkedSeconds: { unit: 'min', maximum: 43_200 },
};
export const LIMIT_NUMBER_NAMES = Object.keys(LIMIT_NUMBERS) as readonly LimitNumberName[];
export const LIMIT_NAMES: readonly LimitName[] = [...LIMIT_NUMBER_NAMES, ...MASK_NAMES];

/** Numbers in the unit that is shown, null where it isn't known; masks as bit numbers. */
export type LimitsDraft = Readonly<Record<LimitNumberName, number | null>> &
  Readonly<Record<MaskName, readonly string[]>>;

/** What should hold or, where nothing was set, what the terminal has. */
export function draftOfLimits({ wanted, reported }: Pick<DeviceAlarmLimits, 'wanted' | 'reported'>): LimitsDraft {
  const known = { ...reported, ...wanted };
  const numbers = LIMIT_NUMBER_NAMES.map((name) => {
    const value = known[name];
    return [name, value === undefined ? null : toShownLimit(name, value)] as const;
  });
  const masks = MASK_NAMES.map((name) => [name, bitsOfMask(name, known[name] ?? 0)] as const);
  return { ...Object.fromEntries(numbers), ...Object.fromEntries(masks) } as LimitsDraft;
}

export function toShownLimit(name: LimitNumberName, value: number): number {
  return LIMIT_NUMBERS[name].unit === 'min' ? value / 60 : value;
}

/** What is sent: what was changed, null for what was set and is empty now, and what was set before, so that it can be sent again. */
export function limitsToSend(
  { wanted, reported }: Pick<DeviceAlarmLimits, 'wanted' | 'reported'>,
  draft: LimitsDraft,
): AlarmLimitChange {
  const before = draftOfLimits({ wanted, reported });
  const known = { ...reported, ...wanted };
  const isSent = (name: LimitName) => !sameValue(draft[name], before[name]) || wanted?.[name] !== undefined;
  const numbers = LIMIT_NUMBER_NAMES.flatMap((name): (readonly [LimitName, number | null])[] => {
    const value = draft[name];
    if (value === null) return wanted?.[name] === undefined ? [] : [[name, null] as const];
    if (!isSent(name)) return [];
    return [[name, LIMIT_NUMBERS[name].unit === 'min' ? Math.round(value * 60) : value] as const];
  });
  const masks = MASK_NAMES.flatMap((name) =>
    isSent(name) ? [[name, maskOfBits(name, draft[name], known[name] ?? 0)] as const] : [],
  );
  return { ...Object.fromEntries(numbers), ...Object.fromEntries(masks) };
}

/** `range`: says what can be entered. An empty field leaves the terminal's own value. */
export function checkLimits(draft: LimitsDraft, range: (maximum: number) => string): Problems<LimitsDraft> {
  const problems = LIMIT_NUMBER_NAMES.map((name) => {
    const { maximum, unit } = LIMIT_NUMBERS[name];
    const value = draft[name];
    if (value === null) return [name, undefined] as const;
    const isFine = value >= 0 && value <= maximum && (unit === 'min' || Number.isInteger(value));
    return [name, isFine ? undefined : range(maximum)] as const;
  });
  return Object.fromEntries(problems);
}

/** Whether the terminal says something else than what should hold. */
export function differs({ wanted, reported }: Pick<DeviceAlarmLimits, 'wanted' | 'reported'>, name: LimitName) {
  const [one, other] = [wanted?.[name], reported?.[name]];
  return one !== undefined && other !== undefined && one !== other;
}
