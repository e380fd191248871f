// Every reported point around the clock, an hour at a time: the line that is drawn leaves out those that don't change its shape,
// and with them where the vehicle was at a moment. Plain TypeScript.
import type { ApiResult } from '../../../../shared/api/client.ts';
import type { TrackLine } from '../../../../shared/protocol/api/tracks/track.ts';
import { NO_PATH, type TrackPath, trackPath } from '../../../../shared/ui/map/tracks/trackPath.ts';
import type { TimeRange } from '../clock/ranges.ts';

export type LoadNear = (range: TimeRange, signal: AbortSignal) => Promise<ApiResult<TrackLine>>;

const PART_MS = 60 * 60_000;
/** Both ends overlap a little, so that the way from one part into the next is known. */
const MARGIN_MS = 6 * 60_000;
/** Maximum parts in memory, all of this device: the one that is played, the ones around it, and where the user was before. */
const MAX_PARTS = 6;
const PART_SHARE_AHEAD = 0.5;

interface Part {
  /** Undefined while it is loading. */
  path: TrackPath | undefined;
  readonly abort: AbortController;
}

export class NearLine {
  readonly #load: LoadNear;
  readonly #onLoaded: () => void;
  /** By number, the latest used last. */
  readonly #parts = new Map<number, Part>();

  constructor(load: LoadNear, onLoaded: () => void) {
    this.#load = load;
    this.#onLoaded = onLoaded;
  }

  /** The points around a moment; undefined until they are loaded. */
  around(atMs: number): TrackPath | undefined {
    const number = Math.floor(atMs / PART_MS);
    const path = this.#use(number);
    if (atMs / PART_MS - number > PART_SHARE_AHEAD) this.#use(number + 1);
    return path;
  }

  /** Safe to call twice. */
  close(): void {
    for (const { abort } of this.#parts.values()) abort.abort();
    this.#parts.clear();
  }

  #use(number: number): TrackPath | undefined {
    const part = this.#parts.get(number) ?? this.#begin(number);
    this.#parts.delete(number);
    this.#parts.set(number, part);
    return part.path;
  }

  #begin(number: number): Part {
    const part: Part = { path: undefined, abort: new AbortController() };
    const [oldest] = this.#parts.keys();
    if (this.#parts.size >= MAX_PARTS && oldest !== undefined) {
      this.#parts.get(oldest)?.abort.abort();
      this.#parts.delete(oldest);
    }
    void this.#fetch(number, part);
    return part;
  }

  async #fetch(number: number, part: Part): Promise<void> {
    const range = { fromMs: Math.max(0, number * PART_MS - MARGIN_MS), toMs: (number + 1) * PART_MS + MARGIN_MS };
    const result = await this.#load(range, part.abort.signal);
    if (part.abort.signal.aborted) return;
    // A part that can't be loaded is not requested again and again: the drawn line replaces it.
    part.path = result.ok ? trackPath(result.value) : NO_PATH;
    this.#onLoaded();
  }
}
