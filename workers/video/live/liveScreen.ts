// Shows one live stream: each picture as soon as the network allows an even pace, and only the newest one of a burst. Owns
// the units waiting for the decoder and the decoded pictures waiting to be shown.

import { type MediaUs, mediaUs } from '../../../shared/protocol/time.ts';
import { PictureOrder } from '../decode/pictureOrder.ts';
import type { FrameTimes } from '../decode/streamDecoder.ts';
import type { VideoUnit } from '../messages.ts';
import { DueQueue } from '../paint/dueQueue.ts';
import { FrameSlot, type HeldFrame } from '../paint/frameSlot.ts';
import { paintIntervalMs, TurnLog } from '../paint/turnLog.ts';
import { BurstGate } from './burstGate.ts';
import { PlayoutClock } from './playoutClock.ts';

export interface LiveScreenDeps {
  readonly now: () => number;
  /** Runs something later; returns its own cancel. */
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** Whether the gateway may send several pictures at once of which only the newest is of use. */
  readonly hasBursts: boolean;
  /**
   * Whether a key frame's parameter sets allow pictures to be shown in another order than decoded; undefined if they don't
   * say.
   */
  readonly mayReorder: (unit: VideoUnit, bytes: Uint8Array) => boolean | undefined;
  /** Gives a unit to the decoder; false when no picture will come of it. */
  readonly decode: (unit: VideoUnit, bytes: Uint8Array) => boolean;
  /** Shows a picture; false when it could not be painted. Takes it over. */
  readonly show: (frame: VideoFrame, times: FrameTimes) => boolean;
  /** A picture came late and a newer one stood ready. */
  readonly onLeftOut: (times: FrameTimes) => void;
}

/** A unit on the timeline that continues across jumps of the device's clock, like all that is held here; see PlacedUnit. */
interface QueuedUnit {
  readonly unit: VideoUnit;
  readonly bytes: Uint8Array;
  readonly arrivedMs: number;
  readonly dueMs: number;
  readonly turnUs: MediaUs;
  readonly sureUs: MediaUs;
  readonly isNew: boolean;
}

interface OrderedPicture extends HeldFrame {
  readonly dueMs: number;
}

/** A decoder has only some ten pictures to lend out. */
const MOST_ORDERED = 4;

export class LiveScreen {
  readonly #deps: LiveScreenDeps;
  readonly #order = new PictureOrder();
  readonly #clock = new PlayoutClock();
  readonly #gate = new BurstGate();
  readonly #queue: DueQueue<QueuedUnit>;
  readonly #turns = new TurnLog();
  /** The newest picture of a burst so far. */
  readonly #slot = new FrameSlot();
  #cancelSettle: (() => void) | undefined;
  /** Pictures decoded before they are due: decoders output those of one group of references together. */
  readonly #ordered: DueQueue<OrderedPicture>;
  /** The newest of the late pictures, waiting for the next painting. */
  readonly #late = new FrameSlot();
  #cancelLate: (() => void) | undefined;
  #paintedMs = Number.NEGATIVE_INFINITY;

  constructor(deps: LiveScreenDeps) {
    this.#deps = deps;
    this.#queue = new DueQueue({ ...deps, onDue: (queued) => this.#decode(queued) });
    this.#ordered = new DueQueue({ ...deps, most: MOST_ORDERED, onDue: (picture) => this.#paint(picture) });
  }

  /** How long pictures are delayed to even out network jitter. */
  get delayMs(): number {
    return this.#clock.delayMs;
  }

  /**
   * With reordered pictures: when media time 0 is shown, by `now`, in milliseconds. A device sends sound at once and
   * pictures several places later, so sound has to wait for more than network jitter.
   */
  get showingOffsetMs(): number | undefined {
    if (this.#order.depth === 0) return undefined;
    const offsetMs = this.#clock.showingMs(mediaUs(this.#order.shiftUs));
    return Number.isFinite(offsetMs) ? offsetMs : undefined;
  }

  push(unit: VideoUnit, bytes: Uint8Array, arrivedMs: number): void {
    const said = unit.key ? this.#deps.mayReorder(unit, bytes) : undefined;
    if (said !== undefined) this.#order.announce(said);
    const { key, discontinuity: jumps, mediaTimeUs } = unit;
    const { timeUs, ...place } = this.#order.place({ mediaTimeUs, key, jumps });
    if (place.isNew) this.#clock.restart();
    const dueMs = this.#clock.arrived(place.turnUs, arrivedMs);
    this.#queue.push({ unit: { ...unit, mediaTimeUs: timeUs }, bytes, arrivedMs, dueMs, ...place });
  }

  /** A picture has come out of the decoder. Takes it over. */
  decoded(frame: VideoFrame, times: FrameTimes): void {
    const nowMs = this.#deps.now();
    const verdict = this.#deps.hasBursts ? this.#gate.judge(times.mediaTimeUs, nowMs) : 'show';
    switch (verdict) {
      case 'hold':
        this.#slot.put({ frame, times });
        return;
      case 'skip':
        frame.close();
        return;
      case 'show':
        this.#putInOrder({ frame, times });
        return;
    }
  }

  /** A new connection: what is held is of the old one. */
  restart(): void {
    this.#queue.clear();
    this.#order.restart();
    this.#clock.restart();
    this.#turns.clear();
    for (const { frame } of this.#ordered.clear()) frame.close();
    this.#restartGate();
  }

  /** Safe to call twice. */
  close(): void {
    this.restart();
    this.#cancelLate?.();
    this.#cancelLate = undefined;
  }

  #decode({ unit, bytes, arrivedMs, dueMs, turnUs, sureUs, isNew }: QueuedUnit): void {
    if (unit.key && unit.discontinuity) this.#restartGate();
    else if (isNew) this.#takeBearings();
    this.#turns.note(turnUs, dueMs);
    if (this.#deps.decode(unit, bytes)) this.#noteArrival(sureUs, arrivedMs);
  }

  /** The clock was set, or the reorder depth was underestimated, so the due times noted so far were wrong. */
  #takeBearings(): void {
    this.#gate.rebase();
    this.#turns.clear();
  }

  #restartGate(): void {
    this.#late.close();
    this.#cancelSettle?.();
    this.#slot.close();
    this.#gate.start();
  }

  /** Bursts are detected by arrival, not by when units are due. */
  #noteArrival(sureUs: MediaUs, arrivedMs: number): void {
    const settleAtMs = this.#gate.arrived(sureUs, arrivedMs);
    if (settleAtMs === undefined) return;
    this.#cancelSettle?.();
    // Counted from now and not from the arrival, because on a busy machine the rest of the burst has arrived and is still
    // queued.
    this.#cancelSettle = this.#deps.runAfter(Math.max(0, settleAtMs - arrivedMs), () => this.#settle());
  }

  #settle(): void {
    this.#gate.settle();
    const held = this.#slot.take();
    if (held !== undefined) this.decoded(held.frame, held.times);
  }

  /** Takes ownership of the picture. Without reordering, a picture is due when its unit is. */
  #putInOrder(picture: HeldFrame): void {
    const isReordered = this.#order.depth > 0 || !this.#ordered.isEmpty;
    if (!isReordered) this.#paint(picture);
    else this.#ordered.push({ ...picture, dueMs: this.#clock.showingMs(picture.times.mediaTimeUs) });
  }

  /** Takes the picture over. */
  #paint(picture: HeldFrame): void {
    const nowMs = this.#deps.now();
    const dueMs = this.#paintedMs + paintIntervalMs(this.#turns.lateness(picture.times.mediaTimeUs, nowMs));
    if (dueMs > nowMs) {
      this.#showLate(picture, dueMs - nowMs);
      return;
    }
    this.#leaveLateOut();
    this.#show(picture);
  }

  /** Takes ownership of the picture. A newer one that comes out before it is painted replaces it. */
  #showLate(picture: HeldFrame, waitMs: number): void {
    this.#leaveLateOut();
    this.#late.put(picture);
    this.#cancelLate ??= this.#deps.runAfter(waitMs, () => {
      this.#cancelLate = undefined;
      const held = this.#late.take();
      if (held !== undefined) this.#show(held);
    });
  }

  #leaveLateOut(): void {
    const { held } = this.#late;
    if (held !== undefined) this.#deps.onLeftOut(this.#ownTimes(held.times));
    this.#late.close();
  }

  /** Takes the frame over. */
  #show({ frame, times }: HeldFrame): void {
    if (this.#deps.show(frame, this.#ownTimes(times))) this.#paintedMs = this.#deps.now();
  }

  #ownTimes({ mediaTimeUs, ...times }: FrameTimes): FrameTimes {
    return { ...times, mediaTimeUs: this.#order.mediaTimeOf(mediaTimeUs) };
  }
}
