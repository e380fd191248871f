import type { TimeRange } from '../../../shared/protocol/timeRanges.ts';
import { mergeRanges } from '../../../shared/protocol/timeRanges.ts';
import { clipAll, lengthOf, subtract } from '../../../shared/protocol/timeSpans.ts';
import type { ReportDevice } from '../reportDevices.ts';
import type { ReportKindDefinition, ReportQuery, ReportRowValues, ReportSources } from '../reportKind.ts';
import { byDevices, groupBy, incarnationsOf } from './inParts.ts';

/** A terminal that comes back sooner was never away for anybody. */
const SHORTEST_ABSENCE_MS = 1_000;

/** A row for each device, and one for each of its absences. Counted from the device's first day on, and up to now. */
export const online: ReportKindDefinition = {
  kind: 'online',
  columns: [
    { name: 'device', type: 'device' },
    { name: 'entry', type: 'code' },
    { name: 'start', type: 'time' },
    { name: 'end', type: 'time' },
    { name: 'duration', type: 'duration' },
    { name: 'online', type: 'duration' },
    { name: 'share', type: 'share' },
    { name: 'absences', type: 'count' },
  ],
  filters: ['devices', 'thresholds'],
  chart: { by: 'device', value: 'share' },
  moment: 'start',
  permissions: [],
  needsDevices: true,
  run: (query, sources) => byDevices(query, (devices) => loadOnline(query, sources, devices)),
};

async function loadOnline(
  query: ReportQuery,
  { db }: ReportSources,
  devices: readonly ReportDevice[],
): Promise<ReportRowValues[]> {
  const { fromMs, toMs, nowMs } = query;
  const rows = await db
    .selectFrom('presence_session')
    .select(['incarnation', 'from_ms', 'to_ms'])
    .where('incarnation', 'in', incarnationsOf(devices))
    .where('from_ms', '<', toMs)
    .where(({ eb, or }) => or([eb('to_ms', '=', 0), eb('to_ms', '>', fromMs)]))
    .orderBy('from_ms')
    .execute();
  const sessions = groupBy(rows, (row) => row.incarnation);
  return devices.flatMap((device) => {
    const window = { fromMs: Math.max(fromMs, device.createdAtMs), toMs: Math.min(toMs, nowMs) };
    if (window.fromMs >= window.toMs) return [];
    const ofDevice = (sessions.get(device.incarnation) ?? []).map((row) => ({
      fromMs: row.from_ms,
      toMs: row.to_ms === 0 ? nowMs : row.to_ms,
    }));
    return rowsOf(device, { window, sessions: ofDevice, leastMs: query.leastMs });
  });
}

interface Presence {
  readonly window: TimeRange;
  readonly sessions: readonly TimeRange[];
  readonly leastMs: number;
}

function rowsOf({ deviceId }: ReportDevice, { window, sessions, leastMs }: Presence): ReportRowValues[] {
  const there = clipAll(mergeRanges(sessions, SHORTEST_ABSENCE_MS), window);
  const absences = subtract([window], there);
  const [lengthMs, onlineMs] = [lengthOf([window]), lengthOf(there)];
  const { fromMs, toMs } = window;
  return [
    {
      deviceId,
      values: [deviceId, 'total', fromMs, toMs, lengthMs, onlineMs, onlineMs / lengthMs, absences.length],
    },
    ...absences
      .filter((absence) => lengthOf([absence]) >= leastMs)
      .map((absence) => ({
        deviceId,
        values: [deviceId, 'absence', absence.fromMs, absence.toMs, lengthOf([absence]), null, null, null],
      })),
  ];
}
