// Encoded units of a playback session that wait for the decoder, in decoding order, and what the gateway said between them.
import { continues } from '../../../shared/protocol/codec/video/keptGroups.ts';
import type { QuietEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { type MediaUs, mediaUs } from '../../../shared/protocol/time.ts';
import type { VideoUnit } from '../messages.ts';

export type SessionItem =
  | { readonly kind: 'unit'; readonly unit: VideoUnit; readonly bytes: Uint8Array }
  | { readonly kind: 'quiet'; readonly event: QuietEvent };

type UnitItem = SessionItem & { readonly kind: 'unit' };

/** The picture that others refer to comes before them and is shown up to this many pictures later. */
const REORDER_WINDOW = 4;
/** Interval that is assumed until two units have shown another one. */
const USUAL_INTERVAL_US = 40_000;

export class SessionUnits {
  #items: SessionItem[] = [];
  #newestUs = Number.NEGATIVE_INFINITY;
  #intervalUs = USUAL_INTERVAL_US;

  push(item: SessionItem): void {
    this.#items.push(item);
    if (item.kind !== 'unit') return;
    const { mediaTimeUs } = item.unit;
    if (mediaTimeUs > this.#newestUs && this.#newestUs > 0) this.#intervalUs = mediaTimeUs - this.#newestUs;
    this.#newestUs = Math.max(this.#newestUs, mediaTimeUs);
  }

  clear(): void {
    this.#items = [];
    this.#newestUs = Number.NEGATIVE_INFINITY;
  }

  /** The latest picture that was pushed since the last `clear`, taken out or not. */
  get newestUs(): number {
    return this.#newestUs;
  }

  /** From one picture to the next, by the last two. */
  get intervalUs(): number {
    return this.#intervalUs;
  }

  /** The picture that needs the first unit soonest; undefined when none waits before the next quiet. */
  get nextUs(): MediaUs | undefined {
    const times: number[] = [];
    for (const item of this.#items.slice(0, REORDER_WINDOW)) {
      if (item.kind === 'quiet') break;
      times.push(item.unit.mediaTimeUs);
    }
    return times.length === 0 ? undefined : mediaUs(Math.min(...times));
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  get isQuietNext(): boolean {
    return this.#items[0]?.kind === 'quiet';
  }

  hasDueAfter(mediaTimeUs: MediaUs, isDue: (mediaTimeUs: MediaUs) => boolean): boolean {
    return this.#items.some(
      (item) => item.kind === 'unit' && item.unit.mediaTimeUs > mediaTimeUs && isDue(item.unit.mediaTimeUs),
    );
  }

  /**
   * Whoever is behind goes on at the newest key frame that is due: nothing before it will be seen. Pictures that are seen need what is
   * before one from which gradual refresh begins. Gives what was dropped.
   */
  dropBefore(isDue: (mediaTimeUs: MediaUs) => boolean): MediaUs[] {
    const at = this.#items.findLastIndex(
      (item) => item.kind === 'unit' && item.unit.key && !continues(item.unit) && isDue(item.unit.mediaTimeUs),
    );
    const dropped = at > 0 ? this.#items.splice(0, at) : [];
    const [first] = this.#items;
    if (dropped.length > 0 && first?.kind === 'unit') {
      this.#items[0] = { ...first, unit: { ...first.unit, discontinuity: true } };
    }
    return dropped.flatMap((item) => (item.kind === 'unit' ? [item.unit.mediaTimeUs] : []));
  }

  /** The first unit, when a picture that needs it is ready to be decoded. */
  takeUnit(isReady: (mediaTimeUs: MediaUs) => boolean): UnitItem | undefined {
    const next = this.nextUs;
    if (next === undefined || !isReady(next)) return undefined;
    return this.#items.shift() as UnitItem;
  }

  takeQuiet(): QuietEvent | undefined {
    const [first] = this.#items;
    if (first?.kind !== 'quiet') return undefined;
    this.#items.shift();
    return first.event;
  }
}
