// Positions of a device by columns: what draws or counts thousands of them makes no object of each.
import type { StoreDb } from '../engine/database.ts';

/** Called as in Position. `isLate` is 0 or 1, and NaN stands for what wasn't reported. */
export type TrackField =
  | 'latitude'
  | 'longitude'
  | 'altitudeM'
  | 'speedKmh'
  | 'headingDeg'
  | 'alarmBits'
  | 'statusBits'
  | 'receivedAtMs'
  | 'isLate'
  | 'mileageKm'
  | 'fuelLiters'
  | 'cabinCelsius'
  | 'signal';

/** Some positions, one entry for each in every column. */
export type TrackColumns<Field extends TrackField> = Readonly<Record<Field | 'deviceTimeMs', Float64Array>> & {
  readonly count: number;
};

/** By the device's clock, half open. */
export interface DeviceSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface TrackReading {
  /** In the order of the device's clock, in parts of some thousands; the first one is small, for those who want a few rows. */
  columns<Field extends TrackField>(
    incarnation: number,
    span: DeviceSpan,
    fields: readonly Field[],
  ): AsyncIterable<TrackColumns<Field>>;
}

const COLUMN_OF = {
  latitude: 'latitude',
  longitude: 'longitude',
  altitudeM: 'altitude_m',
  speedKmh: 'speed_kmh',
  headingDeg: 'heading_deg',
  alarmBits: 'alarm_bits',
  statusBits: 'status_bits',
  receivedAtMs: 'received_at_ms',
  isLate: 'late',
  mileageKm: 'mileage_km',
  fuelLiters: 'fuel_liters',
  cabinCelsius: 'cabin_celsius',
  signal: 'signal',
} as const satisfies Record<TrackField, string>;

const FIRST_ROWS = 500;
/** Rows come as objects from the database's thread, and take the main one some milliseconds. */
const MOST_ROWS = 4_000;

/** `reading`: a month of positions holds up nothing that writes. */
export function createTrackReading(reading: StoreDb): TrackReading {
  return { columns: (incarnation, span, fields) => readColumns(reading, { incarnation, ...span }, fields) };
}

interface WantedRows extends DeviceSpan {
  readonly incarnation: number;
}

async function* readColumns<Field extends TrackField>(
  db: StoreDb,
  wanted: WantedRows,
  fields: readonly Field[],
): AsyncGenerator<TrackColumns<Field>> {
  let last: RowPlace | undefined;
  for (let most = FIRST_ROWS; ; most = Math.min(2 * most, MOST_ROWS)) {
    const rows = await rowsBehind(db, wanted, last, { fields, most });
    if (rows.length > 0) yield toColumns(rows, fields);
    if (rows.length < most) return;
    last = rows.at(-1);
  }
}

interface RowPlace {
  readonly id: number;
  readonly device_time_ms: number;
}

type PositionRow = RowPlace & Readonly<Record<string, number | null>>;

async function rowsBehind(
  db: StoreDb,
  { incarnation, fromMs, toMs }: WantedRows,
  last: RowPlace | undefined,
  { fields, most }: { readonly fields: readonly TrackField[]; readonly most: number },
): Promise<readonly PositionRow[]> {
  let query = db
    .selectFrom('position')
    .select(['id', 'device_time_ms'])
    .select(fields.map((field) => COLUMN_OF[field]))
    .where('incarnation', '=', incarnation)
    .where('device_time_ms', '>=', last?.device_time_ms ?? fromMs)
    .where('device_time_ms', '<', toMs);
  if (last !== undefined) {
    const { id, device_time_ms: atMs } = last;
    query = query.where(({ or, eb }) => or([eb('device_time_ms', '>', atMs), eb('id', '>', id)]));
  }
  const rows = await query.orderBy('device_time_ms').orderBy('id').limit(most).execute();
  return rows as readonly PositionRow[];
}

function toColumns<Field extends TrackField>(
  rows: readonly PositionRow[],
  fields: readonly Field[],
): TrackColumns<Field> {
  const columnOf = (name: string): Float64Array => {
    const column = new Float64Array(rows.length);
    for (const [at, row] of rows.entries()) column[at] = row[name] ?? Number.NaN;
    return column;
  };
  const columns = fields.map((field) => [field, columnOf(COLUMN_OF[field])] as const);
  return {
    ...(Object.fromEntries(columns) as Record<Field, Float64Array>),
    count: rows.length,
    deviceTimeMs: columnOf('device_time_ms'),
  } as TrackColumns<Field>;
}
