// The time that drivers had their cards in a vehicle, and what they drove meanwhile.
import type { ReportDevice } from '../reportDevices.ts';
import type { ReportKindDefinition, ReportQuery, ReportRowValues, ReportSources } from '../reportKind.ts';
import { byDevices, groupBy, incarnationsOf, inOrderOf } from './inParts.ts';

/** Read results by their number in the table. */
const READ_RESULTS = ['read', 'not-authenticated', 'locked', 'pulled', 'check-failed'];

/** Each session belongs to the period that it begins in, and has the trips that begin in it. */
export const driverHours: ReportKindDefinition = {
  kind: 'driver-hours',
  columns: [
    { name: 'driver', type: 'text' },
    { name: 'licence', type: 'text' },
    { name: 'device', type: 'device' },
    { name: 'start', type: 'time' },
    { name: 'end', type: 'time' },
    { name: 'duration', type: 'duration' },
    { name: 'moving', type: 'duration' },
    { name: 'distance', type: 'distance' },
    { name: 'readResult', type: 'code' },
  ],
  filters: ['devices', 'thresholds'],
  chart: { by: 'driver', value: 'duration' },
  moment: 'start',
  permissions: [],
  needsDevices: true,
  run: (query, sources) => byDevices(query, (devices) => loadSessions(query, sources, devices)),
};

async function loadSessions(
  query: ReportQuery,
  sources: ReportSources,
  devices: readonly ReportDevice[],
): Promise<ReportRowValues[]> {
  const { fromMs, toMs, nowMs, leastMs } = query;
  const rows = await sources.db
    .selectFrom('driver_session')
    .selectAll()
    .where('incarnation', 'in', incarnationsOf(devices))
    .where('in_ms', '>=', fromMs)
    .where('in_ms', '<', toMs)
    .orderBy('incarnation')
    .orderBy('in_ms')
    .execute();
  const ends = rows.map((row) => (row.out_ms === 0 ? nowMs : row.out_ms));
  const trips = await loadTrips(sources, devices, { fromMs, toMs: Math.max(toMs, ...ends) });
  return inOrderOf(devices, rows, (row) => row.incarnation).flatMap(([{ deviceId }, row]) => {
    const endMs = row.out_ms === 0 ? nowMs : row.out_ms;
    const durationMs = Math.max(0, endMs - row.in_ms);
    if (durationMs < leastMs) return [];
    const driven = (trips.get(row.incarnation) ?? []).filter(
      (trip) => trip.from_ms >= row.in_ms && trip.from_ms < endMs,
    );
    return [
      {
        deviceId,
        values: [
          row.name,
          row.licence,
          deviceId,
          row.in_ms,
          row.out_ms === 0 ? null : row.out_ms,
          durationMs,
          driven.reduce((sum, trip) => sum + trip.moving_ms, 0),
          driven.reduce((sum, trip) => sum + trip.metres, 0),
          READ_RESULTS[row.read_result] ?? String(row.read_result),
        ],
      },
    ];
  });
}

async function loadTrips(
  { db }: ReportSources,
  devices: readonly ReportDevice[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
) {
  const rows = await db
    .selectFrom('trip')
    .select(['incarnation', 'from_ms', 'moving_ms', 'metres'])
    .where('incarnation', 'in', incarnationsOf(devices))
    .where('from_ms', '>=', fromMs)
    .where('from_ms', '<', toMs)
    .execute();
  return groupBy(rows, (row) => row.incarnation);
}
