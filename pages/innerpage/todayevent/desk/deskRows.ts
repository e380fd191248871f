// The events that the desk shows: those of one day, newest first, and those that it holds back while it is paused. Pure.
import { type EventRow, TODAY_EVENTS_MAX } from '../../../../shared/protocol/api/events.ts';
import { endOfDay, formatDay, startOfDay } from '../../../../shared/time/format.ts';

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
}

/** The user's day: two a year are shorter and longer than others. */
export function dayWindow(nowMs: number, zone: string): DayWindow {
  const day = formatDay(nowMs, zone);
  return { fromMs: startOfDay(day, zone) ?? nowMs, toMs: endOfDay(day, zone) ?? nowMs };
}

export function noRows(day: DayWindow): DeskRows {
  return { day, rows: [], held: [], isPaused: false, isCut: false };
}

/** Those of the day that are neither shown nor held back. */
export function unknownEvents({ day, rows, held }: DeskRows, events: readonly EventRow[]): readonly EventRow[] {
  const known = new Set([...rows, ...held].map(({ id }) => id));
  return events.filter((event) => isIn(day, event) && !known.has(event.id));
}

/** Events that are new or changed. What is shown changes at once; what is new waits while the desk is paused. */
export function withEvents(desk: DeskRows, events: readonly EventRow[]): DeskRows {
  const fresh = unknownEvents(desk, events);
  const rows = withChanges(desk.rows, events);
  const held = withChanges(desk.held, events);
  if (fresh.length === 0) return rows === desk.rows && held === desk.held ? desk : { ...desk, rows, held };
  if (desk.isPaused) return { ...desk, rows, held: newest([...held, ...fresh]) };
  return shown(desk, [...rows, ...fresh], { held });
}

/**
 * All that there is of the day, and what came while it was loaded. What is not among it is gone. While the desk is paused, what it
 * did not show before waits here, too.
 */
export function withAll(desk: DeskRows, all: readonly EventRow[], isCut: boolean): DeskRows {
  const before = new Map([...desk.rows, ...desk.held].map((event) => [event.id, event]));
  const current = distinct(all)
    .filter((event) => isIn(desk.day, event))
    .map((event) => later(before.get(event.id), event));
  if (!desk.isPaused) return shown({ ...desk, isCut }, current, { held: [] });
  const isShown = new Set(desk.rows.map(({ id }) => id));
  const rows = current.filter(({ id }) => isShown.has(id));
  const held = newest(current.filter(({ id }) => !isShown.has(id)));
  return shown({ ...desk, isCut }, rows, { held });
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
    return change === undefined ? row : later(row, change);
  });
}

/** Messages and answers overtake one another; the version says which is later. */
function later(known: EventRow | undefined, told: EventRow): EventRow {
  return known !== undefined && known.version > told.version ? known : told;
}

function distinct(events: readonly EventRow[]): readonly EventRow[] {
  const byId = new Map<number, EventRow>();
  for (const event of events) byId.set(event.id, later(byId.get(event.id), event));
  return [...byId.values()];
}

function newest(events: readonly EventRow[]): readonly EventRow[] {
  return [...events].sort(newestFirst).slice(0, TODAY_EVENTS_MAX);
}

function newestFirst(left: EventRow, right: EventRow): number {
  return right.beginAtMs - left.beginAtMs || right.id - left.id;
}
