// A database, and a gateway's tracks on it that are stopped and started, with a clock of their own.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PositionReport } from '../../../server/device/reportFeed.ts';
import type { Position } from '../../../server/store/fleet/positions.ts';
import type { Engine } from '../../../server/store/migrations/migration.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { MeasuredClock } from '../../../server/tracks/clock/measuredClock.ts';
import { DistinctPoints } from '../../../server/tracks/engine/distinctPoints.ts';
import { createPositionReader } from '../../../server/tracks/engine/positionReader.ts';
import { TrackEngine } from '../../../server/tracks/engine/trackEngine.ts';
import { LocalDays } from '../../../server/tracks/trips/localDays.ts';
import { trackPoint } from '../../../server/tracks/trips/trackPoint.ts';
import { noTrack } from '../../../server/tracks/trips/trackState.ts';
import { type TrackChanges, TripDetector } from '../../../server/tracks/trips/tripDetector.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { turnUntil } from '../../support/waitFor.ts';
import { openTestDatabase, type TestDatabase } from '../store/testDatabase.ts';

const RULES = { minMeters: 200, minMs: 60_000, stopMs: 300_000 };
const ZONE = 'Asia/Taipei';

export class TrackScene {
  readonly timers = new ManualTimers();
  readonly faults: Error[] = [];
  readonly stores: Stores;
  readonly device: { deviceId: string; incarnation: number; archiveNumber: number };
  readonly database: TestDatabase;
  readonly #fromMs: number;
  engine: TrackEngine;

  static async open(engine: Engine, fromMs: number): Promise<TrackScene> {
    const database = await openTestDatabase(engine);
    const stores = createStores(database.db);
    const { incarnation } = await stores.devices.insert({ deviceId: 'BUS1', name: 'BUS1', chn: 1 });
    const scene = new TrackScene(database, stores, incarnation, fromMs);
    await scene.engine.start();
    return scene;
  }

  private constructor(database: TestDatabase, stores: Stores, incarnation: number, fromMs: number) {
    this.database = database;
    this.stores = stores;
    this.device = { deviceId: 'BUS1', incarnation, archiveNumber: incarnation };
    this.#fromMs = fromMs;
    this.engine = this.#newEngine();
  }

  #newEngine(): TrackEngine {
    return new TrackEngine({
      store: this.stores.tracks,
      reader: createPositionReader(this.stores.positions),
      rules: RULES,
      timeZoneOf: () => ZONE,
      now: () => this.#fromMs + this.timers.now(),
      runAfter: this.timers.runAfter,
      nextTurn,
      onFault: (error) => this.faults.push(error),
      onLimit: () => undefined,
    });
  }

  /** Time goes on until then. */
  goOnTo(atMs: number): void {
    this.timers.advance(Math.max(0, atMs - this.#fromMs - this.timers.now()));
  }

  /** Stores and tells it, as the device side does. */
  async report(positions: readonly Position[]): Promise<void> {
    const { incarnation } = this.device;
    const own = positions.map((position) => ({ ...position, incarnation }));
    await this.stores.positions.append(own);
    for (const position of own) await this.engine.handle(this.#reportOf(position));
  }

  #reportOf(position: Position): PositionReport {
    const isLive = position.isLate !== true;
    return { kind: 'position', device: this.device, edition: '2019', position, items: [], details: {}, isLive };
  }

  /** The gateway ends in order, or is killed; the next one starts. */
  async restart(how: 'closed' | 'killed'): Promise<void> {
    if (how === 'closed') await this.engine.close();
    else await this.engine.abandon();
    this.engine = this.#newEngine();
    await this.engine.start();
  }

  async settle(): Promise<void> {
    await turnUntil('tracks to settle', () => {
      this.timers.advance(5_000);
      return this.engine.waitingCount === 0 && this.engine.dirtyCount === 0;
    });
    await this.engine.close();
    this.engine = this.#newEngine();
    await this.engine.start();
  }

  async stored() {
    const { db } = this.database;
    const trips = await db.selectFrom('trip').selectAll().orderBy('from_ms').execute();
    const stops = await db.selectFrom('stop').selectAll().orderBy('from_ms').execute();
    const gaps = await db.selectFrom('track_gap').selectAll().orderBy('from_ms').execute();
    const days = await db.selectFrom('track_day').selectAll().orderBy('local_day').execute();
    return {
      trips: trips.map((row) => [row.from_ms, row.to_ms, row.is_open, row.metres, row.moving_ms, row.idle_ms]),
      stops: stops.map((row) => [row.from_ms, row.to_ms, row.is_open, row.idle_ms]),
      gaps: gaps.map((row) => [row.from_ms, row.to_ms]),
      days: days.map((row) => [row.local_day, row.metres, row.moving_ms, row.idle_ms, row.ignition_ms, row.stops]),
    };
  }
}

/** What the positions come to in the order of their times. */
export function sortedResult(positions: readonly Position[], offsetMs = 0) {
  const distinct = new DistinctPoints();
  const clock = new MeasuredClock([{ deviceFromMs: 0, offsetMs }]);
  for (const position of positions) {
    const point = trackPoint(position, clock);
    if (point !== undefined) distinct.add(point);
  }
  const detector = new TripDetector(RULES, new LocalDays(ZONE), noTrack());
  for (const point of distinct.sorted()) detector.add(point);
  return rowsOf(detector.takeChanges());
}

function rowsOf({ trips, stops, gaps, days }: TrackChanges) {
  const flag = (is: boolean): number => (is ? 1 : 0);
  const byDay = new Map(days.map((row) => [row.localDay, row]));
  return {
    trips: trips.map((row) => [row.fromMs, row.toMs, flag(row.isOpen), row.meters, row.movingMs, row.idleMs]),
    stops: stops.map((row) => [row.fromMs, row.toMs, flag(row.isOpen), row.idleMs]),
    gaps: gaps.map((row) => [row.fromMs, row.toMs]),
    days: [...byDay.values()]
      .sort((left, right) => left.localDay - right.localDay)
      .map((row) => [row.localDay, row.meters, row.movingMs, row.idleMs, row.ignitionMs, row.stops]),
  };
}
