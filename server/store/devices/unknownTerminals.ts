// The only module that knows the `unknown_terminal` table: terminals that were refused and may be adopted.
import type { ExpressionBuilder, Selectable } from 'kysely';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { addressKey } from '../../limits/addressKey.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { storableText } from '../../limits/storableText.ts';
import type { StoreDb } from '../engine/database.ts';
import type { Schema } from '../schema.ts';
import type { UnknownTerminalTable } from './tables.ts';
import type { TerminalNumber } from './terminalIdentity.ts';

export interface RegistrationAttempt {
  readonly terminal: TerminalNumber;
  readonly edition: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly terminalId: string;
  readonly plate: string;
  readonly plateColour: number;
  /** Where it dialled from. */
  readonly address: string;
  /** The known device with this number, when it is the identity that is not known, or the device is online from elsewhere. */
  readonly deviceId?: string;
}

export interface UnknownTerminal extends RegistrationAttempt {
  readonly firstSeenAtMs: WallMs;
  readonly lastSeenAtMs: WallMs;
  readonly attempts: number;
  /** 0 unless somebody refused this identity. */
  readonly refusedAtMs: WallMs;
  readonly refusedBy: string;
}

export interface UnknownTerminalStore {
  /**
   * Notes a refused terminal: one row a number, with what it said last. While it keeps coming, another address with another
   * identity does not replace it. When an address has used up its share, or the list is full, the row of that address seen
   * longest ago is removed; an address with no other row removes one of the address that has most.
   */
  note(sighting: RegistrationAttempt, at: WallMs): Promise<void>;
  /** Last seen first. */
  list(): Promise<UnknownTerminal[]>;
  find(canonicalNumber: string): Promise<UnknownTerminal | undefined>;
  /** Holds as long as the terminal shows the same identity. False when it is not there, or shows another by now. */
  refuse(identity: RefusedIdentity, by: string, at: WallMs): Promise<boolean>;
  remove(canonicalNumber: string): Promise<void>;
}

interface RefusedIdentity {
  readonly terminal: string;
  readonly manufacturer: string;
  readonly terminalId: string;
}

/**
 * Entries in the list of terminals awaiting approval: anyone can dial in with any number, so the list is bounded. The oldest one of the
 * same address is removed; for an address without another entry, one of the address with the most.
 */
export const UNKNOWN_TERMINALS_LIMIT: Limit = { name: 'terminals.unknown.all', max: 1_000 };
/** Entries of one address in the list of terminals awaiting approval. The one of that address not seen for longest is removed. */
export const UNKNOWN_TERMINALS_SHARE: Limit = { name: 'terminals.unknown.address', max: 100 };

/** Terminals that are refused try again within seconds or minutes. */
const HELD_MS = 10 * 60_000;

export interface UnknownTerminalOptions {
  /** Rows in all, and of one address. */
  readonly limit?: Limit;
  readonly share?: Limit;
  readonly onLimit?: OnLimit | undefined;
}

export function createUnknownTerminalStore(db: StoreDb, options: UnknownTerminalOptions = {}): UnknownTerminalStore {
  return {
    note: async (sighting, at) => {
      await upsert(db, sighting, at);
      await makeRoom(db, sighting, options);
    },
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

async function upsert(db: StoreDb, sighting: RegistrationAttempt, at: WallMs): Promise<void> {
  const seen = toColumns(sighting, at);
  await db
    .insertInto('unknown_terminal')
    .values({ ...seen, terminal_number: sighting.terminal.canonical, first_seen_at_ms: at, attempts: 1 })
    .onConflict((conflict) =>
      conflict
        .column('terminal_number')
        .doUpdateSet((update) => ({
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
        }))
        .where((is) => isFree(is, at)),
    )
    .execute();
}

/** Otherwise a stranger who knows the number would take the place of the terminal that waits. */
function isFree(
  is: ExpressionBuilder<Schema & { excluded: UnknownTerminalTable }, 'unknown_terminal' | 'excluded'>,
  at: WallMs,
) {
  const isSame = (column: 'address_key' | 'manufacturer' | 'terminal_id') =>
    is(`unknown_terminal.${column}`, '=', is.ref(`excluded.${column}`));
  return is.or([
    isSame('address_key'),
    is.and([isSame('manufacturer'), isSame('terminal_id')]),
    is('unknown_terminal.refused_at_ms', '>', 0),
    is('unknown_terminal.last_seen_at_ms', '<', at - HELD_MS),
  ]);
}

async function makeRoom(
  db: StoreDb,
  { terminal, address }: RegistrationAttempt,
  { limit = UNKNOWN_TERMINALS_LIMIT, share = UNKNOWN_TERMINALS_SHARE, onLimit }: UnknownTerminalOptions,
): Promise<void> {
  const shares = await db
    .selectFrom('unknown_terminal')
    .select((is) => ['address_key', is.fn.countAll().as('count')])
    .groupBy('address_key')
    .orderBy('count', 'desc')
    .orderBy('address_key')
    .execute();
  const key = addressKey(address);
  const own = Number(shares.find((each) => each.address_key === key)?.count ?? 0);
  if (own > share.max) {
    onLimit?.(share);
    await removeOldest(db, { addressKey: key, count: own - share.max, except: terminal.canonical });
    return;
  }
  const total = shares.reduce((sum, { count }) => sum + Number(count), 0);
  if (total <= limit.max) return;
  onLimit?.(limit);
  const from = own > 1 ? key : (shares[0]?.address_key ?? key);
  await removeOldest(db, { addressKey: from, count: total - limit.max, except: terminal.canonical });
}

interface Oldest {
  readonly addressKey: string;
  readonly count: number;
  /** The number that has just been noted. */
  readonly except: string;
}

async function removeOldest(db: StoreDb, { addressKey: key, count, except }: Oldest): Promise<void> {
  const oldest = db
    .selectFrom('unknown_terminal')
    .select('terminal_number')
    .where('address_key', '=', key)
    .where('terminal_number', '<>', except)
    .orderBy('last_seen_at_ms')
    .orderBy('terminal_number')
    .limit(count);
  await db.deleteFrom('unknown_terminal').where('terminal_number', 'in', oldest).execute();
}

type SeenColumns = Omit<
  UnknownTerminalTable,
  'terminal_number' | 'first_seen_at_ms' | 'attempts' | 'refused_at_ms' | 'refused_by'
>;

function toColumns(sighting: RegistrationAttempt, at: WallMs): SeenColumns {
  return {
    terminal_number_raw: sighting.terminal.raw,
    edition: sighting.edition,
    manufacturer: storableText(sighting.manufacturer),
    model: storableText(sighting.model),
    terminal_id: storableText(sighting.terminalId),
    plate: storableText(sighting.plate),
    plate_colour: sighting.plateColour,
    address: sighting.address,
    address_key: addressKey(sighting.address),
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
