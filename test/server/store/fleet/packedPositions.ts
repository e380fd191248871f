// Positions in the database in one form or the other, for tests that expect the same of both.
import type { StoreDb } from '../../../../server/store/engine/database.ts';
import type { PackedPart, PackingDates } from '../../../../server/store/fleet/positionPacking.ts';
import type { Stores } from '../../../../server/store/stores.ts';

/** All that is in rows, up to each device's newest position. */
const ALL = { beforeMs: Number.MAX_SAFE_INTEGER, futureMs: Number.MAX_SAFE_INTEGER, nowMs: 2 ** 52 };

export async function packAll(
  { positionPacking }: Pick<Stores, 'positionPacking'>,
  partSize = 500,
  dates: PackingDates = ALL,
): Promise<number> {
  let packed = 0;
  for (const incarnation of await positionPacking.due(0, 1_000, dates)) {
    let fromMs: number | undefined = 0;
    while (fromMs !== undefined) {
      const part: PackedPart = await positionPacking.packFirst(incarnation, partSize, { ...dates, fromMs });
      packed += part.positions;
      fromMs = part.nextFromMs;
    }
  }
  return packed;
}

export interface Kept {
  readonly rows: number;
  readonly blocks: number;
  /** Positions in blocks. */
  readonly packed: number;
}

export async function keptIn(db: StoreDb): Promise<Kept> {
  const rows = db.selectFrom('position').select(({ fn }) => fn.countAll<number>().as('count'));
  const blocks = await db.selectFrom('position_block').select('count').execute();
  return {
    rows: Number((await rows.executeTakeFirstOrThrow()).count),
    blocks: blocks.length,
    packed: blocks.reduce((sum, { count }) => sum + count, 0),
  };
}
