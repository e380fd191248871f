// Conditions that are checked at each event: whether it is seen, and the parts of a filter that an index has not answered.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { EventMediaBit } from '../../../../shared/protocol/api/events.ts';
import { EVENT_STATUSES, type EventStatus } from '../../../../shared/protocol/events/eventWords.ts';
import { searchKey } from '../../devices/deviceKeys.ts';
import { bigint } from '../../engine/bigint.ts';
import { likeSearch } from '../../engine/likeSearch.ts';
import { type EventScan, orderRanges } from './eventAccess.ts';
import type { EventFilter, EventScope } from './eventFilter.ts';

/** A filter whose names have been looked up. */
export interface EventSearch extends EventFilter, EventScope {
  /** Names of drivers that have the searched text. */
  readonly drivers: readonly string[];
  /** ID of the user that the filter names; 0 for nobody, -1 for an unknown user. */
  readonly assigneeId: number;
}

type SeenDevices = Pick<EventSearch, 'memberGroup' | 'deviceIds' | 'groups'>;

/** Whether an event is in the scope, without any filter. */
export function isInScope(scope: EventScope): RawBuilder<SqlBool> {
  return isSeen('time', { ...scope, search: '', drivers: [], assigneeId: 0 });
}

/** Conditions of the filter that the scan doesn't cover by itself. */
export function checksOf(scan: EventScan, search: EventSearch): readonly RawBuilder<SqlBool>[] {
  const isSeenByScan = scan === 'word' || (scan === 'device' && search.search === '');
  return [
    ...(isSeenByScan ? [] : [isSeen(scan, search)]),
    ...severityChecks(scan, search),
    ...markChecks(scan, search),
  ];
}

/** Cost of looking at an event, relative to one that is found by its device with everything in the index. */
export function costOf(scan: EventScan, search: EventSearch): number {
  const isSearched = search.search !== '';
  if (scan === 'word') return 1;
  if (scan === 'device') return isSearched ? 6 : 1;
  const isInTable = markChecks(scan, search).length > 0 || (search.drivers.length > 0 && scan !== 'driver');
  return (isInTable ? 12 : 6) + (isSearched ? 2 : 0);
}

/** A filter of devices excludes events of the gateway itself. */
export function seesGateway({ seesGateway, deviceIds, groups, search }: EventSearch): boolean {
  return seesGateway && !isNarrowed({ deviceIds, groups }) && search === '';
}

/**
 * Events of devices have archive numbers above 0, which later devices take over. This also decides who gets the pictures and files of an
 * event.
 */
export function isDeviceSeen({ memberGroup, deviceIds, groups }: SeenDevices): RawBuilder<SqlBool> {
  const owned = sql`select device_group from member_group_device_group where member_group = ${memberGroup}`;
  return allOf([
    sql`device.archive_number > 0 and device.disabled = 0 and device.device_group in (${owned})`,
    ...(deviceIds === undefined ? [] : [isOneOf(sql`device.device_id`, deviceIds)]),
    ...(groups === undefined ? [] : [isOneOf(sql`device.device_group`, groups)]),
  ]);
}

/** The device has all of the words, as in lists of devices. */
export function hasWords({ search }: EventSearch): RawBuilder<SqlBool> {
  return allOf(wordsOf(search).map((word) => likeSearch('device.search_key', word)));
}

const MAX_WORDS = 5;

export function wordsOf(search: string): readonly string[] {
  return searchKey(search).split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
}

export function statusNumbers(statuses: readonly EventStatus[] = []): readonly number[] {
  return statuses.map((status) => EVENT_STATUSES.indexOf(status));
}

export function allOf(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return conditions.length === 0 ? sql`1 = 1` : sql<SqlBool>`${sql.join([...conditions], sql` and `)}`;
}

/**
 * Without a filter of devices, each event is checked; a few devices are a set that the engine makes once for each statement. Neither is
 * written as a join, which would begin with the devices, and PostgreSQL takes neither for a condition that few events pass.
 */
function isSeen(scan: EventScan, search: EventSearch): RawBuilder<SqlBool> {
  if (isNarrowed(search) && search.search === '') {
    const devices = sql`select device.archive_number from device where ${isDeviceSeen(search)}`;
    return sql<SqlBool>`(event.archive_number in (${devices})) is true`;
  }
  const seen = sql<SqlBool>`(select 1 from device where device.archive_number = event.archive_number
    and ${isDeviceSeen(search)} and ${hasText(scan, search)} limit 1) is not null`;
  return seesGateway(search) ? sql<SqlBool>`(${seen} or event.archive_number = 0)` : seen;
}

function isNarrowed({ deviceIds, groups }: Pick<EventFilter, 'deviceIds' | 'groups'>): boolean {
  return deviceIds !== undefined || groups !== undefined;
}

function hasText(scan: EventScan, search: EventSearch): RawBuilder<SqlBool> {
  const words = hasWords(search);
  // The other events are found by their devices.
  if (scan === 'driver') return sql`not (${words})`;
  return search.drivers.length === 0 ? words : sql`(${words} or ${isOneOf(sql`event.driver`, search.drivers)})`;
}

/** The other scans use ranges of the order, each of one severity. */
function severityChecks(scan: EventScan, search: EventSearch): readonly RawBuilder<SqlBool>[] {
  if (search.severities === undefined || (scan !== 'device' && scan !== 'word')) return [];
  const order = unindexed(sql.ref('event.severity_order'));
  const ranges = orderRanges({ search: '', severities: search.severities });
  const within = ranges.map(({ from, to }) => sql`${order} >= ${bigint(from)} and ${order} < ${bigint(to)}`);
  return [ranges.length === 0 ? sql`1 = 0` : sql`(${sql.join(within, sql` or `)})`];
}

function markChecks(scan: EventScan, search: EventSearch): readonly RawBuilder<SqlBool>[] {
  const { types, statuses, assignee, assigneeId, isLate, media, isLasting } = search;
  const check = (own: EventScan, isGiven: boolean, condition: RawBuilder<SqlBool>) =>
    isGiven && own !== scan ? [condition] : [];
  const bits = unindexed(sql.ref('event.media'));
  return [
    ...check('type', types !== undefined, isOneOf(unindexed(sql.ref('event.type')), types ?? [])),
    ...check('status', statuses !== undefined, isOneOf(unindexed(sql.ref('event.status')), statusNumbers(statuses))),
    ...check('assignee', assignee !== undefined, sql`coalesce(event.assignee, 0) = ${assigneeId}`),
    ...check('late', isLate !== undefined, sql`${unindexed(sql.ref('event.late'))} = ${isLate === true ? 1 : 0}`),
    ...check('media', media === 'any' || media === 'none', sql`(${bits} > 0) = ${truth(media === 'any')}`),
    // The index tells whether there are media, but not which.
    ...(media === 'video' ? [sql<SqlBool>`(${bits} & ${sql.lit(EventMediaBit.Clip)}) <> 0`] : []),
    ...check(
      'lasting',
      isLasting !== undefined,
      sql`(${unindexed(sql.ref('event.end_at_ms'))} = 0) = ${truth(isLasting)}`,
    ),
  ];
}

const truth = (is: boolean | undefined) => (is === true ? sql`(1 = 1)` : sql`(1 = 0)`);

/** Keeps the engines from choosing an index on the value. */
export function unindexed(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(${value}, ${value})`;
}

function isOneOf(column: RawBuilder<unknown>, values: readonly (string | number)[]): RawBuilder<SqlBool> {
  return values.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.join([...values])})`;
}
