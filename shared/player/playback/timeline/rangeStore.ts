// What is known of a device's recordings: the stretch around what the timeline shows. Plain TypeScript, for the timeline and the
// jumps from one recording to the next.
import type { ApiResult } from '../../../api/client.ts';
import { merged, nextStart, previousStart, type TimeRange } from './ranges.ts';
import { spanOf, type TimelineView } from './timelineView.ts';

export interface ChannelRanges {
  readonly channel: number;
  /** In order, apart. */
  readonly ranges: readonly TimeRange[];
  /** Ranges that were fetched later, from the device's card. In order. Absent for none. */
  readonly fetched?: readonly TimeRange[];
}

export type LoadRanges = (window: TimeRange, signal: AbortSignal) => Promise<ApiResult<readonly ChannelRanges[]>>;

export interface RangeStoreDeps {
  readonly load: LoadRanges;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const DAY_MS = 86_400_000;
/** While the present is in sight the recordings grow. */
const FRESH_MS = 20_000;
/** Recordings of the past grow when a device's card is fetched. */
const PAST_FRESH_MS = 60_000;
/** After a failure. */
const RETRY_MS = 10_000;
/** How far a jump looks for the next recording. */
const FAR_MS = 31 * DAY_MS;

export class RangeStore {
  readonly #deps: RangeStoreDeps;
  readonly #listeners = new Set<() => void>();
  #channels: readonly ChannelRanges[] = [];
  #loaded: (TimeRange & { readonly atMs: number }) | undefined;
  #failed: (TimeRange & { readonly atMs: number }) | undefined;
  #loading: { readonly window: TimeRange; readonly abort: AbortController } | undefined;
  #isClosed = false;

  constructor(deps: RangeStoreDeps) {
    this.#deps = deps;
  }

  get channels(): readonly ChannelRanges[] {
    return this.#channels;
  }

  /** Calls after every change; gives its own cancel. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Makes sure that what the view shows is known. To be called repeatedly. */
  show(view: TimelineView): void {
    if (covers(this.#loading?.window, view)) return;
    if (covers(this.#loaded, view) && !this.#isStale(view)) return;
    if (covers(this.#failed, view) && this.#ageOf(this.#failed) < RETRY_MS) return;
    const margin = Math.max(spanOf(view), DAY_MS);
    void this.#fetch({ fromMs: view.fromMs - margin, toMs: view.toMs + margin });
  }

  /** Where the next recording begins; undefined when none is known and none is found within a month. */
  async next(positionMs: number): Promise<number | undefined> {
    const known = this.#loaded !== undefined && nextStart(this.#all(), positionMs);
    if (known) return known;
    const far = await this.#look({ fromMs: positionMs, toMs: positionMs + FAR_MS });
    return nextStart(far, positionMs);
  }

  async previous(positionMs: number): Promise<number | undefined> {
    const known = previousStart(this.#all(), positionMs);
    // The first known recording may have begun before what was loaded.
    if (known !== undefined && this.#loaded !== undefined && known > this.#loaded.fromMs) return known;
    const far = await this.#look({ fromMs: positionMs - FAR_MS, toMs: positionMs });
    return previousStart(far, positionMs);
  }

  /** Whether anything is recorded of one of the channels in a stretch of time; true when that cannot be asked now. */
  async hasAny(channels: readonly number[], window: TimeRange): Promise<boolean> {
    const result = await this.#deps.load(window, new AbortController().signal);
    if (!result.ok) return true;
    return result.value.some(({ channel, ranges }) => channels.includes(channel) && ranges.length > 0);
  }

  /** Safe to call twice. */
  close(): void {
    this.#isClosed = true;
    this.#loading?.abort.abort();
    this.#listeners.clear();
  }

  #all(): TimeRange[] {
    return merged(this.#channels.flatMap(({ ranges }) => ranges));
  }

  #isStale({ toMs }: TimelineView): boolean {
    const { toMs: loadedTo = 0, atMs = 0 } = this.#loaded ?? {};
    const isPresent = atMs < Math.min(toMs, loadedTo);
    return this.#ageOf(this.#loaded) > (isPresent ? FRESH_MS : PAST_FRESH_MS);
  }

  #ageOf(call: { readonly atMs: number } | undefined): number {
    return this.#deps.now() - (call?.atMs ?? 0);
  }

  async #fetch(window: TimeRange): Promise<void> {
    this.#loading?.abort.abort();
    const loading = { window, abort: new AbortController() };
    this.#loading = loading;
    const atMs = this.#deps.now();
    const result = await this.#deps.load(window, loading.abort.signal);
    if (this.#loading !== loading || this.#isClosed) return;
    this.#loading = undefined;
    // What was known before stays known: a timeline without recordings still seeks.
    this.#failed = result.ok ? undefined : { ...window, atMs };
    if (!result.ok) return;
    this.#loaded = { ...window, atMs };
    // Ranges are played, jumped to and exported as one whatever their origin. The origin is kept apart, because joining would lose it.
    this.#channels = result.value.map((known) => ({ ...known, ranges: merged(known.ranges) }));
    for (const listener of this.#listeners) listener();
  }

  async #look(window: TimeRange): Promise<TimeRange[]> {
    const result = await this.#deps.load(window, new AbortController().signal);
    return result.ok ? merged(result.value.flatMap(({ ranges }) => ranges)) : [];
  }
}

function covers(window: TimeRange | undefined, { fromMs, toMs }: TimelineView): boolean {
  return window !== undefined && window.fromMs <= fromMs && window.toMs >= toMs;
}
