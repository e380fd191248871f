// What devices used of their data on each day. Days are those of the place where the device is.
import { NETFLOW_KINDS, type NetflowKind } from '../../../shared/protocol/netflow/netflowWords.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { dayNumber } from '../../../shared/protocol/timeZones.ts';
import { planBytes, withOverhead } from '../../netflow/rules/planLevels.ts';
import type { ReportDevice } from '../reportDevices.ts';
import type { ReportKindDefinition, ReportQuery, ReportRowValues, ReportSources } from '../reportKind.ts';
import { byDevices, groupBy, incarnationsOf } from './inParts.ts';
import { dayText } from './mileage.ts';

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
    const days = daysOf(query);
    return byDevices(query, (devices) => rowsOf(devices, days, sources));
  },
};

/** YYYYMMDD. */
interface Days {
  readonly first: number;
  readonly last: number;
}

/** The days of the reader's period, which those of each device are called by too. */
function daysOf({ fromMs, toMs, timeZone }: ReportQuery): Days {
  return { first: dayNumber(fromMs, timeZone), last: dayNumber(toMs - 1, timeZone) };
}

async function rowsOf(
  devices: readonly ReportDevice[],
  days: Days,
  { db, overheadPercent }: ReportSources,
): Promise<ReportRowValues[]> {
  const [used, plans] = await Promise.all([loadDays(devices, days, db), loadPlans(devices, db)]);
  return devices.flatMap(({ deviceId, incarnation }) => {
    const megabytes = plans.get(incarnation);
    const byDay = [...groupBy(used.get(incarnation) ?? [], ({ day }) => day)].sort(([left], [right]) => left - right);
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

function bytesByKind(uses: readonly DayUse[]): number[] {
  const sums = NETFLOW_KINDS.map(() => 0);
  for (const { kind, bytes } of uses) sums[kind] = (sums[kind] ?? 0) + bytes;
  return sums;
}

type Db = ReportSources['db'];

async function loadDays(
  devices: readonly ReportDevice[],
  { first, last }: Days,
  db: Db,
): Promise<ReadonlyMap<number, DayUse[]>> {
  const rows = await db
    .selectFrom('netflow_day')
    .selectAll()
    .where('incarnation', 'in', incarnationsOf(devices))
    .where('day', '>=', first)
    .where('day', '<=', last)
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
