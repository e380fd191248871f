import type { ReportDevice } from '../reportDevices.ts';
import type { ReportKindDefinition, ReportQuery, ReportRowValues, ReportSources } from '../reportKind.ts';
import { byDevices, incarnationsOf, inOrderOf } from './inParts.ts';

const METERS_A_KM = 1_000;

/** Each trip belongs to the period that it begins in. */
export const trips: ReportKindDefinition = {
  kind: 'trips',
  columns: [
    { name: 'device', type: 'device' },
    { name: 'driver', type: 'text' },
    { name: 'start', type: 'time' },
    { name: 'end', type: 'time' },
    { name: 'startPlace', type: 'text' },
    { name: 'endPlace', type: 'text' },
    { name: 'distance', type: 'distance' },
    { name: 'measuredBy', type: 'code' },
    { name: 'moving', type: 'duration' },
    { name: 'idle', type: 'duration' },
    { name: 'maxSpeed', type: 'speed' },
    { name: 'meanSpeed', type: 'speed' },
    { name: 'odometerStart', type: 'distance' },
    { name: 'odometerEnd', type: 'distance' },
    { name: 'fuel', type: 'liters' },
    { name: 'tripState', type: 'code' },
  ],
  filters: ['devices', 'thresholds'],
  chart: { by: 'device', value: 'distance' },
  moment: 'start',
  permissions: [],
  needsDevices: true,
  run: (query, sources) => byDevices(query, (devices) => loadTrips(query, sources, devices)),
};

/** What isn't read needn't be made an object of. */
const COLUMNS = [
  'incarnation',
  'driver',
  'from_ms',
  'to_ms',
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
  'is_open',
] as const;

async function loadTrips(
  { fromMs, toMs, leastMs }: ReportQuery,
  { db, placeOf }: ReportSources,
  devices: readonly ReportDevice[],
): Promise<ReportRowValues[]> {
  const rows = await db
    .selectFrom('trip')
    .select(COLUMNS)
    .where('incarnation', 'in', incarnationsOf(devices))
    .where('from_ms', '>=', fromMs)
    .where('from_ms', '<', toMs)
    .orderBy('incarnation')
    .orderBy('from_ms')
    .execute();
  const long = rows.filter((row) => row.to_ms - row.from_ms >= leastMs);
  return inOrderOf(devices, long, (row) => row.incarnation).map(([{ deviceId }, row]) => ({
    deviceId,
    values: [
      deviceId,
      row.driver,
      row.from_ms,
      row.to_ms,
      placeOf(row.from_latitude, row.from_longitude),
      placeOf(row.to_latitude, row.to_longitude),
      row.metres,
      row.odometer_differs === 1 ? 'line-alone' : measuredBy(row),
      row.moving_ms,
      row.idle_ms,
      row.max_speed_kmh,
      row.mean_speed_kmh,
      inMeters(row.odometer_from_km),
      inMeters(row.odometer_to_km),
      row.fuel_liters,
      row.is_open === 1 ? 'under-way' : 'ended',
    ],
  }));
}

export function measuredBy({ is_odometer }: { readonly is_odometer: number }): string {
  return is_odometer === 1 ? 'odometer' : 'line';
}

function inMeters(kilometers: number | null): number | null {
  return kilometers === null ? null : Math.round(kilometers * METERS_A_KM);
}
