// Events of one type, each with the time that it lasted: speeding, lost video, faults of storages.
import { Permission } from '../../../shared/protocol/permissions.ts';
import { knownValue } from '../../../shared/protocol/positions/knownValues.ts';
import type { ReportDevice } from '../reportDevices.ts';
import type { ReportKindDefinition, ReportQuery, ReportRowValues, ReportSources } from '../reportKind.ts';
import { archiveNumbersOf, byDevices, inOrderOf } from './inParts.ts';

export const speeding: ReportKindDefinition = {
  kind: 'speeding',
  columns: [
    { name: 'device', type: 'device' },
    { name: 'driver', type: 'text' },
    { name: 'start', type: 'time' },
    { name: 'end', type: 'time' },
    { name: 'duration', type: 'duration' },
    { name: 'speed', type: 'speed' },
    { name: 'limit', type: 'speed' },
    { name: 'place', type: 'text' },
  ],
  filters: ['devices', 'thresholds'],
  chart: { by: 'device', value: 'duration' },
  moment: 'start',
  permissions: [Permission.Event],
  needsDevices: true,
  run: (query, sources) =>
    byDevices(query, async (devices) => {
      const events = await loadEvents(query, sources, { devices, types: ['speeding', 'area-speeding'] });
      return events.filter(({ speedKmh }) => speedKmh >= query.speedKmh).map((event) => speedingRow(event, sources));
    }),
};

function speedingRow(event: LastedEvent, { placeOf }: ReportSources): ReportRowValues {
  const { deviceId, driver, beginAtMs, endAtMs, durationMs, speedKmh, limit, latitude, longitude } = event;
  const place = latitude === 0 && longitude === 0 ? '' : placeOf(latitude, longitude);
  return { deviceId, values: [deviceId, driver, beginAtMs, endAtMs, durationMs, speedKmh, limit, place] };
}

export const videoLoss = ofUnit({ kind: 'video-loss', unit: 'channel', types: ['video-loss'] });
export const storageFaults = ofUnit({ kind: 'storage-faults', unit: 'storage', types: ['storage-fault'] });

interface UnitReport extends Pick<ReportKindDefinition, 'kind'> {
  /** Also the column's name. */
  readonly unit: 'channel' | 'storage';
  readonly types: readonly string[];
}

function ofUnit({ kind, unit, types }: UnitReport): ReportKindDefinition {
  return {
    kind,
    columns: [
      { name: 'device', type: 'device' },
      { name: unit, type: 'count' },
      { name: 'start', type: 'time' },
      { name: 'end', type: 'time' },
      { name: 'duration', type: 'duration' },
    ],
    filters: ['devices', 'thresholds'],
    chart: { by: 'device', value: 'duration' },
    moment: 'start',
    permissions: [Permission.Event],
    needsDevices: true,
    run: (query, sources) =>
      byDevices(query, async (devices) =>
        (await loadEvents(query, sources, { devices, types })).map(
          ({ deviceId, unit: number, beginAtMs, endAtMs, durationMs }) => ({
            deviceId,
            values: [deviceId, number === 0 ? null : number, beginAtMs, endAtMs, durationMs],
          }),
        ),
      ),
  };
}

interface LastedEvent {
  readonly deviceId: string;
  readonly unit: number;
  readonly driver: string;
  readonly beginAtMs: number;
  /** Null while it lasts. */
  readonly endAtMs: number | null;
  /** Until now where it lasts. */
  readonly durationMs: number;
  /** The highest that is known. */
  readonly speedKmh: number;
  readonly limit: number | null;
  readonly latitude: number;
  readonly longitude: number;
}

interface WantedEvents {
  readonly devices: readonly ReportDevice[];
  readonly types: readonly string[];
}

/** Each belongs to the period that it begins in. */
async function loadEvents(
  { fromMs, toMs, leastMs, nowMs }: ReportQuery,
  { db }: ReportSources,
  { devices, types }: WantedEvents,
): Promise<LastedEvent[]> {
  const rows = await db
    .selectFrom('event')
    .select(['archive_number', 'unit', 'driver', 'begin_at_ms', 'end_at_ms', 'value', 'limit_value'])
    .select(['speed_kmh', 'end_speed_kmh', 'latitude', 'longitude'])
    .where('archive_number', 'in', archiveNumbersOf(devices))
    .where('type', 'in', types)
    .where('begin_at_ms', '>=', fromMs)
    .where('begin_at_ms', '<', toMs)
    .orderBy('begin_at_ms')
    .orderBy('id')
    .execute();
  const ofDevice = inOrderOf(
    devices,
    rows,
    (row) => row.archive_number,
    ({ archiveNumber }) => archiveNumber,
  );
  return ofDevice
    .map(([{ deviceId }, row]) => ({
      deviceId,
      unit: row.unit,
      driver: row.driver,
      beginAtMs: row.begin_at_ms,
      endAtMs: row.end_at_ms === 0 ? null : row.end_at_ms,
      durationMs: Math.max(0, (row.end_at_ms === 0 ? nowMs : row.end_at_ms) - row.begin_at_ms),
      speedKmh: fastestOf([row.value ?? 0, row.speed_kmh, row.end_speed_kmh]),
      limit: row.limit_value,
      latitude: row.latitude,
      longitude: row.longitude,
    }))
    .filter(({ durationMs }) => durationMs >= leastMs);
}

function fastestOf(speeds: readonly number[]): number {
  return Math.max(...speeds.map((speed) => knownValue('speedKmh', speed) ?? 0));
}
