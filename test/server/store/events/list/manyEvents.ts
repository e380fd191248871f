// Some hundred events of a few devices, and what a filter finds among them, the plain way.
import type { NewEvent } from '../../../../../server/store/events/eventLog.ts';
import type { EventFilter } from '../../../../../server/store/events/list/eventFilter.ts';
import type { Stores } from '../../../../../server/store/stores.ts';
import type { EventSort } from '../../../../../shared/protocol/api/events.ts';
import { EVENT_STATUSES, SEVERITIES } from '../../../../../shared/protocol/events/eventWords.ts';
import { createRandom, pick } from '../../../../support/fuzz.ts';
import type { TestDatabase } from '../../testDatabase.ts';
import { anEvent } from '../anEvent.ts';

/** Over three months, of which each is a table of its own on PostgreSQL. */
export const FIRST_MS = Date.UTC(2026, 8, 20);
export const LAST_MS = Date.UTC(2026, 10, 20);

interface KnownEvent extends NewEvent {
  readonly id: number;
  readonly status: number;
  readonly media: number;
  /** User name; '' for nobody. */
  readonly assignee: string;
  readonly deviceId: string;
  readonly group: number;
}

export interface ManyEvents {
  readonly events: readonly KnownEvent[];
  readonly memberGroup: number;
  readonly groups: readonly number[];
  readonly deviceIds: readonly string[];
}

/** LAST_MS is a multiple of it away. */
const STEP_MS = 5_400_000;
const TYPES = ['speeding', 'emergency', 'video-loss'];
const DRIVERS = ['', 'Ann Lee', '陳大文'];

export async function addManyEvents({ db }: TestDatabase, stores: Stores, count: number): Promise<ManyEvents> {
  const random = createRandom(13);
  const isOneOf = (times: number): boolean => random(times) === 0;
  const memberGroup = await stores.memberGroups.insert({ name: 'Owners' });
  const groups = [await stores.deviceGroups.insert('North'), await stores.deviceGroups.insert('South')];
  const foreign = await stores.deviceGroups.insert('Others');
  await stores.memberGroups.setDeviceGroups(memberGroup, groups);
  const user = { username: 'bob', passwordHash: '-', permissions: ['event'] };
  const bob = await stores.users.insert(user, FIRST_MS as Parameters<Stores['users']['insert']>[1]);
  const places = [...groups, groups[0] ?? 0, foreign].map((group, at) => ({ group, deviceId: `BUS${at}`, chn: 1 }));
  const archives = new Map<number, { readonly deviceId: string; readonly group: number }>([
    [0, { deviceId: '', group: 0 }],
  ]);
  for (const { group, deviceId, chn } of places) {
    const added = await stores.devices.insert({ deviceId, name: `Line ${deviceId}`, chn, deviceGroup: group });
    archives.set(added.archiveNumber, { deviceId, group });
  }
  const added = Array.from({ length: count }, () => {
    // Few of them share a moment, and some do.
    const beginAtMs = FIRST_MS + random((LAST_MS - FIRST_MS) / STEP_MS) * STEP_MS;
    const isLasting = isOneOf(5);
    return anEvent({
      archiveNumber: pick([...archives.keys()], random),
      type: pick(TYPES, random),
      severity: pick(SEVERITIES, random),
      beginAtMs,
      endAtMs: isLasting ? 0 : beginAtMs + 1_000,
      origins: isLasting ? 1 : 0,
      isLate: isOneOf(5),
      driver: pick(DRIVERS, random),
    });
  });
  const ids = await stores.eventLog.write({ added, changed: [], days: [] });
  const events = added.map((event, at) => ({
    ...event,
    id: ids[at] ?? 0,
    status: random(EVENT_STATUSES.length),
    media: isOneOf(3) ? (isOneOf(2) ? 5 : 4) : 0,
    assignee: isOneOf(3) ? 'bob' : '',
    ...(archives.get(event.archiveNumber) ?? { deviceId: '', group: 0 }),
  }));
  for (const { id, status, media, assignee } of events) {
    const change = { status, media, assignee: assignee === '' ? null : bob };
    await db.updateTable('event').set(change).where('id', '=', id).execute();
  }
  return { events, memberGroup, groups, deviceIds: places.map(({ deviceId }) => deviceId) };
}

/** In the order of the list. */
export function findPlainly(
  { events, groups }: ManyEvents,
  filter: EventFilter & { readonly seesGateway: boolean },
  order: { readonly sort: EventSort; readonly descending: boolean },
): readonly number[] {
  const sign = order.descending ? -1 : 1;
  const rank = ({ severity }: KnownEvent) => SEVERITIES.length - SEVERITIES.indexOf(severity);
  const found = events.filter((event) => isFound(event, filter, groups));
  const sorted = found.sort((left, right) => {
    const bySeverity = order.sort === 'severity' ? rank(left) - rank(right) : 0;
    return sign * (bySeverity || left.beginAtMs - right.beginAtMs || left.id - right.id);
  });
  return sorted.map(({ id }) => id);
}

function isFound(
  event: KnownEvent,
  filter: EventFilter & { readonly seesGateway: boolean },
  seen: readonly number[],
): boolean {
  const { search, deviceIds, groups, types, severities, statuses, assignee, isLate, media, isLasting } = filter;
  const isOfGateway = event.archiveNumber === 0;
  const narrowsDevices = deviceIds !== undefined || groups !== undefined || search !== '';
  if (isOfGateway ? !filter.seesGateway || narrowsDevices : !seen.includes(event.group)) return false;
  const text = `${event.deviceId} Line ${event.deviceId}`.toLowerCase();
  const words = search.toLowerCase();
  return (
    (deviceIds?.includes(event.deviceId) ?? true) &&
    (groups?.includes(event.group) ?? true) &&
    (types?.includes(event.type) ?? true) &&
    (severities?.includes(event.severity) ?? true) &&
    (statuses?.includes(EVENT_STATUSES[event.status] ?? 'new') ?? true) &&
    (assignee ?? event.assignee) === event.assignee &&
    (isLate ?? event.isLate) === event.isLate &&
    (media === undefined || (media !== 'none') === event.media > 0) &&
    (media !== 'video' || (event.media & 1) === 1) &&
    (isLasting ?? event.endAtMs === 0) === (event.endAtMs === 0) &&
    event.beginAtMs >= (filter.fromMs ?? 0) &&
    event.beginAtMs < (filter.toMs ?? Number.MAX_SAFE_INTEGER) &&
    (search === '' || text.includes(words) || event.driver.toLowerCase().includes(words))
  );
}
