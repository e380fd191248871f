// Masks of alarms as lists of bit numbers. Pure.
import { ALARM_TYPES, VIDEO_ALARM_TYPES } from '../../../../shared/protocol/events/alarmTypes.ts';

export const MASK_NAMES = ['maskedAlarms', 'keyAlarms', 'maskedVideoAlarms'] as const;
export type MaskName = (typeof MASK_NAMES)[number];

export interface AlarmBit {
  readonly bit: number;
  /** Codes of event types: two where the editions of JT/T 808 differ. */
  readonly types: readonly string[];
}

export function alarmBitsOf(mask: MaskName): readonly AlarmBit[] {
  return mask === 'maskedVideoAlarms' ? VIDEO_BITS : ALARM_BITS;
}

const VIDEO_BITS: readonly AlarmBit[] = VIDEO_ALARM_TYPES.map((type, bit) => ({ bit, types: [type] }));

const ALARM_BITS: readonly AlarmBit[] = ALARM_TYPES['2019'].flatMap((newer, bit) => {
  const named = [newer, ALARM_TYPES['2013'][bit]].filter((type) => type !== undefined);
  return named.length === 0 ? [] : [{ bit, types: [...new Set(named)] }];
});

/** The bits that have a name, as texts. */
export function bitsOfMask(name: MaskName, mask: number): readonly string[] {
  return alarmBitsOf(name).flatMap(({ bit }) => (isSet(mask, bit) ? [String(bit)] : []));
}

/** Bits without a name stay as they were. */
export function maskOfBits(name: MaskName, bits: readonly string[], before: number): number {
  const named = alarmBitsOf(name).reduce((sum, { bit }) => sum + (isSet(before, bit) ? 2 ** bit : 0), 0);
  return bits.reduce((sum, bit) => sum + 2 ** Number(bit), before - named);
}

function isSet(mask: number, bit: number): boolean {
  return Math.floor(mask / 2 ** bit) % 2 === 1;
}
