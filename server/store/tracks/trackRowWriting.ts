// Rows of tracks for both engines, many a statement. Rows with the same begin are replaced.
import type { Insertable } from 'kysely';
import type { StoreDb } from '../engine/database.ts';
import type { StopTable, TrackDayTable, TripTable } from './tables.ts';
import type { DayRow, DayStart, StopRow, TrackRows, TripRow } from './trackRows.ts';

interface DeviceRows {
  readonly incarnation: number;
  readonly rows: TrackRows;
}

/** SQLite takes 32,766 parameters a statement; a trip has some twenty. */
const ROWS_PER_STATEMENT = 500;

export async function writeRows(work: StoreDb, batch: readonly DeviceRows[]): Promise<void> {
  const of = <Row, Written>(
    pick: (rows: TrackRows) => readonly Row[],
    write: (incarnation: number, row: Row) => Written,
  ): Written[][] => inParts(batch.flatMap(({ incarnation, rows }) => pick(rows).map((row) => write(incarnation, row))));
  for (const rows of of(({ trips }) => trips, toTrip)) await writeTrips(work, rows);
  for (const rows of of(({ stops }) => stops, toStop)) await writeStops(work, rows);
  for (const rows of of(({ starts }) => starts, toStart)) await writeStarts(work, rows);
  for (const rows of of(({ days }) => days, toDay)) await writeDays(work, rows);
  const gaps = of(
    (rows) => rows.gaps,
    (incarnation, { fromMs, toMs }) => ({ incarnation, from_ms: fromMs, to_ms: toMs }),
  );
  for (const rows of gaps) {
    const insert = work.insertInto('track_gap').values(rows);
    await insert
      .onConflict((conflict) =>
        conflict.columns(['incarnation', 'from_ms']).doUpdateSet(({ ref }) => ({ to_ms: ref('excluded.to_ms') })),
      )
      .execute();
  }
}

function inParts<Row>(rows: readonly Row[]): Row[][] {
  const parts: Row[][] = [];
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    parts.push(rows.slice(start, start + ROWS_PER_STATEMENT));
  }
  return parts;
}

type Keyed = 'incarnation' | 'from_ms' | 'local_day';
type ColumnsOf<Row> = readonly Exclude<keyof Row & string, Keyed | 'id' | 'driver'>[];

const TRIP_COLUMNS: ColumnsOf<TripTable> = [
  'to_ms',
  'clock_offset_ms',
  'is_open',
  'from_latitude',
  'from_longitude',
  'to_latitude',
  'to_longitude',
  'metres',
  'is_odometer',
  'odometer_differs',
  'moving_ms',
  'idle_ms',
  'max_speed_kmh',
  'mean_speed_kmh',
  'odometer_from_km',
  'odometer_to_km',
  'fuel_liters',
];
const STOP_COLUMNS: ColumnsOf<StopTable> = ['to_ms', 'clock_offset_ms', 'is_open', 'latitude', 'longitude', 'idle_ms'];
const DAY_COLUMNS: ColumnsOf<TrackDayTable> = [
  'metres',
  'is_odometer',
  'moving_ms',
  'idle_ms',
  'ignition_ms',
  'stops',
  'max_speed_kmh',
  'points',
];

async function writeTrips(work: StoreDb, rows: readonly Insertable<TripTable>[]): Promise<void> {
  const insert = work.insertInto('trip').values(rows);
  await insert
    .onConflict((conflict) =>
      conflict
        .columns(['incarnation', 'from_ms'])
        .doUpdateSet(({ ref }) =>
          Object.fromEntries(TRIP_COLUMNS.map((column) => [column, ref(`excluded.${column}`)])),
        ),
    )
    .execute();
}

async function writeStops(work: StoreDb, rows: readonly Insertable<StopTable>[]): Promise<void> {
  const insert = work.insertInto('stop').values(rows);
  await insert
    .onConflict((conflict) =>
      conflict
        .columns(['incarnation', 'from_ms'])
        .doUpdateSet(({ ref }) =>
          Object.fromEntries(STOP_COLUMNS.map((column) => [column, ref(`excluded.${column}`)])),
        ),
    )
    .execute();
}

async function writeDays(work: StoreDb, rows: readonly Insertable<TrackDayTable>[]): Promise<void> {
  const insert = work.insertInto('track_day').values(rows);
  await insert
    .onConflict((conflict) =>
      conflict
        .columns(['incarnation', 'local_day'])
        .doUpdateSet(({ ref }) => Object.fromEntries(DAY_COLUMNS.map((column) => [column, ref(`excluded.${column}`)]))),
    )
    .execute();
}

async function writeStarts(work: StoreDb, rows: readonly Insertable<TrackDayTable>[]): Promise<void> {
  const insert = work.insertInto('track_day').values(rows);
  await insert
    .onConflict((conflict) =>
      conflict.columns(['incarnation', 'local_day']).doUpdateSet(({ ref }) => ({
        begin_ms: ref('excluded.begin_ms'),
        state: ref('excluded.state'),
      })),
    )
    .execute();
}

function toTrip(incarnation: number, trip: TripRow): Insertable<TripTable> {
  return {
    incarnation,
    driver: '',
    from_ms: trip.fromMs,
    to_ms: trip.toMs,
    clock_offset_ms: trip.clockOffsetMs,
    is_open: trip.isOpen ? 1 : 0,
    from_latitude: trip.fromLatitude,
    from_longitude: trip.fromLongitude,
    to_latitude: trip.toLatitude,
    to_longitude: trip.toLongitude,
    metres: trip.meters,
    is_odometer: trip.isOdometer ? 1 : 0,
    odometer_differs: trip.odometerDiffers ? 1 : 0,
    moving_ms: trip.movingMs,
    idle_ms: trip.idleMs,
    max_speed_kmh: trip.maxSpeedKmh,
    mean_speed_kmh: trip.meanSpeedKmh,
    odometer_from_km: trip.odometerFromKm,
    odometer_to_km: trip.odometerToKm,
    fuel_liters: trip.fuelLiters,
  };
}

function toStop(incarnation: number, stop: StopRow): Insertable<StopTable> {
  return {
    incarnation,
    from_ms: stop.fromMs,
    to_ms: stop.toMs,
    clock_offset_ms: stop.clockOffsetMs,
    is_open: stop.isOpen ? 1 : 0,
    latitude: stop.latitude,
    longitude: stop.longitude,
    idle_ms: stop.idleMs,
  };
}

function toDay(incarnation: number, day: DayRow): Insertable<TrackDayTable> {
  return {
    incarnation,
    local_day: day.localDay,
    metres: day.meters,
    is_odometer: day.isOdometer ? 1 : 0,
    moving_ms: day.movingMs,
    idle_ms: day.idleMs,
    ignition_ms: day.ignitionMs,
    stops: day.stops,
    max_speed_kmh: day.maxSpeedKmh,
    points: day.points,
    // A day that has already begun keeps its values of these columns.
    begin_ms: 0,
    state: '',
  };
}

/** The row of a day that begins; its sums follow. */
function toStart(incarnation: number, { localDay, beginMs, state }: DayStart): Insertable<TrackDayTable> {
  return {
    incarnation,
    local_day: localDay,
    metres: 0,
    is_odometer: 0,
    moving_ms: 0,
    idle_ms: 0,
    ignition_ms: 0,
    stops: 0,
    max_speed_kmh: 0,
    points: 0,
    begin_ms: beginMs,
    state,
  };
}
