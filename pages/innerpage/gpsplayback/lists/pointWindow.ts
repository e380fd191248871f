// The reported positions around the clock, a page at a time. Plain TypeScript; the table reads it.
import type { ApiFailure, ApiResult } from '../../../../shared/api/client.ts';
import type { TrackPoint, TrackPoints } from '../../../../shared/protocol/api/tracks/track.ts';
import { placeAt } from '../clock/ranges.ts';

export type PointsPlace = { readonly at: number } | { readonly after: string } | { readonly before: string };
export type LoadPoints = (place: PointsPlace, signal: AbortSignal) => Promise<ApiResult<TrackPoints>>;

export interface ShownPoints {
  readonly rows: readonly TrackPoint[];
  /** Their moments, which rise. */
  readonly moments: readonly number[];
  /** There are more before, or behind. */
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
  readonly failure: ApiFailure | undefined;
  /** Rows that the last change put in front: the visible rows have moved down by this many. */
  readonly added: number;
  readonly isKnown: boolean;
}

/** Beyond, those furthest away are left out; scrolling there brings them back. */
export const MAX_POINT_ROWS = 3_000;

const NOTHING: ShownPoints = {
  rows: [],
  moments: [],
  hasBefore: false,
  hasAfter: false,
  failure: undefined,
  added: 0,
  isKnown: false,
};

export class PointWindow {
  readonly #load: LoadPoints;
  readonly #listeners = new Set<() => void>();
  #shown = NOTHING;
  #next: string | null = null;
  #previous: string | null = null;
  #loading: AbortController | undefined;
  /** The clock's position while a request is running. */
  #wantedMs: number | undefined;

  constructor(load: LoadPoints) {
    this.#load = load;
  }

  get shown(): ShownPoints {
    return this.#shown;
  }

  /** Calls after every change; gives its own cancel. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Sees to it that the row of a moment is known. One call at a time, however fast the clock runs. */
  follow(atMs: number): void {
    if (this.#loading !== undefined) {
      this.#wantedMs = atMs;
      return;
    }
    if (!this.#covers(atMs)) void this.#fetch({ at: Math.max(0, Math.floor(atMs)) });
  }

  /** The reader has scrolled to the end, or to the beginning. */
  more(direction: 'before' | 'after'): void {
    const cursor = direction === 'before' ? this.#previous : this.#next;
    if (this.#loading !== undefined || cursor === null) return;
    void this.#fetch(direction === 'before' ? { before: cursor } : { after: cursor });
  }

  /** Safe to call twice. */
  close(): void {
    this.#loading?.abort();
    this.#listeners.clear();
  }

  #covers(atMs: number): boolean {
    const { moments, isKnown, failure } = this.#shown;
    if (failure !== undefined) return true;
    if (!isKnown) return false;
    const isBefore = atMs < (moments[0] ?? Number.POSITIVE_INFINITY) && this.#previous !== null;
    const isAfter = atMs > (moments.at(-1) ?? Number.NEGATIVE_INFINITY) && this.#next !== null;
    return !isBefore && !isAfter;
  }

  async #fetch(place: PointsPlace): Promise<void> {
    const abort = new AbortController();
    this.#loading = abort;
    const result = await this.#load(place, abort.signal);
    if (abort.signal.aborted) return;
    this.#loading = undefined;
    if (result.ok) this.#take(place, result.value);
    else this.#shown = { ...this.#shown, failure: result, added: 0 };
    for (const listener of [...this.#listeners]) listener();
    const wantedMs = this.#wantedMs;
    this.#wantedMs = undefined;
    if (wantedMs !== undefined) this.follow(wantedMs);
  }

  #take(place: PointsPlace, { rows, next, previous }: TrackPoints): void {
    const known = this.#shown.rows;
    if ('after' in place) {
      this.#next = next;
      const kept = [...known, ...rows];
      // Without the cursor of what is left out there is no way back but by the clock.
      if (kept.length > MAX_POINT_ROWS) this.#previous = null;
      this.#show(kept.slice(-MAX_POINT_ROWS), Math.min(0, MAX_POINT_ROWS - kept.length));
    } else if ('before' in place) {
      this.#previous = previous;
      const kept = [...rows, ...known];
      if (kept.length > MAX_POINT_ROWS) this.#next = null;
      this.#show(kept.slice(0, MAX_POINT_ROWS), rows.length);
    } else {
      this.#next = next;
      this.#previous = previous;
      this.#show(rows, 0);
    }
  }

  #show(rows: readonly TrackPoint[], added: number): void {
    const moments = rows.map(({ atMs }) => atMs);
    const [hasBefore, hasAfter] = [this.#previous !== null, this.#next !== null];
    this.#shown = { rows, moments, hasBefore, hasAfter, failure: undefined, added, isKnown: true };
  }
}

/** The place of the row that holds at a moment; -1 before the first. */
export function rowAt({ moments }: ShownPoints, atMs: number): number {
  return placeAt(moments, atMs);
}
