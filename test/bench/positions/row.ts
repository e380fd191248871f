// What packing positions saves, and what it costs those that are stored meanwhile.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createRunAfter } from '../../../server/faults/timers.ts';
import { PositionPacking } from '../../../server/fleet/positions/positionPacking.ts';
import { type OpenDatabase, openDatabase } from '../../../server/store/engine/database.ts';
import { createStores } from '../../../server/store/stores.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { addOldPositions, addVehicles, positionsNow, type Vehicle } from './fill.ts';

export interface PositionsBenchOptions {
  /** Number of old positions, which are packed. */
  readonly positions: number;
  readonly seconds: number;
  readonly onProgress: (text: string) => void;
}

/** Turns with packing and turns without, in which batches are stored one after another. */
const TURNS = 4;
/** Time between two batches of the whole fleet while the old positions are packed. */
const STEP_MS = 250;
const DAY_MS = 86_400_000;
/** Delay before a round; pauses within one are shorter. */
const ROUND_DELAY_MS = 10_000;

export async function benchPositions(
  options: PositionsBenchOptions,
): Promise<Readonly<Record<string, readonly Row[]>>> {
  const folder = await createTempFolder();
  const database = await openDatabase({ engine: 'sqlite', file: join(folder.path, 'bench.db') });
  try {
    const vehicles = await addVehicles(database.db);
    options.onProgress(`${options.positions} positions are stored`);
    await addOldPositions(database.db, vehicles, options.positions);
    const before = await bytesOf(database, folder.path, 'before');
    const speed = await storedASecond(database, vehicles, options);
    options.onProgress('the rest is packed');
    const waits = await packAll(database, vehicles);
    await database.db
      .deleteFrom('position')
      .where('received_at_ms', '>', Date.now() - DAY_MS)
      .execute();
    const after = await bytesOf(database, folder.path, 'after');
    const { positions } = options;
    return {
      'bytes a stored position': [
        { form: 'rows', 'bytes a position': rounded(before / positions, 1) },
        { form: 'blocks', 'bytes a position': rounded(after / positions, 1) },
      ],
      'stored while old ones are packed': [speed],
      [`time to commit while ${positions} are packed`]: [waits],
    };
  } finally {
    await database.close();
    await folder.remove();
  }
}

/** Bytes of a copy of the database without free pages. */
async function bytesOf({ db }: OpenDatabase, folder: string, name: string): Promise<number> {
  const copy = join(folder, `${name}.db`);
  await sql`vacuum into ${copy}`.execute(db);
  return (await stat(copy)).size;
}

function startPacking({ db, reading }: OpenDatabase): PositionPacking {
  const onFault = (error: Error): void => {
    throw error;
  };
  const packing = createStores(db, undefined, reading).positionPacking;
  const runAfter = createRunAfter(onFault);
  // Packing begins at once; the pauses within it stay as they are.
  return new PositionPacking({
    packing,
    now: Date.now,
    runAfter: (delayMs, run) => runAfter(delayMs >= ROUND_DELAY_MS ? 0 : delayMs, run),
    onFault,
  });
}

async function storedASecond(database: OpenDatabase, vehicles: readonly Vehicle[], options: PositionsBenchOptions) {
  const { positions } = createStores(database.db);
  const stored = { with: 0, without: 0 };
  const turnMs = (options.seconds * 1_000) / TURNS;
  for (let turn = 0; turn < 2 * TURNS; turn++) {
    const isPacking = turn % 2 === 1;
    const packing = isPacking ? startPacking(database) : undefined;
    const endMs = performance.now() + turnMs;
    for (let round = 0; performance.now() < endMs; round++) {
      await positions.append(positionsNow(vehicles, round));
      stored[isPacking ? 'with' : 'without'] += vehicles.length;
    }
    await packing?.close();
  }
  return {
    'positions/s without packing': rounded(stored.without / options.seconds, 0),
    'positions/s with packing': rounded(stored.with / options.seconds, 0),
    'with to without': rounded(stored.with / stored.without, 2),
  };
}

async function packAll(database: OpenDatabase, vehicles: readonly Vehicle[]): Promise<Row> {
  const { positions, positionPacking } = createStores(database.db, undefined, database.reading);
  const packing = startPacking(database);
  const dates = { nowMs: Date.now(), beforeMs: Date.now() - 3 * DAY_MS, futureMs: Date.now() + DAY_MS };
  const startMs = performance.now();
  const waits: number[] = [];
  let packedMs = 0;
  for (let round = 0; packedMs === 0; round++) {
    const sentMs = performance.now();
    await positions.append(positionsNow(vehicles, round));
    waits.push(performance.now() - sentMs);
    if (round % 20 === 0 && (await positionPacking.due(0, 1, dates)).length === 0)
      packedMs = performance.now() - startMs;
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  await packing.close();
  return {
    'packed/s': rounded(packing.packedPositions / (packedMs / 1_000), 0),
    'p50 ms': rounded(percentile(waits, 0.5), 1),
    'p99 ms': rounded(percentile(waits, 0.99), 1),
    'max ms': rounded(Math.max(...waits), 1),
  };
}
