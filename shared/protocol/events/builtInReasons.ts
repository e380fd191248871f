// The reasons for closing an event that every installation has. The names are English, and the keys of their translations
// (EventReasons.json); an administrator may rename or disable one, but not delete it.

export interface BuiltInReason {
  readonly name: string;
  /** Closing for it says that nothing was real. */
  readonly isFalseAlarm?: true;
}

export const BUILT_IN_REASONS = {
  real: { name: 'Real event' },
  test: { name: 'Test', isFalseAlarm: true },
  'sensor-fault': { name: 'Sensor fault', isFalseAlarm: true },
  'dirty-camera': { name: 'Dirty camera', isFalseAlarm: true },
  'driver-error': { name: 'Driver error' },
  'no-action': { name: 'No action needed' },
  'false-alarm': { name: 'False alarm', isFalseAlarm: true },
} as const satisfies Record<string, BuiltInReason>;

export type BuiltInReasonCode = keyof typeof BUILT_IN_REASONS;

export const BUILT_IN_REASON_CODES = Object.keys(BUILT_IN_REASONS) as readonly BuiltInReasonCode[];

/** Undefined for a reason that an administrator made, and for one that only a later gateway knows. */
export function builtInReason(code: string): BuiltInReason | undefined {
  return Object.hasOwn(BUILT_IN_REASONS, code) ? BUILT_IN_REASONS[code as BuiltInReasonCode] : undefined;
}
