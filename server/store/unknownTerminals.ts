// The only module that knows the `unknown_terminal` table: terminals that were refused and may be adopted.
import type { Selectable } from 'kysely';
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { StoreDb } from './database.ts';
import type { TerminalNumber } from './devices.ts';
import type { UnknownTerminalTable } from './schema.ts';
import { storableText } from './storableText.ts';

export interface TerminalSighting {
  readonly terminal: TerminalNumber;
  readonly edition: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly terminalId: string;
  readonly plate: string;
  readonly plateColour: number;
  /** Where it dialled from. */
  readonly address: string;
  /** The known device with this number, when it is the identity that is not known. */
  readonly deviceId?: string;
}

export interface UnknownTerminal extends TerminalSighting {
  readonly firstSeenAtMs: WallMs;
  readonly lastSeenAtMs: WallMs;
  readonly attempts: number;
}

export interface UnknownTerminalStore {
  /** Notes a refused terminal: one row a number, with what it said last. */
  note(sighting: TerminalSighting, at: WallMs): Promise<void>;
  /** Last seen first. */
  list(): Promise<UnknownTerminal[]>;
  remove(canonicalNumber: string): Promise<void>;
}

/** Anyone can dial in with any number, so the list is bounded: those seen longest ago make room. */
export const MAX_UNKNOWN_TERMINALS = 1_000;

export function createUnknownTerminalStore(db: StoreDb, limit: number = MAX_UNKNOWN_TERMINALS): UnknownTerminalStore {
  return {
    note: (sighting, at) => note(db, sighting, { at, limit }),
    list: async () => {
      const rows = await db.selectFrom('unknown_terminal').selectAll().orderBy('last_seen_at_ms', 'desc').execute();
      return rows.map(toUnknownTerminal);
    },
    remove: async (canonicalNumber) => {
      await db.deleteFrom('unknown_terminal').where('terminal_number', '=', canonicalNumber).execute();
    },
  };
}

async function note(
  db: StoreDb,
  sighting: TerminalSighting,
  { at, limit }: { readonly at: WallMs; readonly limit: number },
): Promise<void> {
  const seen = toColumns(sighting, at);
  await db
    .insertInto('unknown_terminal')
    .values({ ...seen, terminal_number: sighting.terminal.canonical, first_seen_at_ms: at, attempts: 1 })
    .onConflict((conflict) =>
      conflict
        .column('terminal_number')
        .doUpdateSet((update) => ({ ...seen, attempts: update('unknown_terminal.attempts', '+', 1) })),
    )
    .execute();
  const newest = db.selectFrom('unknown_terminal').select('terminal_number').orderBy('last_seen_at_ms', 'desc');
  await db.deleteFrom('unknown_terminal').where('terminal_number', 'not in', newest.limit(limit)).execute();
}

type SeenColumns = Omit<UnknownTerminalTable, 'terminal_number' | 'first_seen_at_ms' | 'attempts'>;

function toColumns(sighting: TerminalSighting, at: WallMs): SeenColumns {
  return {
    terminal_number_raw: sighting.terminal.raw,
    edition: sighting.edition,
    manufacturer: storableText(sighting.manufacturer),
    model: storableText(sighting.model),
    terminal_id: storableText(sighting.terminalId),
    plate: storableText(sighting.plate),
    plate_colour: sighting.plateColour,
    address: sighting.address,
    device_id: sighting.deviceId ?? null,
    last_seen_at_ms: at,
  };
}

function toUnknownTerminal(row: Selectable<UnknownTerminalTable>): UnknownTerminal {
  return {
    terminal: { canonical: row.terminal_number, raw: row.terminal_number_raw },
    edition: row.edition,
    manufacturer: row.manufacturer,
    model: row.model,
    terminalId: row.terminal_id,
    plate: row.plate,
    plateColour: row.plate_colour,
    address: row.address,
    ...(row.device_id === null ? {} : { deviceId: row.device_id }),
    firstSeenAtMs: wallMs(row.first_seen_at_ms),
    lastSeenAtMs: wallMs(row.last_seen_at_ms),
    attempts: row.attempts,
  };
}
