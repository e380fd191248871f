// Counts of the kinds of terminals in an installation, without anything that identifies a single terminal.
import { sql } from 'kysely';
import type { StoreDb } from '../engine/database.ts';

/** Each text is '' where terminals have reported nothing. */
interface TerminalKind {
  readonly manufacturer: string;
  readonly model: string;
  readonly hardwareVersion: string;
  readonly firmwareVersion: string;
  /** Edition of JT/T 808. */
  readonly edition: string;
  readonly channels: number;
}

export interface CountedTerminalKind extends TerminalKind {
  readonly devices: number;
}

export interface TerminalKindStore {
  /** Counts all devices by what their terminals last reported: the kinds with most devices first, at most `max`. */
  count(max: number): Promise<readonly CountedTerminalKind[]>;
}

const MANUFACTURER = sql<string>`coalesce(said.manufacturer, '')`;
const MODEL = sql<string>`coalesce(said.model, '')`;
const HARDWARE = sql<string>`coalesce(said.hardware_version, '')`;
const FIRMWARE = sql<string>`coalesce(said.firmware_version, '')`;
const EDITION = sql<string>`coalesce(device.edition, '')`;
const DEVICES = sql<number>`count(*)`;

export function createTerminalKindStore(reading: StoreDb): TerminalKindStore {
  return {
    count: async (max) => {
      const rows = await reading
        .selectFrom('device')
        .leftJoin('terminal_attributes as said', 'said.incarnation', 'device.incarnation')
        .select([
          MANUFACTURER.as('manufacturer'),
          MODEL.as('model'),
          HARDWARE.as('hardwareVersion'),
          FIRMWARE.as('firmwareVersion'),
          EDITION.as('edition'),
          'device.chn as channels',
          DEVICES.as('devices'),
        ])
        .groupBy([MANUFACTURER, MODEL, HARDWARE, FIRMWARE, EDITION, 'device.chn'])
        .orderBy(DEVICES, 'desc')
        .orderBy(MANUFACTURER)
        .orderBy(MODEL)
        .orderBy(FIRMWARE)
        .limit(max)
        .execute();
      return rows.map((row) => ({ ...row, devices: Number(row.devices) }));
    },
  };
}
