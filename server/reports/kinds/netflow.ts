// What devices used of their data on each day. Days are those of the place where the device is: old hours are combined by them.
import { NETFLOW_KINDS, type NetflowKind } from '../../../shared/protocol/netflow/netflowWords.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { dayNumber, startOfDay, wallClockMs } from '../../../shared/protocol/timeZones.ts';
import { planBytes, withOverhead } from '../../netflow/rules/planLevels.ts';
import type { ReportDevice } from '../reportDevices.ts';
import type { ReportKindDefinition, ReportQuery, ReportRowValues, ReportSources } from '../reportKind.ts';
import { byDevices, groupBy, incarnationsOf } from './inParts.ts';
import { dayText } from './mileage.ts';

const DAY_MS = 86_400_000;

const COLUMN_OF = {
  signalling: 'usedForSignalling',
  position: 'usedForPositions',
  live: 'usedForLive',
  recording: 'usedForRecording',
  playback: 'usedForPlayback',
  talk: 'usedForTalk',
  attachments: 'usedForAttachments',
  sync: 'usedForSync',
  firmware: 'usedForFirmware',
} as const satisfies Record<NetflowKind, string>;

/** A row for each device and day with usage, both ways together. Shares are of the data plan that the device has now. */
export const netflow: ReportKindDefinition = {
  kind: 'netflow',
  columns: [
    { name: 'device', type: 'device' },
    { name: 'day', type: 'day' },
    ...NETFLOW_KINDS.map((kind) => ({ name: COLUMN_OF[kind], type: 'bytes' as const })),
    { name: 'usedInAll', type: 'bytes' },
    { name: 'planShare', type: 'share' },
  ],
  filters: ['devices'],
  chart: { by: 'day', value: 'usedInAll' },
  moment: '',
  permissions: [Permission.Netflow],
  needsDevices: true,
  run: (query, sources) => {
    const calendar = createCalendar(query);
    return byDevices(query, (devices) => rowsOf(devices, calendar, sources));
  },
};

interface Day {
  readonly startMs: number;
  readonly endMs: number;
  /** YYYYMMDD. */
  readonly number: number;
}

interface Calendar {
  /** YYYYMMDD. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** When the days of the period begin in a zone. */
  daysIn(timeZone: string): readonly Day[];
}

/** Devices have few zones, and asking for the days of one for each device would take most of the time. */
function createCalendar({ fromMs, toMs, timeZone }: ReportQuery): Calendar {
  const first = daysSince1970(fromMs, timeZone);
  const last = daysSince1970(toMs - 1, timeZone);
  const zones = new Map<string, readonly Day[]>();
  return {
    firstDay: dayNumber(first * DAY_MS, 'UTC'),
    lastDay: dayNumber(last * DAY_MS, 'UTC'),
    daysIn: (zone) => {
      const known = zones.get(zone);
      if (known !== undefined) return known;
      const days = Array.from({ length: last - first + 1 }, (_, at) => dayIn(first + at, zone));
      zones.set(zone, days);
      return days;
    },
  };
}

function daysSince1970(atMs: number, timeZone: string): number {
  return Math.floor(wallClockMs(atMs, timeZone) / DAY_MS);
}

function dayIn(day: number, timeZone: string): Day {
  return {
    startMs: startOfDay(day, timeZone),
    endMs: startOfDay(day + 1, timeZone),
    number: dayNumber(day * DAY_MS, 'UTC'),
  };
}

async function rowsOf(
  devices: readonly ReportDevice[],
  calendar: Calendar,
  { db, overheadPercent }: ReportSources,
): Promise<ReportRowValues[]> {
  const [hours, days, plans] = await Promise.all([
    loadHours(devices, calendar, db),
    loadDays(devices, calendar, db),
    loadPlans(devices, db),
  ]);
  return devices.flatMap(({ deviceId, incarnation, timeZone }) => {
    const used = [...onDays(hours.get(incarnation) ?? [], calendar.daysIn(timeZone)), ...(days.get(incarnation) ?? [])];
    const megabytes = plans.get(incarnation);
    const byDay = [...groupBy(used, ({ day }) => day)].sort(([left], [right]) => left - right);
    return byDay.map(([day, uses]) => {
      const kinds = bytesByKind(uses).map((bytes) => withOverhead(bytes, overheadPercent));
      const total = kinds.reduce((sum, bytes) => sum + bytes, 0);
      const share = megabytes === undefined ? null : total / planBytes(megabytes);
      return { deviceId, values: [deviceId, dayText(day), ...kinds, total, share] };
    });
  });
}

interface DayUse {
  /** YYYYMMDD. */
  readonly day: number;
  readonly kind: number;
  readonly bytes: number;
}

interface HourUse extends Pick<DayUse, 'kind' | 'bytes'> {
  readonly hourMs: number;
}

/** By the begin of the hour, as hours are combined into days later. `hours` go from the oldest to the newest. */
function onDays(hours: readonly HourUse[], days: readonly Day[]): DayUse[] {
  let at = 0;
  return hours.flatMap(({ hourMs, kind, bytes }) => {
    while (at < days.length && hourMs >= (days[at]?.endMs ?? 0)) at++;
    const day = days[at];
    return day === undefined || hourMs < day.startMs ? [] : [{ day: day.number, kind, bytes }];
  });
}

function bytesByKind(uses: readonly DayUse[]): number[] {
  const sums = NETFLOW_KINDS.map(() => 0);
  for (const { kind, bytes } of uses) sums[kind] = (sums[kind] ?? 0) + bytes;
  return sums;
}

type Db = ReportSources['db'];

async function loadHours(
  devices: readonly ReportDevice[],
  { daysIn }: Calendar,
  db: Db,
): Promise<ReadonlyMap<number, HourUse[]>> {
  const days = devices.flatMap(({ timeZone }) => daysIn(timeZone));
  const rows = await db
    .selectFrom('netflow_hour')
    .selectAll()
    .where('incarnation', 'in', incarnationsOf(devices))
    .where('hour_ms', '>=', Math.min(...days.map(({ startMs }) => startMs)))
    .where('hour_ms', '<', Math.max(...days.map(({ endMs }) => endMs)))
    .orderBy('incarnation')
    .orderBy('hour_ms')
    .execute();
  const hours = rows.map(({ incarnation, hour_ms: hourMs, kind, received_bytes, sent_bytes }) => ({
    incarnation,
    hourMs,
    kind,
    bytes: received_bytes + sent_bytes,
  }));
  return groupBy(hours, ({ incarnation }) => incarnation);
}

async function loadDays(
  devices: readonly ReportDevice[],
  { firstDay, lastDay }: Calendar,
  db: Db,
): Promise<ReadonlyMap<number, DayUse[]>> {
  const rows = await db
    .selectFrom('netflow_day')
    .selectAll()
    .where('incarnation', 'in', incarnationsOf(devices))
    .where('day', '>=', firstDay)
    .where('day', '<=', lastDay)
    .execute();
  const days = rows.map(({ incarnation, day, kind, received_bytes, sent_bytes }) => ({
    incarnation,
    day,
    kind,
    bytes: received_bytes + sent_bytes,
  }));
  return groupBy(days, ({ incarnation }) => incarnation);
}

/** Megabytes, of devices with a plan. */
async function loadPlans(devices: readonly ReportDevice[], db: Db): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('device_sim')
    .innerJoin('sim_plan', 'sim_plan.id', 'device_sim.plan')
    .select(['device_sim.incarnation', 'sim_plan.megabytes'])
    .where('device_sim.incarnation', 'in', incarnationsOf(devices))
    .execute();
  return new Map(rows.map(({ incarnation, megabytes }) => [incarnation, megabytes]));
}
