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
  /** 0 unless somebody refused this identity. */
  readonly refusedAtMs: WallMs;
  readonly refusedBy: string;
}

export interface UnknownTerminalStore {
  /** Notes a refused terminal: one row a number, with what it said last. */
  note(sighting: TerminalSighting, at: WallMs): Promise<void>;
  /** Last seen first. */
  list(): Promise<UnknownTerminal[]>;
  find(canonicalNumber: string): Promise<UnknownTerminal | undefined>;
  /** Holds as long as the terminal shows the same identity. False when it is not there, or shows another by now. */
  refuse(identity: RefusedIdentity, by: string, at: WallMs): Promise<boolean>;
  remove(canonicalNumber: string): Promise<void>;
}

export interface RefusedIdentity {
  readonly terminal: string;
  readonly manufacturer: string;
  readonly terminalId: string;
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
    find: async (canonicalNumber) => {
      const rows = db.selectFrom('unknown_terminal').selectAll().where('terminal_number', '=', canonicalNumber);
      const row = await rows.executeTakeFirst();
      return row === undefined ? undefined : toUnknownTerminal(row);
    },
    refuse: async ({ terminal, manufacturer, terminalId }, by, at) => {
      const update = db.updateTable('unknown_terminal').set({ refused_at_ms: at, refused_by: by });
      const same = update.where('manufacturer', '=', manufacturer).where('terminal_id', '=', terminalId);
      return (await same.where('terminal_number', '=', terminal).executeTakeFirst()).numUpdatedRows > 0n;
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
      conflict.column('terminal_number').doUpdateSet((update) => ({
        ...seen,
        attempts: update('unknown_terminal.attempts', '+', 1),
        refused_at_ms: update
          .case()
          .when(
            update.and([
              update('unknown_terminal.manufacturer', '=', update.ref('excluded.manufacturer')),
              update('unknown_terminal.terminal_id', '=', update.ref('excluded.terminal_id')),
            ]),
          )
          .then(update.ref('unknown_terminal.refused_at_ms'))
          .else(0)
          .end(),
      })),
    )
    .execute();
  const newest = db.selectFrom('unknown_terminal').select('terminal_number').orderBy('last_seen_at_ms', 'desc');
  await db.deleteFrom('unknown_terminal').where('terminal_number', 'not in', newest.limit(limit)).execute();
}

type SeenColumns = Omit<
  UnknownTerminalTable,
  'terminal_number' | 'first_seen_at_ms' | 'attempts' | 'refused_at_ms' | 'refused_by'
>;

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
    refusedAtMs: wallMs(row.refused_at_ms),
    refusedBy: row.refused_by,
  };
}
