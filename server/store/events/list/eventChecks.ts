// What is checked at an event: whether it is seen, and what of a filter an index has not answered.
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
  /** Of the user that the filter names; 0 for nobody, -1 for a user whom there is not. */
  readonly assigneeId: number;
}

type SeenDevices = Pick<EventSearch, 'memberGroup' | 'deviceIds' | 'groups'>;

/** Whether an event is in the scope, whatever else it is. */
export function isInScope(scope: EventScope): RawBuilder<SqlBool> {
  return isSeen('time', { ...scope, search: '', drivers: [], assigneeId: 0 });
}

/** What of the filter the scan does not see to by itself. */
export function checksOf(scan: EventScan, search: EventSearch): readonly RawBuilder<SqlBool>[] {
  const isSeenByScan = scan === 'word' || (scan === 'device' && search.search === '');
  return [
    ...(isSeenByScan ? [] : [isSeen(scan, search)]),
    ...severityChecks(scan, search),
    ...markChecks(scan, search),
  ];
}

/** What an event costs to look at, beside one that is found by its device and of which the index tells all. */
export function costOf(scan: EventScan, search: EventSearch): number {
  const isSearched = search.search !== '';
  if (scan === 'word') return 1;
  if (scan === 'device') return isSearched ? 6 : 1;
  const isInTable = markChecks(scan, search).length > 0 || (search.drivers.length > 0 && scan !== 'driver');
  return (isInTable ? 12 : 6) + (isSearched ? 2 : 0);
}

/** With a filter of devices there are none of the gateway. */
export function seesGateway({ seesGateway, deviceIds, groups, search }: EventSearch): boolean {
  return seesGateway && !isNarrowed({ deviceIds, groups }) && search === '';
}

/** Events lie under numbers above 0, which devices take over. Also decides who is given the pictures and files of an event. */
export function isDeviceSeen({ memberGroup, deviceIds, groups }: SeenDevices): RawBuilder<SqlBool> {
  const owned = sql`select device_group from member_group_device_group where member_group = ${memberGroup}`;
  return allOf([
    sql`device.archive_number > 0 and device.disabled = 0 and device.device_group in (${owned})`,
    ...(deviceIds === undefined ? [] : [isOneOf(sql`device.device_id`, deviceIds)]),
    ...(groups === undefined ? [] : [isOneOf(sql`device.device_group`, groups)]),
  ]);
}

/** All of the words, as in lists of devices. */
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
 * Of all devices it is asked at each event; a few are a set that the engine makes once for each statement. Neither is made into a join,
 * which would begin with the devices, and PostgreSQL takes neither for something that few events pass.
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
  // The others are found by their devices.
  if (scan === 'driver') return sql`not (${words})`;
  return search.drivers.length === 0 ? words : sql`(${words} or ${isOneOf(sql`event.driver`, search.drivers)})`;
}

/** The other scans go by ranges of the order, each of one severity. */
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
    // The index tells of media, not of which.
    ...(media === 'video' ? [sql<SqlBool>`(${bits} & ${sql.lit(EventMediaBit.Clip)}) <> 0`] : []),
    ...check(
      'lasting',
      isLasting !== undefined,
      sql`(${unindexed(sql.ref('event.end_at_ms'))} = 0) = ${truth(isLasting)}`,
    ),
  ];
}

const truth = (is: boolean | undefined) => (is === true ? sql`(1 = 1)` : sql`(1 = 0)`);

/** The engines would otherwise choose an index of it. */
export function unindexed(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(${value}, ${value})`;
}

function isOneOf(column: RawBuilder<unknown>, values: readonly (string | number)[]): RawBuilder<SqlBool> {
  return values.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.join([...values])})`;
}
