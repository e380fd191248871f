// Where rules of events apply: every device with its group, and the groups above one another.
import { readGroupParents } from '../../devices/groupOwnership.ts';
import type { StoreDb } from '../../engine/database.ts';

export interface RuledDevice {
  readonly deviceId: string;
  readonly incarnation: number;
  readonly archiveNumber: number;
  readonly deviceGroup: number | undefined;
  /** IANA name; '' for the gateway's own. */
  readonly timeZone: string;
  readonly disabled: boolean;
  /** Whether a terminal has ever signed in as this device. */
  readonly wasSeen: boolean;
}

export interface RulePlaces {
  readonly devices: readonly RuledDevice[];
  /** By group; undefined at the top. */
  readonly parents: ReadonlyMap<number, number | undefined>;
}

export interface RulePlaceStore {
  places(): Promise<RulePlaces>;
}

export function createRulePlaceStore(db: StoreDb): RulePlaceStore {
  return { places: async () => ({ devices: await listDevices(db), parents: await readGroupParents(db) }) };
}

async function listDevices(db: StoreDb): Promise<RuledDevice[]> {
  const rows = await db
    .selectFrom('device')
    .select(['device_id', 'incarnation', 'archive_number', 'device_group', 'time_zone', 'disabled'])
    .select(['auth_code_hash', 'sign_in_address'])
    .execute();
  return rows.map((row) => ({
    deviceId: row.device_id,
    incarnation: row.incarnation,
    archiveNumber: row.archive_number,
    deviceGroup: row.device_group ?? undefined,
    timeZone: row.time_zone,
    disabled: row.disabled !== 0,
    wasSeen: row.auth_code_hash !== null || row.sign_in_address !== '',
  }));
}
