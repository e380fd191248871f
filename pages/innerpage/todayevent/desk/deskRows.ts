// The events that the desk shows: those of one day, newest first, and those that it holds back while it is paused. Pure.
import { type EventRow, TODAY_EVENTS_MAX } from '../../../../shared/protocol/api/events.ts';
import { endOfDay, formatDay, startOfDay } from '../../../../shared/time/format.ts';
import { laterEvent } from '../../../../shared/ui/events/laterEvent.ts';

/** Half-open. */
export interface DayWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface DeskRows {
  readonly day: DayWindow;
  /** At most TODAY_EVENTS_MAX. */
  readonly rows: readonly EventRow[];
  /** New ones since the desk was paused, newest first; as many at most. */
  readonly held: readonly EventRow[];
  readonly isPaused: boolean;
  /** The day had more events than are shown. */
  readonly isCut: boolean;
  /** The highest id that was ever told; undefined before the first list. Ids grow: what has a lower one isn't new. */
  readonly newestId: number | undefined;
}

/** The user's day: two a year are shorter and longer than others. */
export function dayWindow(nowMs: number, zone: string): DayWindow {
  const day = formatDay(nowMs, zone);
  return { fromMs: startOfDay(day, zone) ?? nowMs, toMs: endOfDay(day, zone) ?? nowMs };
}

export function noRows(day: DayWindow): DeskRows {
  return { day, rows: [], held: [], isPaused: false, isCut: false, newestId: undefined };
}

/**
 * Those of the day that nobody has been told of. An event that the list had no room for, or that comes with a device from another
 * group, is older: it calls nobody.
 */
export function newEvents(desk: DeskRows, events: readonly EventRow[]): readonly EventRow[] {
  const { newestId } = desk;
  if (newestId === undefined) return [];
  return unknownEvents(desk, events).filter(({ id }) => id > newestId);
}

/** Those that are neither shown nor held back, and that the list has room for. */
function unknownEvents(desk: DeskRows, events: readonly EventRow[]): readonly EventRow[] {
  const known = new Set([...desk.rows, ...desk.held].map(({ id }) => id));
  const oldest = oldestListed(desk);
  const hasRoom = (event: EventRow) => oldest === undefined || newestFirst(event, oldest) < 0;
  return events.filter((event) => isIn(desk.day, event) && !known.has(event.id) && hasRoom(event));
}

/** Where the list ends, what is held back included; undefined while it has all of the day. */
function oldestListed({ rows, held, isCut }: DeskRows): EventRow | undefined {
  if (!isCut && rows.length + held.length <= TODAY_EVENTS_MAX) return undefined;
  return newest([...rows, ...held]).at(-1);
}

/** Events that are new or changed. What is shown changes at once; what is new waits while the desk is paused. */
export function withEvents(desk: DeskRows, events: readonly EventRow[]): DeskRows {
  const fresh = unknownEvents(desk, events);
  const rows = withChanges(desk.rows, events);
  const held = withChanges(desk.held, events);
  const newestId = desk.newestId === undefined ? undefined : highestId(desk.newestId, events);
  if (fresh.length === 0 && rows === desk.rows && held === desk.held && newestId === desk.newestId) return desk;
  const told = { ...desk, newestId };
  if (desk.isPaused) return { ...told, rows, held: newest([...held, ...fresh]) };
  return shown(told, [...rows, ...fresh], { held });
}

/**
 * All that there is of the day, and what came while it was loaded. What is not among it is gone; rows of a paused desk that are older
 * than all that a cut list has stay, because they may be there still. While the desk is paused, what it did not show before waits
 * here, too.
 */
export function withAll(desk: DeskRows, all: readonly EventRow[], isCut: boolean): DeskRows {
  const before = new Map([...desk.rows, ...desk.held].map((event) => [event.id, event]));
  const current = distinct(all)
    .filter((event) => isIn(desk.day, event))
    .map((event) => laterEvent(before.get(event.id), event));
  const loaded = { ...desk, isCut, newestId: highestId(desk.newestId ?? 0, all) };
  if (!desk.isPaused) return shown(loaded, current, { held: [] });
  const isShown = new Set(desk.rows.map(({ id }) => id));
  const rows = current.filter(({ id }) => isShown.has(id));
  const held = newest(current.filter(({ id }) => !isShown.has(id)));
  const last = isCut ? newest(current).at(-1) : undefined;
  const unseen = last === undefined ? [] : desk.rows.filter((row) => newestFirst(row, last) > 0);
  return shown(loaded, [...rows, ...unseen], { held });
}

export function paused(desk: DeskRows): DeskRows {
  return desk.isPaused ? desk : { ...desk, isPaused: true };
}

export function resumed(desk: DeskRows): DeskRows {
  return desk.isPaused ? shown({ ...desk, isPaused: false }, [...desk.rows, ...desk.held], { held: [] }) : desk;
}

function shown(desk: DeskRows, rows: readonly EventRow[], { held }: Pick<DeskRows, 'held'>): DeskRows {
  return { ...desk, rows: newest(rows), held, isCut: desk.isCut || rows.length > TODAY_EVENTS_MAX };
}

function isIn({ fromMs, toMs }: DayWindow, { beginAtMs }: EventRow): boolean {
  return beginAtMs >= fromMs && beginAtMs < toMs;
}

/** The same list if nothing in it has changed. */
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
