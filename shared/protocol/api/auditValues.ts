// Values that stand in the audit's entries by their names in the protocol. A page says each in the user's language; one that
// is missing here, or in another field, is shown as it is: it is somebody's own text.
import { DEVICE_ICONS } from './devices.ts';
import { LINK_KINDS } from './links.ts';

/** By the field that they stand in. */
export const AUDIT_VALUES: Readonly<Record<string, readonly string[]>> = {
  mode: ['off', 'always', 'ignition'],
  quality: ['main', 'sub'],
  kinds: LINK_KINDS,
  icon: DEVICE_ICONS,
  by: ['password', 'invitation'],
  result: ['attributes', 'unsupported', 'no-answer', 'lost'],
};

/** Every value as the translations name it. */
export const AUDIT_VALUE_KEYS: readonly string[] = Object.entries(AUDIT_VALUES).flatMap(([field, values]) =>
  values.map((value) => auditValueKey(field, value)),
);

export function auditValueKey(field: string, value: string): string {
  return `${field}: ${value}`;
}
