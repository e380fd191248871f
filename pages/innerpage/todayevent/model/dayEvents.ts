// The list as a state machine: loads the day's events, keeps them up to date through the live line, and starts over at midnight.
import type { ApiFailure, ApiResult } from '../../../../shared/api/client.ts';
import type { ListPage, ListPlace, ListQuery } from '../../../../shared/api/list.ts';
import type { EventListener } from '../../../../shared/live/liveEvents.ts';
import { EVENT_LIST_ROWS, type EventRow, TODAY_EVENTS_MAX } from '../../../../shared/protocol/api/events.ts';
import {
  type DayRows,
  type DayWindow,
  dayWindow,
  newEvents,
  noRows,
  paused,
  resumed,
  withAll,
  withEvents,
} from './dayRows.ts';

export interface DayEventsDeps {
  readonly loadPage: (query: ListQuery, signal: AbortSignal) => Promise<ApiResult<ListPage<EventRow>>>;
  readonly listen: (listener: EventListener) => () => void;
  readonly now: () => number;
  /** Runs once after a delay; the returned function cancels it. */
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** The user's time zone. */
  readonly zone: string;
  /** Events that began since the list was loaded. */
  readonly onNew: (events: readonly EventRow[]) => void;
}

export interface DayEventsState extends DayRows {
  /** Whether the day has been loaded: before that, an empty list says nothing. */
  readonly isKnown: boolean;
  /** The reason why the last load failed; what is shown is from before. */
  readonly failure: ApiFailure | undefined;
}

/** Time for the live line to say where the list begins. After that, the list is loaded without it. */
export const LINE_MS = 3_000;
/** When very many events change, the line asks for a reload again and again. */
export const RELOAD_PAUSE_MS = 5_000;
export const RETRY_MS = 10_000;
/** Timers stop while a computer sleeps, so midnight is also checked for at this interval. */
export const DAY_CHECK_MS = 30_000;

/** Owns its listener, its timers and the calls in progress. */
export class DayEvents {
  readonly #deps: DayEventsDeps;
  readonly #watchers = new Set<() => void>();
  #state: DayEventsState;
  #stopListening: (() => void) | undefined;
  /** Cancels the next planned load. */
  #cancelLoad: (() => void) | undefined;
  #cancelDayCheck: (() => void) | undefined;
  #loading: AbortController | undefined;
  #isOwed = false;
  #lastLoadMs = Number.NEGATIVE_INFINITY;
  /** Events that the live line reported while the list was loading: they may be newer than the list. */
  #arrived: EventRow[] = [];

  constructor(deps: DayEventsDeps) {
    this.#deps = deps;
    this.#state = { ...noRows(dayWindow(deps.now(), deps.zone)), isKnown: false, failure: undefined };
  }

  readonly state = (): DayEventsState => this.#state;

  /** Calls `run` after every change; the returned function ends this. The first subscriber opens the list, the last one closes it. */
  readonly subscribe = (run: () => void): (() => void) => {
    this.#watchers.add(run);
    if (this.#watchers.size === 1) this.#open();
    return () => {
      this.#watchers.delete(run);
      if (this.#watchers.size === 0) this.#close();
    };
  };

  pause(): void {
    this.#change(paused(this.#state));
  }

  resume(): void {
    this.#change(resumed(this.#state));
  }

  /** Takes in events as the user's own acts changed them; the live line reports the same a little later. */
  merge(events: readonly EventRow[]): void {
    if (this.#loading !== undefined) this.#arrived.push(...events);
    this.#change(withEvents(this.#state, events));
  }

  /** Reloads at once, unless the list is being loaded. */
  reload(): void {
    this.#isOwed = true;
    if (this.#loading === undefined) void this.#load();
  }

  #open(): void {
    this.#lastLoadMs = Number.NEGATIVE_INFINITY;
    this.#planLoad(LINE_MS);
    this.#stopListening = this.#deps.listen({
      onEvents: (events) => this.#told(events),
      onReload: () => this.#owe(),
    });
    this.#watchDay();
  }

  #close(): void {
    this.#stopListening?.();
    this.#cancelLoad?.();
    this.#cancelDayCheck?.();
    this.#loading?.abort();
    this.#stopListening = undefined;
    this.#cancelLoad = undefined;
    this.#loading = undefined;
    this.#isOwed = false;
    this.#arrived = [];
  }

  #told(events: readonly EventRow[]): void {
    this.#announce(newEvents(this.#state, events));
    this.merge(events);
  }

  #announce(events: readonly EventRow[]): void {
    if (events.length > 0) this.#deps.onNew(events);
  }

  /** Plans a load for when the last one is long enough ago. */
  #owe(): void {
    this.#isOwed = true;
    if (this.#loading !== undefined) return;
    this.#planLoad(Math.max(0, this.#lastLoadMs + RELOAD_PAUSE_MS - this.#deps.now()));
  }

  #planLoad(delayMs: number): void {
    this.#cancelLoad?.();
    this.#cancelLoad = this.#deps.runAfter(delayMs, () => void this.#load());
  }

  async #load(): Promise<void> {
    this.#cancelLoad?.();
    this.#cancelLoad = undefined;
    this.#isOwed = false;
    this.#lastLoadMs = this.#deps.now();
    const loading = new AbortController();
    this.#loading = loading;
    this.#arrived = [];
    const { day } = this.#state;
    const loaded = await loadDay(day, this.#deps.loadPage, loading.signal);
    if (this.#loading !== loading) return;
    this.#loading = undefined;
    if (loaded.ok) this.#know(loaded.value);
    else this.#set({ ...this.#state, failure: loaded });
    if (this.#isOwed) this.#owe();
    else if (!loaded.ok) this.#planLoad(RETRY_MS);
  }

  #know({ events, isCut }: LoadedDay): void {
    const all = [...events, ...this.#arrived];
    this.#arrived = [];
    this.#announce(newEvents(this.#state, all));
    this.#set({ ...this.#state, ...withAll(this.#state, all, isCut), isKnown: true, failure: undefined });
  }

  #watchDay(): void {
    this.#beginDay();
    const untilMidnightMs = this.#state.day.toMs - this.#deps.now();
    this.#cancelDayCheck = this.#deps.runAfter(Math.min(DAY_CHECK_MS, untilMidnightMs), () => this.#watchDay());
  }

  #beginDay(): void {
    const nowMs = this.#deps.now();
    if (nowMs < this.#state.day.toMs) return;
    const { isPaused, newestId } = this.#state;
    this.#loading?.abort();
    this.#loading = undefined;
    const empty = { ...noRows(dayWindow(nowMs, this.#deps.zone)), isPaused, newestId };
    this.#set({ ...empty, isKnown: false, failure: undefined });
    this.reload();
  }

  #change(rows: DayRows): void {
    if (rows !== this.#state) this.#set({ ...this.#state, ...rows });
  }

  #set(state: DayEventsState): void {
    this.#state = state;
    for (const run of [...this.#watchers]) run();
  }
}

interface LoadedDay {
  readonly events: readonly EventRow[];
  readonly isCut: boolean;
}

/** The newest events of the day, page after page. */
async function loadDay(
  { fromMs, toMs }: DayWindow,
  loadPage: DayEventsDeps['loadPage'],
  signal: AbortSignal,
): Promise<ApiResult<LoadedDay>> {
  const events: EventRow[] = [];
  let place: ListPlace = { offset: 0 };
  for (;;) {
    const query = {
      place,
      limit: EVENT_LIST_ROWS,
      sort: 'time',
      descending: true,
      filters: { from: fromMs, to: toMs },
    };
    const page = await loadPage(query, signal);
    if (!page.ok) return page;
    const { rows, next } = page.value;
    events.push(...rows);
    if (next === null || rows.length === 0) return { ok: true, value: { events, isCut: false } };
    if (events.length >= TODAY_EVENTS_MAX) return { ok: true, value: { events, isCut: true } };
    place = { after: next };
  }
}
