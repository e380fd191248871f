// The columns of an export, which an import reads again: what is a cell of each, and what it says.
import {
  DEVICE_EDITIONS,
  DEVICE_ICONS,
  type DeviceEdition,
  type DeviceFields,
  type DeviceIcon,
} from '../../../shared/protocol/api/devices.ts';
import type { DeviceRecord, DeviceRecordFields } from '../../store/devices/deviceRecordRows.ts';

export const IMPORT_COLUMNS = [
  ...(['deviceid', 'name', 'plate', 'terminal', 'edition', 'model', 'sim', 'group', 'channels'] as const),
  ...(['channel_names', 'installed', 'ptz', 'talk', 'time_zone', 'icon', 'notes'] as const),
  ...(['any_media_address', 'channels_from_zero', 'disabled'] as const),
] as const;
export type ImportColumn = (typeof IMPORT_COLUMNS)[number];

/** Names of channels stand in one cell; a name's own bar has a backslash before it. */
const NAME_SEPARATOR = '|';

export function cellsOf(record: DeviceRecord, paths: ReadonlyMap<number, string>): string[] {
  const cells = { ...cellsOfFields(record, paths), deviceid: record.deviceId };
  return IMPORT_COLUMNS.map((column) => cells[column]);
}

export type FieldCells = Readonly<Record<Exclude<ImportColumn, 'deviceid'>, string>>;

export function cellsOfFields(record: DeviceRecordFields, paths: ReadonlyMap<number, string>): FieldCells {
  const { name, plate, terminal, model, sim, icon, notes } = record;
  return {
    name,
    plate,
    terminal,
    model,
    sim,
    icon,
    notes,
    edition: record.edition ?? '',
    group: record.deviceGroup === undefined ? '' : (paths.get(record.deviceGroup) ?? ''),
    channels: String(record.chn),
    channel_names: record.channelNames.map((each) => each.replace(/[\\|]/g, '\\$&')).join(NAME_SEPARATOR),
    installed: record.installchs,
    ptz: record.ptzchs,
    talk: record.talkchs,
    time_zone: record.timeZone,
    any_media_address: record.anyMediaAddress ? '1' : '0',
    channels_from_zero: record.channelsFromZero ? '1' : '0',
    disabled: record.disabled ? '1' : '0',
  };
}

/** What one cell means for the record; undefined when it says nothing that the column can mean. */
export type ReadCell = (cell: string) => Partial<DeviceFields> | undefined;

const text =
  (name: 'name' | 'plate' | 'terminal' | 'model' | 'sim' | 'timeZone'): ReadCell =>
  (cell) => ({ [name]: cell.trim() });
const bits =
  (name: 'installchs' | 'ptzchs' | 'talkchs'): ReadCell =>
  (cell) => ({ [name]: cell.trim() });
const flag =
  (name: 'anyMediaAddress' | 'channelsFromZero' | 'disabled'): ReadCell =>
  (cell) => {
    const isTrue = FLAGS.get(cell.trim().toLowerCase());
    return isTrue === undefined ? undefined : { [name]: isTrue };
  };

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...(['1', 'true', 'yes', 'y'] as const).map((word) => [word, true] as const),
  ...(['', '0', 'false', 'no', 'n'] as const).map((word) => [word, false] as const),
]);

/** `group` is looked up among those that the caller sees, so it is read elsewhere. */
export const READ_CELL: Readonly<Record<Exclude<ImportColumn, 'deviceid' | 'group'>, ReadCell>> = {
  name: text('name'),
  plate: text('plate'),
  terminal: text('terminal'),
  edition: (cell) => {
    const edition = cell.trim();
    return edition === '' || DEVICE_EDITIONS.some((each) => each === edition)
      ? { edition: edition as DeviceEdition | '' }
      : undefined;
  },
  model: text('model'),
  sim: text('sim'),
  // Nothing said is as many as the terminal says.
  channels: (cell) => (/^\d{0,3}$/.test(cell.trim()) ? { chn: Number(cell) } : undefined),
  channel_names: (cell) => ({ channelNames: readNames(cell) }),
  installed: bits('installchs'),
  ptz: bits('ptzchs'),
  talk: bits('talkchs'),
  time_zone: text('timeZone'),
  icon: (cell) => {
    const icon = cell.trim();
    return icon === '' || DEVICE_ICONS.some((each) => each === icon) ? { icon: icon as DeviceIcon | '' } : undefined;
  },
  notes: (cell) => ({ notes: cell.replaceAll('\r\n', '\n') }),
  any_media_address: flag('anyMediaAddress'),
  channels_from_zero: flag('channelsFromZero'),
  disabled: flag('disabled'),
};

/** Which column a field's fault belongs to. */
export const COLUMN_OF_FIELD: Readonly<Record<keyof DeviceFields, ImportColumn>> = {
  name: 'name',
  plate: 'plate',
  terminal: 'terminal',
  edition: 'edition',
  model: 'model',
  sim: 'sim',
  group: 'group',
  chn: 'channels',
  channelNames: 'channel_names',
  installchs: 'installed',
  ptzchs: 'ptz',
  talkchs: 'talk',
  timeZone: 'time_zone',
  icon: 'icon',
  notes: 'notes',
  anyMediaAddress: 'any_media_address',
  channelsFromZero: 'channels_from_zero',
  disabled: 'disabled',
};

function readNames(cell: string): string[] {
  if (cell === '') return [];
  const names = [''];
  for (const [part] of cell.matchAll(/\\[\\|]|\||[^\\|]+|\\/g)) {
    if (part === NAME_SEPARATOR) names.push('');
    else names.push((names.pop() ?? '') + (part.length === 2 && part.startsWith('\\') ? part.slice(1) : part));
  }
  return names;
}
