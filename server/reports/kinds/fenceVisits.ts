import type { ReportDevice } from '../reportDevices.ts';
import type { ReportKindDefinition, ReportQuery, ReportRowValues, ReportSources } from '../reportKind.ts';
import { byDevices, incarnationsOf, inOrderOf } from './inParts.ts';

/** Each visit belongs to the period that it begins in, under the name that the geofence had then. */
export const fenceVisits: ReportKindDefinition = {
  kind: 'fence-visits',
  columns: [
    { name: 'device', type: 'device' },
    { name: 'fence', type: 'text' },
    { name: 'start', type: 'time' },
    { name: 'end', type: 'time' },
    { name: 'duration', type: 'duration' },
  ],
  filters: ['devices', 'fences', 'thresholds'],
  chart: { by: 'fence', value: 'duration' },
  moment: 'start',
  permissions: [],
  needsDevices: true,
  run: (query, sources) => byDevices(query, (devices) => loadVisits(query, sources, devices)),
};

async function loadVisits(
  { memberGroup, fromMs, toMs, fences, leastMs, nowMs }: ReportQuery,
  { db }: ReportSources,
  devices: readonly ReportDevice[],
): Promise<ReportRowValues[]> {
  let visits = db
    .selectFrom('fence_visit')
    .selectAll()
    .where('incarnation', 'in', incarnationsOf(devices))
    .where('member_group', '=', memberGroup)
    .where('from_ms', '>=', fromMs)
    .where('from_ms', '<', toMs);
  if (fences.length > 0) visits = visits.where('fence', 'in', fences);
  const rows = await visits.orderBy('incarnation').orderBy('from_ms').orderBy('id').execute();
  return inOrderOf(devices, rows, (row) => row.incarnation)
    .map(([{ deviceId }, row]) => {
      const isOver = row.to_ms !== 0;
      const durationMs = Math.max(0, (isOver ? row.to_ms : nowMs) - row.from_ms);
      return {
        durationMs,
        deviceId,
        values: [deviceId, row.fence_name, row.from_ms, isOver ? row.to_ms : null, durationMs],
      };
    })
    .filter(({ durationMs }) => durationMs >= leastMs)
    .map(({ deviceId, values }) => ({ deviceId, values }));
}
