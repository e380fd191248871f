// Rows of the `device` table as records, and records as columns.
import type { Selectable, Updateable } from 'kysely';
import { BLANK_DEVICE, DEVICE_FIELD_NAMES, type DeviceFields } from '../../../shared/protocol/api/devices.ts';
import { type SnakeCase, snakeCase } from '../../../shared/protocol/api/imports/snakeCase.ts';
import { canonicalTerminalText } from '../../../shared/protocol/deviceRules.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import { deviceKeys } from './deviceKeys.ts';
import type { DeviceTable } from './tables.ts';
import type { AdoptedIdentity, Edition } from './terminalIdentity.ts';

/** What administrators change of a device, as the calls have it but for what is none: undefined instead of '' and null. */
export interface DeviceRecordFields extends Omit<DeviceFields, 'edition' | 'group'> {
  readonly edition: Edition | undefined;
  readonly deviceGroup: number | undefined;
}

export interface DeviceRecord extends DeviceRecordFields {
  readonly deviceId: string;
  readonly version: number;
  readonly groupName: string;
  readonly createdAtMs: WallMs;
  readonly changedAtMs: WallMs;
  /** Undefined until a terminal has registered. */
  readonly identity: AdoptedIdentity | undefined;
}

export type NewDeviceRecord = DeviceRecordFields & {
  readonly deviceId: string;
  /** What the terminal is held to from the first on; left out, what it says first counts. */
  readonly identity?: AdoptedIdentity;
};

export type RecordRow = Pick<Selectable<DeviceTable>, (typeof RECORD_COLUMNS)[number]> & {
  readonly group_name: string | null;
};

export function toRecord(row: RecordRow): DeviceRecord {
  const { adopted_manufacturer: manufacturer, adopted_terminal_id: terminalId, edition } = row;
  const others = {
    deviceId: row.device_id,
    version: row.version,
    terminal: row.terminal_number ?? '',
    edition: edition === '2011' || edition === '2013' || edition === '2019' ? edition : undefined,
    deviceGroup: row.device_group ?? undefined,
    groupName: row.group_name ?? '',
    createdAtMs: wallMs(row.created_at_ms),
    changedAtMs: wallMs(row.changed_at_ms),
    identity: manufacturer === null || terminalId === null ? undefined : { manufacturer, terminalId },
  } as const;
  // An object literal that goes on behind a spread takes six times as long, for each of fifty thousand devices.
  return Object.assign(storedFields(row), others);
}

/** Fields whose column has their name, as columns spell it, and is never null. */
type StoredField = Exclude<keyof DeviceFields, 'terminal' | 'edition' | 'group'>;
type StoredFields = Pick<DeviceFields, StoredField>;
/** Flags are 0 and 1, lists JSON; a field without a column of that kind does not compile. */
type StoredColumns = { readonly [Name in StoredField as SnakeCase<Name>]: Stored<DeviceFields[Name]> };
type Stored<Value> = Value extends boolean ? number : Value extends readonly unknown[] ? string : Value;

const STORED = DEVICE_FIELD_NAMES.filter(
  (name): name is StoredField => name !== 'terminal' && name !== 'edition' && name !== 'group',
).map((name) => ({ name, column: snakeCase(name), blank: BLANK_DEVICE[name] }));

/** What a record is made of: not the codes, and not what devices are sorted and searched by. */
export const RECORD_COLUMNS = [
  ...STORED.map(({ column }) => column),
  'device_id',
  'version',
  'terminal_number',
  'edition',
  'device_group',
  'created_at_ms',
  'changed_at_ms',
  'adopted_manufacturer',
  'adopted_terminal_id',
] as const satisfies readonly (keyof DeviceTable)[];

// The two casts: the compiler cannot follow names that are computed. Which field has which column is in the types above, and the
// columns hold what `storedColumns` wrote.
function storedFields(columns: Pick<Selectable<DeviceTable>, keyof StoredColumns>): StoredFields {
  const fields: Record<string, unknown> = {};
  for (const { name, column, blank } of STORED) fields[name] = fromColumn(columns[column], blank);
  return fields as unknown as StoredFields;
}

function storedColumns(fields: StoredFields): StoredColumns {
  const columns: Record<string, unknown> = {};
  for (const { name, column } of STORED) columns[column] = toColumn(fields[name]);
  return columns as unknown as StoredColumns;
}

/** `blank`: any value of the field, which says of what kind it is. */
function fromColumn(value: string | number, blank: StoredFields[StoredField]): unknown {
  if (typeof blank === 'boolean') return value !== 0;
  return typeof blank === 'object' ? JSON.parse(String(value)) : value;
}

function toColumn(value: StoredFields[StoredField]): string | number {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

type Columns = Omit<Updateable<DeviceTable>, 'device_id'>;

export function fieldColumns(deviceId: string, fields: DeviceRecordFields) {
  const terminal = canonicalTerminalText(fields.terminal);
  return {
    ...storedColumns(fields),
    edition: fields.edition ?? null,
    device_group: fields.deviceGroup ?? null,
    ...deviceKeys({ ...fields, deviceId, terminal }),
  } satisfies Columns;
}

/** Another number is another terminal: it has neither the codes nor the identity of the one before. */
export function terminalColumns(digits: string) {
  const terminal = canonicalTerminalText(digits);
  return {
    terminal_number: terminal === '' ? null : terminal,
    terminal_number_raw: terminal === '' ? null : terminal.padStart(terminal.length > 12 ? 20 : 12, '0'),
    adopted_manufacturer: null,
    adopted_terminal_id: null,
    auth_code_hash: null,
    pending_code_hash: null,
    sign_in_address: '',
    approved_address: '',
    approved_until_ms: 0,
  } satisfies Columns;
}

/** After a change of what a device is sorted and searched by. */
export async function refreshKeys(db: StoreDb, deviceId: string): Promise<void> {
  const columns = ['name', 'plate', 'terminal_number', 'model', 'sim'] as const;
  const row = await db.selectFrom('device').select(columns).where('device_id', '=', deviceId).executeTakeFirst();
  if (row === undefined) return;
  const keys = deviceKeys({ ...row, deviceId, terminal: row.terminal_number ?? '' });
  await db.updateTable('device').set(keys).where('device_id', '=', deviceId).execute();
}
