// Reading events in the order of a list: the first ones of each range of an index, from the page's position on.
import { type SqlBool, sql } from 'kysely';
import type { EventSort } from '../../../../shared/protocol/api/events.ts';
import { bigint } from '../../engine/bigint.ts';
import type { StoreDb } from '../../engine/database.ts';
import type { PageRequest } from '../../engine/listPage.ts';
import type { EventAccess } from './eventAccess.ts';
import { allOf, checksOf, type EventSearch } from './eventChecks.ts';
import { type EventKeys, eventsInRange, foundBy, type IndexRange, keysIn, rangesOf, together } from './eventScans.ts';
import { severityOrder } from './severityOrder.ts';

type Walk = PageRequest<EventSort>;

/** May give more events than a page, since it reads several ranges; the page sorts them. */
export function walkedEvents(db: StoreDb, access: EventAccess, search: EventSearch, walk: Walk): EventKeys {
  if (access === 'device' || access === 'search') throw new Error(`no list is walked by ${access}`);
  // One index has all events in this order.
  if (access === 'time' && walk.sort === 'time' && search.severities === undefined) return foundBy(db, access, search);
  const checks = allOf(checksOf(access, search));
  const parts = rangesOf(access, search).flatMap((range) => {
    const left = rangeFrom(range, walk);
    if (left === undefined) return [];
    const { tie } = left;
    const events = eventsInRange(db, access, left.range).where(checks);
    return [keysIn(db, firstOf(tie === undefined ? events : events.where(isBeyond(tie, walk)), walk))];
  });
  return parts.length === 0 ? foundBy(db, access, { ...search, severities: [] }) : together(parts);
}

interface RangeLeft {
  readonly range: IndexRange;
  /** For events with the same order as the position: those after its id. */
  readonly tie: { readonly order: number; readonly id: number } | undefined;
}

/** Pure. The part of a range from the position on; undefined if nothing is left. */
function rangeFrom(range: IndexRange, { sort, descending, position }: Omit<Walk, 'limit'>): RangeLeft | undefined {
  if (position.at === 'offset') return { range, tie: undefined };
  const [value, id] = position.values.map(Number);
  if (value === undefined) return { range, tie: undefined };
  const order = sort === 'time' ? severityOrder(range.severity, value) : value;
  const isIn = position.at === 'from' || id !== undefined;
  const left = isDownward({ descending, position })
    ? { ...range, to: Math.min(range.to, isIn ? order + 1 : order) }
    : { ...range, from: Math.max(range.from, isIn ? order : order + 1) };
  if (left.from >= left.to) return undefined;
  return { range: left, tie: id === undefined || position.at === 'from' ? undefined : { order, id } };
}

/** Events before a position are read backwards. */
function isDownward({ descending, position }: Pick<Walk, 'descending' | 'position'>): boolean {
  return descending !== (position.at === 'before');
}

function isBeyond({ order, id }: NonNullable<RangeLeft['tie']>, walk: Walk) {
  const sign = sql.raw(isDownward(walk) ? '<' : '>');
  return sql<SqlBool>`(event.severity_order, event.id) ${sign} (${bigint(order)}, ${bigint(id)})`;
}

function firstOf(events: EventKeys, walk: Walk): EventKeys {
  const direction = isDownward(walk) ? 'desc' : 'asc';
  const ordered = events.orderBy('event.severity_order', direction).orderBy('event.id', direction);
  return ordered.limit(rowsToEndOf(walk) + 1);
}

/** The number of rows from the place where the page is reached to its end. */
export function rowsToEndOf({ position, limit }: Pick<Walk, 'position' | 'limit'>): number {
  return limit + (position.at === 'offset' ? position.offset : 0);
}
