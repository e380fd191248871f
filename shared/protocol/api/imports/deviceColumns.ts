// The columns of a file of devices: those of an export, which an import reads again.
import { DEVICE_FIELD_NAMES, type DeviceFields } from '../devices.ts';
import { type SnakeCase, snakeCase } from './snakeCase.ts';

export type DeviceField = keyof DeviceFields;

/** Columns that have another name than their field. */
const OTHER_NAMES = { chn: 'channels', installchs: 'installed', ptzchs: 'ptz', talkchs: 'talk' } as const;
type OtherwiseNamed = keyof typeof OTHER_NAMES;

export type ImportColumn =
  | 'deviceid'
  | SnakeCase<Exclude<DeviceField, OtherwiseNamed>>
  | (typeof OTHER_NAMES)[OtherwiseNamed];

export function columnOf(name: DeviceField): ImportColumn {
  return isOtherwiseNamed(name) ? OTHER_NAMES[name] : snakeCase(name);
}

function isOtherwiseNamed(name: DeviceField): name is OtherwiseNamed {
  return Object.hasOwn(OTHER_NAMES, name);
}

export const IMPORT_COLUMNS: readonly ImportColumn[] = ['deviceid', ...DEVICE_FIELD_NAMES.map(columnOf)];
