// Where vehicles stood, and where they stood with the engine running.
import type { ReportDevice } from '../reportDevices.ts';
import type { ReportKindDefinition, ReportQuery, ReportRowValues, ReportSources } from '../reportKind.ts';
import { byDevices, incarnationsOf, inOrderOf } from './inParts.ts';

const columns = [
  { name: 'device', type: 'device' },
  { name: 'start', type: 'time' },
  { name: 'end', type: 'time' },
  { name: 'duration', type: 'duration' },
  { name: 'idle', type: 'duration' },
  { name: 'place', type: 'text' },
] as const;

/** Each stop belongs to the period that it begins in. */
export const stops: ReportKindDefinition = {
  kind: 'stops',
  columns,
  filters: ['devices', 'thresholds'],
  chart: { by: 'device', value: 'duration' },
  moment: 'start',
  permissions: [],
  needsDevices: true,
  run: (query, sources) =>
    byDevices(query, (devices) => loadStops(query, sources, { devices, isLong: lastsAtLeast(query.leastMs) })),
};

/** Stops with the ignition on. What a vehicle idles within a trip, at lights and in queues, is in the reports of trips and mileage. */
export const idling: ReportKindDefinition = {
  ...stops,
  kind: 'idling',
  chart: { by: 'device', value: 'idle' },
  run: (query, sources) =>
    byDevices(query, (devices) => loadStops(query, sources, { devices, isLong: idlesAtLeast(query.leastMs) })),
};

interface Stop {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly idle_ms: number;
}

function lastsAtLeast(leastMs: number): (stop: Stop) => boolean {
  return ({ from_ms, to_ms }) => to_ms - from_ms >= leastMs;
}

function idlesAtLeast(leastMs: number): (stop: Stop) => boolean {
  return ({ idle_ms }) => idle_ms > 0 && idle_ms >= leastMs;
}

interface Wanted {
  readonly devices: readonly ReportDevice[];
  readonly isLong: (stop: Stop) => boolean;
}

async function loadStops(
  { fromMs, toMs }: ReportQuery,
  { db, placeOf }: ReportSources,
  { devices, isLong }: Wanted,
): Promise<ReportRowValues[]> {
  const rows = await db
    .selectFrom('stop')
    .selectAll()
    .where('incarnation', 'in', incarnationsOf(devices))
    .where('from_ms', '>=', fromMs)
    .where('from_ms', '<', toMs)
    .orderBy('incarnation')
    .orderBy('from_ms')
    .execute();
  return inOrderOf(devices, rows.filter(isLong), (row) => row.incarnation).map(([{ deviceId }, row]) => ({
    deviceId,
    values: [
      deviceId,
      row.from_ms,
      row.to_ms,
      row.to_ms - row.from_ms,
      row.idle_ms,
      placeOf(row.latitude, row.longitude),
    ],
  }));
}
