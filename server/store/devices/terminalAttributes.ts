// The only module that writes `terminal_attributes`: what terminals last said of themselves.
import type { Selectable } from 'kysely';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { storableText } from '../../limits/storableText.ts';
import type { StoreDb } from '../engine/database.ts';
import type { TerminalAttributesTable } from './tables.ts';

export interface StoredAttributes {
  readonly manufacturer: string;
  readonly model: string;
  readonly terminalId: string;
  /** '' for none. */
  readonly iccid: string;
  readonly hardwareVersion: string;
  readonly firmwareVersion: string;
  /** The gateway's clock. */
  readonly reportedAtMs: WallMs;
}

export interface TerminalAttributeStore {
  /** Undefined where the terminal has never said. */
  find(incarnation: number): Promise<StoredAttributes | undefined>;
  /** Nothing where the device is gone. */
  keep(incarnation: number, attributes: StoredAttributes): Promise<void>;
}

export function createTerminalAttributeStore(db: StoreDb): TerminalAttributeStore {
  return {
    find: async (incarnation) => {
      const row = db.selectFrom('terminal_attributes').selectAll().where('incarnation', '=', incarnation);
      const found = await row.executeTakeFirst();
      return found === undefined ? undefined : toAttributes(found);
    },
    keep: (incarnation, attributes) => keep(db, incarnation, attributes),
  };
}

/** The device's own row is taken first, so that it can't be deleted meanwhile. */
function keep(db: StoreDb, incarnation: number, attributes: StoredAttributes): Promise<void> {
  const columns = {
    manufacturer: storableText(attributes.manufacturer),
    model: storableText(attributes.model),
    terminal_id: storableText(attributes.terminalId),
    iccid: storableText(attributes.iccid),
    hardware_version: storableText(attributes.hardwareVersion),
    firmware_version: storableText(attributes.firmwareVersion),
    reported_at_ms: attributes.reportedAtMs,
  };
  return db.transaction().execute(async (work) => {
    const device = work.updateTable('device').set({ incarnation }).where('incarnation', '=', incarnation);
    if ((await device.returning('device_id').executeTakeFirst()) === undefined) return;
    const insert = work.insertInto('terminal_attributes').values({ incarnation, ...columns });
    await insert.onConflict((conflict) => conflict.column('incarnation').doUpdateSet(columns)).execute();
  });
}

function toAttributes(row: Selectable<TerminalAttributesTable>): StoredAttributes {
  return {
    manufacturer: row.manufacturer,
    model: row.model,
    terminalId: row.terminal_id,
    iccid: row.iccid,
    hardwareVersion: row.hardware_version,
    firmwareVersion: row.firmware_version,
    reportedAtMs: wallMs(row.reported_at_ms),
  };
}
