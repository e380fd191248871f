import { Permission } from '../../../shared/protocol/permissions.ts';
import { dayNumber } from '../../../shared/protocol/timeZones.ts';
import type { ReportDevice } from '../reportDevices.ts';
import type { ReportKindDefinition, ReportQuery, ReportRowValues, ReportSources } from '../reportKind.ts';
import { archiveNumbersOf, groupBy } from './inParts.ts';
import { dayText } from './mileage.ts';

/** How many events of each type there were in each group on each day. Days are those of the place where the device is. */
export const eventMatrix: ReportKindDefinition = {
  kind: 'event-matrix',
  columns: [
    { name: 'day', type: 'day' },
    { name: 'group', type: 'text' },
    { name: 'eventType', type: 'event-type' },
    { name: 'events', type: 'count' },
    { name: 'duration', type: 'duration' },
  ],
  filters: ['devices', 'event-types'],
  chart: { by: 'eventType', value: 'events' },
  moment: '',
  permissions: [Permission.Event],
  needsDevices: true,
  run: async function* (query, sources) {
    const groups = [...groupBy(query.devices, ({ deviceGroup }) => deviceGroup).values()];
    for (const [at, devices] of groups.entries()) {
      yield { rows: await rowsOfGroup(query, sources, devices), progress: (at + 1) / groups.length };
    }
  },
};

/** What one statement is asked for, so that its parameters stay within those of the engines. */
const DEVICES_AT_ONCE = 500;
const SECOND_MS = 1_000;

interface Cell {
  readonly day: number;
  readonly type: string;
  count: number;
  seconds: number;
}

async function rowsOfGroup(
  query: ReportQuery,
  sources: ReportSources,
  devices: readonly ReportDevice[],
): Promise<ReportRowValues[]> {
  const cells = new Map<string, Cell>();
  for (let start = 0; start < devices.length; start += DEVICES_AT_ONCE) {
    for (const row of await sumsOf(query, sources, devices.slice(start, start + DEVICES_AT_ONCE))) {
      const key = `${row.day} ${row.type}`;
      const cell = cells.get(key) ?? { day: row.day, type: row.type, count: 0, seconds: 0 };
      // PostgreSQL gives sums as text.
      cell.count += Number(row.count);
      cell.seconds += Number(row.seconds);
      cells.set(key, cell);
    }
  }
  const { deviceGroup = 0, groupName = '' } = devices[0] ?? {};
  return [...cells.values()]
    .sort((left, right) => left.day - right.day || (left.type < right.type ? -1 : 1))
    .map(({ day, type, count, seconds }) => ({
      deviceId: '',
      deviceGroup,
      values: [dayText(day), groupName, type, count, seconds * SECOND_MS],
    }));
}

function sumsOf(
  { fromMs, toMs, timeZone, eventTypes }: ReportQuery,
  { db }: ReportSources,
  devices: readonly ReportDevice[],
) {
  const days = db
    .selectFrom('event_day')
    .select(({ fn }) => ['day', 'type', fn.sum('count').as('count'), fn.sum('seconds').as('seconds')])
    .where('archive_number', 'in', archiveNumbersOf(devices))
    .where('day', '>=', dayNumber(fromMs, timeZone))
    .where('day', '<=', dayNumber(toMs - 1, timeZone))
    .groupBy(['day', 'type']);
  return (eventTypes.length === 0 ? days : days.where('type', 'in', eventTypes)).execute();
}
