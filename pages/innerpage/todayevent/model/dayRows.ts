// The events that the list shows: those of one day, newest first, and those that it holds back while it is paused. Pure.
import { type EventRow, TODAY_EVENTS_MAX } from '../../../../shared/protocol/api/events.ts';
import { endOfDay, formatDay, startOfDay } from '../../../../shared/time/format.ts';
import { laterEvent } from '../../../../shared/ui/events/laterEvent.ts';

/** Half-open. */
export interface DayWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface DayRows {
  readonly day: DayWindow;
  /** At most TODAY_EVENTS_MAX. */
  readonly rows: readonly EventRow[];
  /** New events since the list was paused, newest first; at most TODAY_EVENTS_MAX, too. */
  readonly held: readonly EventRow[];
  readonly isPaused: boolean;
  /** The day had more events than are shown. */
  readonly isCut: boolean;
  /** The highest ID ever reported; undefined before the first list. IDs grow: an event with a lower one isn't new. */
  readonly newestId: number | undefined;
}

/** The user's day: two days a year are shorter or longer than the others. */
export function dayWindow(nowMs: number, zone: string): DayWindow {
  const day = formatDay(nowMs, zone);
  return { fromMs: startOfDay(day, zone) ?? nowMs, toMs: endOfDay(day, zone) ?? nowMs };
}

export function noRows(day: DayWindow): DayRows {
  return { day, rows: [], held: [], isPaused: false, isCut: false, newestId: undefined };
}

/**
 * The events of the day that nobody has been notified of. An event that the list had no room for, or that comes with a device from
 * another group, is older: it alerts nobody.
 */
export function newEvents(list: DayRows, events: readonly EventRow[]): readonly EventRow[] {
  const { newestId } = list;
  if (newestId === undefined) return [];
  return unknownEvents(list, events).filter(({ id }) => id > newestId);
}

/** The events that are neither shown nor held back, and that the list has room for. */
function unknownEvents(list: DayRows, events: readonly EventRow[]): readonly EventRow[] {
  const known = new Set([...list.rows, ...list.held].map(({ id }) => id));
  const oldest = oldestListed(list);
  const hasRoom = (event: EventRow) => oldest === undefined || newestFirst(event, oldest) < 0;
  return events.filter((event) => isIn(list.day, event) && !known.has(event.id) && hasRoom(event));
}

/** The last event of the list, including those held back; undefined while the list has all of the day. */
function oldestListed({ rows, held, isCut }: DayRows): EventRow | undefined {
  if (!isCut && rows.length + held.length <= TODAY_EVENTS_MAX) return undefined;
  return newest([...rows, ...held]).at(-1);
}

/** Adds events that are new or changed. Shown ones change at once; new ones wait while the list is paused. */
export function withEvents(list: DayRows, events: readonly EventRow[]): DayRows {
  const fresh = unknownEvents(list, events);
  const rows = withChanges(list.rows, events);
  const held = withChanges(list.held, events);
  const newestId = list.newestId === undefined ? undefined : highestId(list.newestId, events);
  if (fresh.length === 0 && rows === list.rows && held === list.held && newestId === list.newestId) return list;
  const told = { ...list, newestId };
  if (list.isPaused) return { ...told, rows, held: newest([...held, ...fresh]) };
  return shown(told, [...rows, ...fresh], { held });
}

/**
 * Replaces the list with all events of the day, including those that came while it was loading. Others are gone, except for rows of a
 * paused list that are older than everything in a cut list: they stay, because they may still exist. While the list is paused, events
 * that it did not show before wait here, too.
 */
export function withAll(list: DayRows, all: readonly EventRow[], isCut: boolean): DayRows {
  const before = new Map([...list.rows, ...list.held].map((event) => [event.id, event]));
  const current = distinct(all)
    .filter((event) => isIn(list.day, event))
    .map((event) => laterEvent(before.get(event.id), event));
  const loaded = { ...list, isCut, newestId: highestId(list.newestId ?? 0, all) };
  if (!list.isPaused) return shown(loaded, current, { held: [] });
  const isShown = new Set(list.rows.map(({ id }) => id));
  const rows = current.filter(({ id }) => isShown.has(id));
  const held = newest(current.filter(({ id }) => !isShown.has(id)));
  const last = isCut ? newest(current).at(-1) : undefined;
  const unseen = last === undefined ? [] : list.rows.filter((row) => newestFirst(row, last) > 0);
  return shown(loaded, [...rows, ...unseen], { held });
}

export function paused(list: DayRows): DayRows {
  return list.isPaused ? list : { ...list, isPaused: true };
}

export function resumed(list: DayRows): DayRows {
  return list.isPaused ? shown({ ...list, isPaused: false }, [...list.rows, ...list.held], { held: [] }) : list;
}

function shown(list: DayRows, rows: readonly EventRow[], { held }: Pick<DayRows, 'held'>): DayRows {
  return { ...list, rows: newest(rows), held, isCut: list.isCut || rows.length > TODAY_EVENTS_MAX };
}

function isIn({ fromMs, toMs }: DayWindow, { beginAtMs }: EventRow): boolean {
  return beginAtMs >= fromMs && beginAtMs < toMs;
}

/** Returns the same list if nothing in it has changed. */
function withChanges(rows: readonly EventRow[], events: readonly EventRow[]): readonly EventRow[] {
  const changes = new Map(events.map((event) => [event.id, event]));
  if (!rows.some(({ id }) => changes.has(id))) return rows;
  return rows.map((row) => {
    const change = changes.get(row.id);
    return change === undefined ? row : laterEvent(row, change);
  });
}

function highestId(known: number, events: readonly EventRow[]): number {
  return events.reduce((highest, { id }) => Math.max(highest, id), known);
}

function distinct(events: readonly EventRow[]): readonly EventRow[] {
  const byId = new Map<number, EventRow>();
  for (const event of events) byId.set(event.id, laterEvent(byId.get(event.id), event));
  return [...byId.values()];
}

function newest(events: readonly EventRow[]): readonly EventRow[] {
  return [...events].sort(newestFirst).slice(0, TODAY_EVENTS_MAX);
}

function newestFirst(left: EventRow, right: EventRow): number {
  return right.beginAtMs - left.beginAtMs || right.id - left.id;
}
