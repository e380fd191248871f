// What is a cell of a file of devices, and what a cell says.
import {
  BLANK_DEVICE,
  DEVICE_EDITIONS,
  DEVICE_FIELD_NAMES,
  DEVICE_ICONS,
  type DeviceFields,
  type DeviceRow,
} from '../../../shared/protocol/api/devices.ts';
import type { DeviceField } from '../../../shared/protocol/api/imports/deviceColumns.ts';
import type { CsvRow } from '../kernel/lists/csv.ts';

/** The numbers of groups as paths of their names. */
export type GroupPaths = ReadonlyMap<number, string>;

export function cellsOf(row: DeviceRow, paths: GroupPaths): CsvRow {
  return [row.deviceid, ...DEVICE_FIELD_NAMES.map((name) => cellOf(row, name, paths))];
}

/** Names of channels stand in one cell; a name's own bar has a backslash before it. */
const NAME_SEPARATOR = '|';

export function cellOf(fields: DeviceFields, name: DeviceField, paths: GroupPaths): string {
  switch (name) {
    case 'group':
      return fields.group === null ? '' : (paths.get(fields.group) ?? '');
    case 'channelNames':
      return fields.channelNames.map((each) => each.replace(/[\\|]/g, '\\$&')).join(NAME_SEPARATOR);
    default: {
      const value = fields[name];
      return typeof value === 'boolean' ? String(Number(value)) : String(value);
    }
  }
}

/** `group` is looked up among those that the caller sees, so it is read elsewhere. */
export type ReadField = Exclude<DeviceField, 'group'>;

export const READ_FIELDS = DEVICE_FIELD_NAMES.filter((name): name is ReadField => name !== 'group');

/** What a cell means for its field; undefined when it says nothing that the field can mean. */
export function readCell(name: ReadField, cell: string): DeviceFields[ReadField] | undefined {
  if (isSpecial(name)) return SPECIAL[name](cell);
  return typeof BLANK_DEVICE[name] === 'boolean' ? FLAGS.get(cell.trim().toLowerCase()) : cell.trim();
}

/** Neither any text nor a flag. Notes keep their blanks. */
type SpecialField =
  | 'notes'
  | { [Name in ReadField]: IsPlain<DeviceFields[Name]> extends true ? never : Name }[ReadField];
type IsPlain<Value> = string extends Value ? true : boolean extends Value ? true : false;

const SPECIAL: { readonly [Name in SpecialField]: (cell: string) => DeviceFields[Name] | undefined } = {
  edition: (cell) => oneOf(['', ...DEVICE_EDITIONS], cell),
  // An empty cell means as many as the terminal reports.
  chn: (cell) => (/^\d{0,3}$/.test(cell.trim()) ? Number(cell) : undefined),
  channelNames: readNames,
  icon: (cell) => oneOf(['', ...DEVICE_ICONS], cell),
  notes: (cell) => cell.replaceAll('\r\n', '\n'),
};

function isSpecial(name: ReadField): name is SpecialField {
  return Object.hasOwn(SPECIAL, name);
}

function oneOf<const Value extends string>(values: readonly Value[], cell: string): Value | undefined {
  return values.find((value) => value === cell.trim());
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...(['1', 'true', 'yes', 'y'] as const).map((word) => [word, true] as const),
  ...(['', '0', 'false', 'no', 'n'] as const).map((word) => [word, false] as const),
]);

function readNames(cell: string): string[] {
  if (cell === '') return [];
  const names = [''];
  for (const [part] of cell.matchAll(/\\[\\|]|\||[^\\|]+|\\/g)) {
    if (part === NAME_SEPARATOR) names.push('');
    else names.push((names.pop() ?? '') + (part.length === 2 && part.startsWith('\\') ? part.slice(1) : part));
  }
  return names;
}
