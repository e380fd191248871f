// What vehicles did on each day and in each month. Days are those of the place where the device is.
import { dayNumber } from '../../../shared/protocol/timeZones.ts';
import type { StoreDb } from '../../store/engine/database.ts';
import type { ReportDevice } from '../reportDevices.ts';
import type { ReportKindDefinition, ReportQuery, ReportRowValues } from '../reportKind.ts';
import { byDevices, groupBy, incarnationsOf, inOrderOf } from './inParts.ts';
import { measuredBy } from './trips.ts';

const sums = [
  { name: 'distance', type: 'distance' },
  { name: 'measuredBy', type: 'code' },
  { name: 'moving', type: 'duration' },
  { name: 'idle', type: 'duration' },
  { name: 'ignition', type: 'duration' },
  { name: 'stops', type: 'count' },
  { name: 'maxSpeed', type: 'speed' },
] as const;

export const mileageByDay: ReportKindDefinition = {
  kind: 'mileage-day',
  columns: [{ name: 'device', type: 'device' }, { name: 'day', type: 'day' }, ...sums],
  filters: ['devices'],
  chart: { by: 'day', value: 'distance' },
  moment: 'day',
  permissions: [],
  needsDevices: true,
  run: (query, { db }) =>
    byDevices(query, async (devices) =>
      (await loadDays(db, query, devices)).map(([{ deviceId }, row]) => ({
        deviceId,
        values: [
          deviceId,
          dayText(row.local_day),
          row.metres,
          measuredBy(row),
          row.moving_ms,
          row.idle_ms,
          row.ignition_ms,
          row.stops,
          row.max_speed_kmh,
        ],
      })),
    ),
};

export const mileageByMonth: ReportKindDefinition = {
  kind: 'mileage-month',
  columns: [
    { name: 'device', type: 'device' },
    { name: 'month', type: 'day' },
    ...sums,
    { name: 'days', type: 'count' },
  ],
  filters: ['devices'],
  chart: { by: 'month', value: 'distance' },
  moment: '',
  permissions: [],
  needsDevices: true,
  run: (query, { db }) =>
    byDevices(query, async (devices) => {
      const days = await loadDays(db, query, devices);
      const months = groupBy(days, ([{ deviceId }, row]) => `${Math.floor(row.local_day / 100)} ${deviceId}`);
      return [...months.values()].flatMap(rowOfMonth);
    }),
};

function rowOfMonth(days: readonly (readonly [ReportDevice, Day])[]): ReportRowValues[] {
  const [first] = days;
  if (first === undefined) return [];
  const [{ deviceId }, { local_day }] = first;
  const rows = days.map(([, row]) => row);
  const sum = (of: (row: Day) => number): number => rows.reduce((total, row) => total + of(row), 0);
  return [
    {
      deviceId,
      values: [
        deviceId,
        dayText(local_day).slice(0, 'YYYY-MM'.length),
        sum((row) => row.metres),
        // One day by the line makes the sum no reading of the odometer.
        measuredBy({ is_odometer: Math.min(...rows.map((row) => row.is_odometer)) }),
        sum((row) => row.moving_ms),
        sum((row) => row.idle_ms),
        sum((row) => row.ignition_ms),
        sum((row) => row.stops),
        Math.max(...rows.map((row) => row.max_speed_kmh)),
        // On which it moved.
        rows.filter((row) => row.metres > 0).length,
      ],
    },
  ];
}

type Day = Awaited<ReturnType<typeof dayRows>>[number];

async function loadDays(db: StoreDb, query: ReportQuery, devices: readonly ReportDevice[]) {
  return inOrderOf(devices, await dayRows(db, query, devices), (row) => row.incarnation);
}

function dayRows(db: StoreDb, { fromMs, toMs, timeZone }: ReportQuery, devices: readonly ReportDevice[]) {
  return db
    .selectFrom('track_day')
    .selectAll()
    .where('incarnation', 'in', incarnationsOf(devices))
    .where('local_day', '>=', dayNumber(fromMs, timeZone))
    .where('local_day', '<=', dayNumber(toMs - 1, timeZone))
    .orderBy('incarnation')
    .orderBy('local_day')
    .execute();
}

/** 20261123 as 2026-11-23. */
export function dayText(day: number): string {
  const digits = String(day).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}
