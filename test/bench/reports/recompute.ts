// Trips of some vehicles worked out anew from their packed positions, as the gateway does where late ones have come.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openDatabase } from '../../../server/store/engine/database.ts';
import { createStores } from '../../../server/store/stores.ts';
import { MeasuredClock } from '../../../server/tracks/clock/measuredClock.ts';
import { createPositionReader } from '../../../server/tracks/engine/positionReader.ts';
import { replay } from '../../../server/tracks/engine/replay.ts';
import { LocalDays } from '../../../server/tracks/trips/localDays.ts';
import { noTrack } from '../../../server/tracks/trips/trackState.ts';
import { median, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { type FilledFleet, FROM_MS, POSITIONS_A_VEHICLE, TO_MS } from './fill.ts';

const VEHICLES = 60;
const RULES = { minMeters: 200, minMs: 60_000, stopMs: 300_000 };

export async function recomputeTrips(file: string, { incarnations }: FilledFleet): Promise<Row> {
  const database = await openDatabase({ engine: 'sqlite', file });
  const stores = createStores(database.db, undefined, database.reading);
  const deps = {
    store: { dayStart: async () => undefined },
    reader: createPositionReader(stores.positions),
    rules: RULES,
    now: () => TO_MS,
    nextTurn: async () => void (await nextTurn()),
  };
  const perSecond: number[] = [];
  const cpu: number[] = [];
  let trips = 0;
  try {
    for (const [at, incarnation] of incarnations.slice(0, VEHICLES).entries()) {
      const device = { deviceId: `D${at}`, incarnation, clock: new MeasuredClock([]), localDays: new LocalDays('UTC') };
      const from = { state: noTrack(), beginMs: FROM_MS, changedMs: TO_MS, untilDay: undefined, waiting: () => [] };
      const [startedMs, usedBefore] = [performance.now(), process.cpuUsage()];
      const replayed = await replay(device, from, deps);
      const used = process.cpuUsage(usedBefore);
      perSecond.push(POSITIONS_A_VEHICLE / ((performance.now() - startedMs) / 1_000));
      cpu.push(POSITIONS_A_VEHICLE / ((used.user + used.system) / 1e6));
      trips += replayed.replacement?.rows.trips.length ?? 0;
    }
  } finally {
    await database.close();
  }
  return {
    vehicles: VEHICLES,
    'positions a vehicle': POSITIONS_A_VEHICLE,
    'trips a vehicle': rounded(trips / VEHICLES, 0),
    'positions a second': rounded(median(perSecond), 0),
    'by CPU time': rounded(median(cpu), 0),
  };
}
