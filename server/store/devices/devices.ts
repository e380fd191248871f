// Devices as the gateway's own parts need them. What administrators see and change of them is in deviceRecords.ts.
import type { Selectable, Updateable } from 'kysely';
import { isDeviceId } from '../../../shared/protocol/deviceId.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import { gatherReads } from '../engine/gatherReads.ts';
import { refreshKeys } from './deviceRecordRows.ts';
import { beginIncarnation, endIncarnation } from './incarnations.ts';
import type { DeviceTable } from './tables.ts';
import type { AdoptedIdentity, Edition, TerminalNumber } from './terminalIdentity.ts';

interface TerminalApproval {
  /** Address key. */
  readonly address: string;
  readonly untilMs: number;
}

export interface Device {
  readonly deviceId: string;
  readonly name: string;
  readonly plate: string;
  /** Undefined for a device that no terminal has been tied to yet. */
  readonly terminal: TerminalNumber | undefined;
  readonly edition: Edition | undefined;
  /** Undefined until the terminal's first registration: whatever it says then is what it is held to later. */
  readonly identity: AdoptedIdentity | undefined;
  readonly authCodeHash: string | undefined;
  /** Handed out by the last registration and not used yet: `authCodeHash` holds until it is. */
  readonly pendingCodeHash: string | undefined;
  /** Address key from which the terminal last authenticated. */
  readonly signInAddress: string | undefined;
  /** An administrator has let the terminal register from this address, and from no other until then. */
  readonly approval: TerminalApproval | undefined;
  /** Channel count. */
  readonly chn: number;
  /** Bit string, the leftmost character is channel 1. */
  readonly installchs: string;
  /** Channels whose camera can be turned, likewise; one that the text does not reach has none. */
  readonly ptzchs: string;
  /** Channels that can be talked to, likewise. */
  readonly talkchs: string;
  readonly deviceGroup: number | undefined;
  readonly disabled: boolean;
  /** Media may come from another address than the signalling: some carriers change it. */
  readonly anyMediaAddress: boolean;
  /** The terminal calls its first channel 0. */
  readonly channelsFromZero: boolean;
  readonly createdAtMs: WallMs;
  /** IANA name; '' for the gateway's own zone. */
  readonly timeZone: string;
  /** Tells it from every other device that had the id before: what it reports lies under this number. */
  readonly incarnation: number;
  /** What its recordings lie under. */
  readonly archiveId: string;
  /** What its events lie under. */
  readonly archiveNumber: number;
}

type Needed = 'deviceId' | 'name' | 'chn';
export type NewDevice = Pick<Device, Needed> & Partial<Omit<Device, Needed | 'incarnation'>>;

export interface DeviceChange
  extends Partial<Omit<Device, 'deviceId' | 'createdAtMs' | 'incarnation' | 'archiveId' | 'archiveNumber'>> {
  /** The terminal's number stays; it writes it with these digits. */
  readonly rawTerminalNumber?: string;
}

export interface DeviceStore {
  findByDeviceId(deviceId: string): Promise<Device | undefined>;
  findByTerminal(canonicalNumber: string): Promise<Device | undefined>;
  /** All of them, by device id. */
  list(): Promise<Device[]>;
  /** Throws when the id is none, or it or the terminal number is taken. */
  insert(device: NewDevice): Promise<Device>;
  /** Changes what is named; a field that is there and undefined is cleared. False when there is no such device. */
  update(deviceId: string, change: DeviceChange): Promise<boolean>;
  /** `undefined` takes the code in force away: the terminal must register again. */
  setAuthCodeHash(deviceId: string, hash: string | undefined): Promise<void>;
  remove(deviceId: string): Promise<boolean>;
}

const COLUMNS = [
  'device_id',
  'name',
  'plate',
  'terminal_number',
  'terminal_number_raw',
  'edition',
  'adopted_manufacturer',
  'adopted_terminal_id',
  'auth_code_hash',
  'chn',
  'installchs',
  'pending_code_hash',
  'sign_in_address',
  'approved_address',
  'approved_until_ms',
  'ptzchs',
  'talkchs',
  'device_group',
  'disabled',
  'any_media_address',
  'created_at_ms',
  'time_zone',
  'incarnation',
  'archive_id',
  'archive_number',
  'channels_from_zero',
] as const;

export function createDeviceStore(db: StoreDb): DeviceStore {
  async function findByDeviceId(deviceId: string): Promise<Device | undefined> {
    const row = await db.selectFrom('device').select(COLUMNS).where('device_id', '=', deviceId).executeTakeFirst();
    return row === undefined ? undefined : toDevice(row);
  }
  async function update(deviceId: string, change: DeviceChange): Promise<boolean> {
    const columns = toColumns(change);
    if (Object.keys(columns).length === 0) return (await findByDeviceId(deviceId)) !== undefined;
    const result = await db.updateTable('device').set(columns).where('device_id', '=', deviceId).executeTakeFirst();
    if ('name' in columns || 'plate' in columns || 'terminal_number' in columns) await refreshKeys(db, deviceId);
    return result.numUpdatedRows > 0n;
  }
  return {
    findByDeviceId,
    // A fleet that has lost its network signs in all at once.
    findByTerminal: gatherReads((numbers) => findByTerminals(db, numbers)),
    list: async () => (await db.selectFrom('device').select(COLUMNS).orderBy('device_id').execute()).map(toDevice),
    insert: async (device) => {
      if (!isDeviceId(device.deviceId)) throw new RangeError(`no device id: ${JSON.stringify(device.deviceId)}`);
      return db.transaction().execute((work) => insertDevice(work, device));
    },
    update,
    setAuthCodeHash: async (deviceId, authCodeHash) => {
      await update(deviceId, { authCodeHash });
    },
    remove: (deviceId) =>
      db.transaction().execute(async (work) => {
        await endIncarnation(work, { deviceId, at: wallMs(Date.now()), passesOn: true });
        const result = await work.deleteFrom('device').where('device_id', '=', deviceId).executeTakeFirst();
        return result.numDeletedRows > 0n;
      }),
  };
}

async function findByTerminals(db: StoreDb, numbers: readonly string[]): Promise<Map<string, Device>> {
  const rows = await db.selectFrom('device').select(COLUMNS).where('terminal_number', 'in', numbers).execute();
  return new Map(rows.map((row) => [row.terminal_number ?? '', toDevice(row)]));
}

async function insertDevice(work: StoreDb, device: NewDevice): Promise<Device> {
  const whole = withDefaults(device);
  const { deviceId, name, plate, chn, installchs, createdAtMs } = whole;
  const { incarnation, archiveId, archiveNumber } = await beginIncarnation(work, {
    ...whole,
    archiveId: device.archiveId,
  });
  const flags = { disabled: whole.disabled ? 1 : 0, any_media_address: whole.anyMediaAddress ? 1 : 0 };
  const required = { device_id: deviceId, name, plate, chn, installchs, created_at_ms: createdAtMs, ...flags };
  const archive = { incarnation, archive_id: archiveId, archive_number: archiveNumber };
  const values = { ...toColumns(whole), ...required, ...archive };
  const row = await work.insertInto('device').values(values).returning(COLUMNS).executeTakeFirstOrThrow();
  await refreshKeys(work, deviceId);
  return toDevice(row);
}

function withDefaults(device: NewDevice): Omit<Device, 'incarnation' | 'archiveId' | 'archiveNumber'> {
  return {
    plate: '',
    terminal: undefined,
    edition: undefined,
    identity: undefined,
    authCodeHash: undefined,
    pendingCodeHash: undefined,
    signInAddress: undefined,
    approval: undefined,
    installchs: '1'.repeat(device.chn),
    ptzchs: '0'.repeat(device.chn),
    talkchs: '0'.repeat(device.chn),
    deviceGroup: undefined,
    disabled: false,
    anyMediaAddress: false,
    channelsFromZero: false,
    createdAtMs: wallMs(Date.now()),
    timeZone: '',
    ...device,
  };
}

function toColumns(change: DeviceChange): Updateable<DeviceTable> {
  const columns: Updateable<DeviceTable> = {};
  if (change.name !== undefined) columns.name = change.name;
  if (change.plate !== undefined) columns.plate = change.plate;
  if (change.chn !== undefined) columns.chn = change.chn;
  if (change.timeZone !== undefined) columns.time_zone = change.timeZone;
  if (change.installchs !== undefined) columns.installchs = change.installchs;
  if (change.ptzchs !== undefined) columns.ptzchs = change.ptzchs;
  if (change.talkchs !== undefined) columns.talkchs = change.talkchs;
  if (change.disabled !== undefined) columns.disabled = change.disabled ? 1 : 0;
  if (change.anyMediaAddress !== undefined) columns.any_media_address = change.anyMediaAddress ? 1 : 0;
  if (change.channelsFromZero !== undefined) columns.channels_from_zero = change.channelsFromZero ? 1 : 0;
  if ('edition' in change) columns.edition = change.edition ?? null;
  if ('authCodeHash' in change) columns.auth_code_hash = change.authCodeHash ?? null;
  if ('pendingCodeHash' in change) columns.pending_code_hash = change.pendingCodeHash ?? null;
  if ('signInAddress' in change) columns.sign_in_address = change.signInAddress ?? '';
  if ('approval' in change) {
    columns.approved_address = change.approval?.address ?? '';
    columns.approved_until_ms = change.approval?.untilMs ?? 0;
  }
  if ('deviceGroup' in change) columns.device_group = change.deviceGroup ?? null;
  if ('terminal' in change) {
    columns.terminal_number = change.terminal?.canonical ?? null;
    columns.terminal_number_raw = change.terminal?.raw ?? null;
  }
  if (change.rawTerminalNumber !== undefined) columns.terminal_number_raw = change.rawTerminalNumber;
  if ('identity' in change) {
    columns.adopted_manufacturer = change.identity?.manufacturer ?? null;
    columns.adopted_terminal_id = change.identity?.terminalId ?? null;
  }
  return columns;
}

function toDevice(row: Pick<Selectable<DeviceTable>, (typeof COLUMNS)[number]>): Device {
  const { terminal_number: canonical, terminal_number_raw: raw } = row;
  const { adopted_manufacturer: manufacturer, adopted_terminal_id: terminalId } = row;
  const { approved_address: address, approved_until_ms: untilMs } = row;
  return {
    deviceId: row.device_id,
    name: row.name,
    plate: row.plate,
    terminal: canonical === null ? undefined : { canonical, raw: raw ?? canonical },
    edition: toEdition(row.edition),
    identity: manufacturer === null || terminalId === null ? undefined : { manufacturer, terminalId },
    authCodeHash: row.auth_code_hash ?? undefined,
    pendingCodeHash: row.pending_code_hash ?? undefined,
    signInAddress: row.sign_in_address === '' ? undefined : row.sign_in_address,
    approval: untilMs === 0 ? undefined : { address, untilMs },
    chn: row.chn,
    installchs: row.installchs,
    ptzchs: row.ptzchs,
    talkchs: row.talkchs,
    deviceGroup: row.device_group ?? undefined,
    disabled: row.disabled !== 0,
    anyMediaAddress: row.any_media_address !== 0,
    channelsFromZero: row.channels_from_zero !== 0,
    createdAtMs: wallMs(row.created_at_ms),
    timeZone: row.time_zone,
    incarnation: row.incarnation,
    archiveId: row.archive_id,
    archiveNumber: row.archive_number,
  };
}

function toEdition(text: string | null): Edition | undefined {
  return text === '2011' || text === '2013' || text === '2019' ? text : undefined;
}
