// Rows of the `device` table as records, and records as columns.
import type { Selectable, Updateable } from 'kysely';
import { canonicalTerminalText } from '../../../shared/protocol/deviceRules.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import { deviceKeys } from './deviceKeys.ts';
import type { DeviceTable } from './tables.ts';
import type { AdoptedIdentity, Edition } from './terminalIdentity.ts';

/** What administrators change of a device. */
export interface DeviceRecordFields {
  readonly name: string;
  readonly plate: string;
  /** Digits as they were typed; '' for none. */
  readonly terminal: string;
  readonly edition: Edition | undefined;
  readonly model: string;
  readonly sim: string;
  readonly deviceGroup: number | undefined;
  readonly chn: number;
  readonly channelNames: readonly string[];
  readonly installchs: string;
  readonly ptzchs: string;
  readonly talkchs: string;
  readonly timeZone: string;
  readonly icon: string;
  readonly notes: string;
  readonly anyMediaAddress: boolean;
  readonly channelsFromZero: boolean;
  readonly disabled: boolean;
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

export type RecordRow = Omit<Selectable<DeviceTable>, 'auth_code_hash' | 'pending_code_hash'> & {
  readonly group_name: string | null;
};

export function toRecord(row: RecordRow): DeviceRecord {
  const { adopted_manufacturer: manufacturer, adopted_terminal_id: terminalId, edition } = row;
  return {
    deviceId: row.device_id,
    version: row.version,
    name: row.name,
    plate: row.plate,
    terminal: row.terminal_number ?? '',
    edition: edition === '2011' || edition === '2013' || edition === '2019' ? edition : undefined,
    model: row.model,
    sim: row.sim,
    deviceGroup: row.device_group ?? undefined,
    groupName: row.group_name ?? '',
    chn: row.chn,
    channelNames: JSON.parse(row.channel_names) as string[],
    installchs: row.installchs,
    ptzchs: row.ptzchs,
    talkchs: row.talkchs,
    timeZone: row.time_zone,
    icon: row.icon,
    notes: row.notes,
    anyMediaAddress: row.any_media_address !== 0,
    channelsFromZero: row.channels_from_zero !== 0,
    disabled: row.disabled !== 0,
    createdAtMs: wallMs(row.created_at_ms),
    changedAtMs: wallMs(row.changed_at_ms),
    identity: manufacturer === null || terminalId === null ? undefined : { manufacturer, terminalId },
  };
}

type Columns = Omit<Updateable<DeviceTable>, 'device_id'>;

export function fieldColumns(deviceId: string, fields: DeviceRecordFields) {
  const { name, plate, model, sim, icon, notes } = fields;
  const terminal = canonicalTerminalText(fields.terminal);
  return {
    name,
    plate,
    model,
    sim,
    icon,
    notes,
    edition: fields.edition ?? null,
    device_group: fields.deviceGroup ?? null,
    chn: fields.chn,
    channel_names: JSON.stringify(fields.channelNames),
    installchs: fields.installchs,
    ptzchs: fields.ptzchs,
    talkchs: fields.talkchs,
    time_zone: fields.timeZone,
    any_media_address: fields.anyMediaAddress ? 1 : 0,
    channels_from_zero: fields.channelsFromZero ? 1 : 0,
    disabled: fields.disabled ? 1 : 0,
    ...deviceKeys({ deviceId, name, plate, terminal, model, sim }),
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
