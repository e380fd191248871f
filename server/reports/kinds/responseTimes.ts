import { Permission } from '../../../shared/protocol/permissions.ts';
import type { ReportDevice } from '../reportDevices.ts';
import type { ReportKindDefinition, ReportQuery, ReportSources, ReportValue } from '../reportKind.ts';
import { archiveNumbersOf } from './inParts.ts';

const DEVICES_AT_ONCE = 500;

/** How long events that began in the period took to be acknowledged and closed, by who did it first. */
export const responseTimes: ReportKindDefinition = {
  kind: 'response-times',
  columns: [
    { name: 'member', type: 'text' },
    { name: 'acknowledged', type: 'count' },
    { name: 'acknowledgeMean', type: 'duration' },
    { name: 'acknowledgeMax', type: 'duration' },
    { name: 'closed', type: 'count' },
    { name: 'closeMean', type: 'duration' },
    { name: 'closeMax', type: 'duration' },
  ],
  filters: ['devices', 'event-types', 'members'],
  chart: { by: 'member', value: 'closed' },
  moment: '',
  permissions: [Permission.Event],
  needsDevices: true,
  run: async function* (query, sources) {
    const members = new Map<string, Record<Answer, Times>>();
    const { devices } = query;
    for (let start = 0; start < devices.length; start += DEVICES_AT_ONCE) {
      addSteps(members, await loadSteps(query, sources, devices.slice(start, start + DEVICES_AT_ONCE)));
      yield { rows: [], progress: Math.min(1, (start + DEVICES_AT_ONCE) / devices.length) };
    }
    const sorted = [...members].sort(([left], [right]) => (left < right ? -1 : 1));
    const rows = sorted.map(([member, { acknowledge, close }]) => ({
      deviceId: '',
      values: [member, ...acknowledge.values(), ...close.values()],
    }));
    yield { rows, progress: 1 };
  },
};

type Answer = 'acknowledge' | 'close';

/** The first of each act counts: an event that was opened again had its answer before. */
function loadSteps(
  { fromMs, toMs, eventTypes, members }: ReportQuery,
  { db }: ReportSources,
  devices: readonly ReportDevice[],
) {
  let steps = db
    .selectFrom('event_step')
    .innerJoin('event', 'event.id', 'event_step.event_id')
    .select(['event_step.event_id', 'event_step.at_ms', 'event_step.user_id', 'event_step.user_name'])
    .select(['event_step.act', 'event.begin_at_ms'])
    .where('event.archive_number', 'in', archiveNumbersOf(devices))
    .where('event.begin_at_ms', '>=', fromMs)
    .where('event.begin_at_ms', '<', toMs)
    .where('event_step.act', 'in', ['acknowledge', 'close']);
  if (eventTypes.length > 0) steps = steps.where('event.type', 'in', eventTypes);
  return chosenMembers(steps.orderBy('event_step.id').execute(), members);
}

/** Whoever was first is told before others are left out. */
async function chosenMembers<Step extends FirstStep>(
  steps: Promise<Step[]>,
  members: readonly number[],
): Promise<Step[]> {
  const seen = new Set<string>();
  const first = (await steps).filter(({ event_id, act }) => {
    const key = `${event_id} ${act}`;
    return seen.has(key) ? false : seen.add(key) !== undefined;
  });
  return first.filter(({ user_id }) => user_id !== null && (members.length === 0 || members.includes(user_id)));
}

interface FirstStep {
  readonly event_id: number;
  readonly act: string;
  readonly user_id: number | null;
}

interface TimedStep {
  readonly user_name: string;
  readonly act: string;
  readonly at_ms: number;
  readonly begin_at_ms: number;
}

function addSteps(members: Map<string, Record<Answer, Times>>, steps: readonly TimedStep[]): void {
  for (const { user_name, act, at_ms, begin_at_ms } of steps) {
    const times = members.get(user_name) ?? { acknowledge: new Times(), close: new Times() };
    members.set(user_name, times);
    times[act === 'close' ? 'close' : 'acknowledge'].add(Math.max(0, at_ms - begin_at_ms));
  }
}

class Times {
  #count = 0;
  #sumMs = 0;
  #maxMs = 0;

  add(ms: number): void {
    this.#count++;
    this.#sumMs += ms;
    this.#maxMs = Math.max(this.#maxMs, ms);
  }

  /** How many, the mean and the longest. */
  values(): readonly ReportValue[] {
    return this.#count === 0 ? [0, null, null] : [this.#count, Math.round(this.#sumMs / this.#count), this.#maxMs];
  }
}
