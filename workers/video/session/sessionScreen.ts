// Shows one stream of a playback session: each picture at its moment on the session's clock. Owns the units that wait for the
// decoder and the pictures that have come out of it and wait for their moment.
import type { QuietEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { type MediaUs, mediaUs } from '../../../shared/protocol/time.ts';
import type { FrameTimes } from '../decode/streamDecoder.ts';
import type { VideoUnit } from '../messages.ts';
import type { ClockSample, PlaybackClock } from './playbackClock.ts';
import { SessionFrames } from './sessionFrames.ts';
import { SessionUnits } from './sessionUnits.ts';

export interface SessionScreenDeps {
  readonly clock: PlaybackClock;
  readonly now: () => number;
  /** Runs something later; returns its own cancel. */
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** Gives a unit to the decoder; false when no picture will come of it. */
  readonly decode: (unit: VideoUnit, bytes: Uint8Array) => boolean;
  /** Makes the decoder give all that it has. What follows costs it the whole group again. */
  readonly drain: () => void;
  /** Makes the decoder forget all that it has. */
  readonly abandon: () => void;
  /** Units in the decoder that have not come out of it. */
  readonly backlog: () => number;
  /** Shows a picture. Takes it over. */
  readonly show: (frame: VideoFrame, times: FrameTimes) => void;
  /** All that was sent before this has been shown. */
  readonly onQuiet: (event: QuietEvent) => void;
  /** The session came to a stand before the picture that is shown, which is of this moment, in whole milliseconds. */
  readonly onAhead: (positionMs: number) => void;
}

/** Units go to the decoder so much before their moment, and so many pictures before: B pictures come out two later. */
const LEAST_AHEAD_MS = 60;
const AHEAD_PICTURES = 3;
/** What the gateway sends ahead. */
const MOST_AHEAD_MS = 400;
/** A decoder has only some ten pictures to lend out. */
const MOST_FRAMES = 5;
/** Some decoders hold up to sixteen units back before the first picture. */
const MOST_IN_DECODER = 24;
/** After a jump the picture asked for is known to be the last of the burst when nothing has come for so long. */
const SETTLE_MS = 40;
/** A decoder that has given nothing for so long waits for more before it gives what it has. */
const STUCK_MS = 100;
/** A machine that needs longer for the burst shows what it has. */
const MOST_CATCH_UP_MS = 1_000;
/** A picture more or less is no reason to leave one out. */
const BEHIND_MS = 40;
/** A machine that is too slow shows what it has, now and then. */
const MOST_UNSEEN_MS = 120;
/** Faster than 1x there may be more pictures than a screen shows. */
const LEAST_INTERVAL_MS = 14;
/** Looks at the clock again at the latest after this. */
const IDLE_MS = 1_000;

export class SessionScreen {
  readonly #deps: SessionScreenDeps;
  readonly #units = new SessionUnits();
  readonly #frames = new SessionFrames();
  readonly #stopListening: () => void;
  /** Since when pictures of a new position are awaited; undefined once one has been shown. */
  #jumpedAtMs: number | undefined;
  #lastArrivalMs = 0;
  #nextShowMs = 0;
  #lastShownMs = 0;
  #shownUs: MediaUs = mediaUs(Number.NEGATIVE_INFINITY);
  /** By what was told last. */
  #isStill = false;
  #lastGivenMs = 0;
  #isDrained = false;
  #cancelTimer: (() => void) | undefined;
  #isRunning = false;

  constructor(deps: SessionScreenDeps) {
    this.#deps = deps;
    this.#stopListening = deps.clock.onChange(() => this.#run());
  }

  /** Word of the session's clock, in its place among the units. */
  clock(sample: ClockSample): void {
    const stops = sample.paused && !this.#isStill;
    this.#isStill = sample.paused;
    this.#deps.clock.noted(this, sample, this.#deps.now());
    // A machine that was held up showed it before it heard of the stand. A jump brings the picture that it asked for.
    const isAhead = stops && this.#jumpedAtMs === undefined && this.#shownUs > sample.positionMs * 1_000;
    if (isAhead) this.#deps.onAhead(Math.ceil(this.#shownUs / 1_000));
  }

  push(unit: VideoUnit, bytes: Uint8Array): void {
    const nowMs = this.#deps.now();
    if (unit.key && unit.discontinuity) this.#jump(nowMs);
    this.#lastArrivalMs = nowMs;
    this.#units.push({ kind: 'unit', unit, bytes });
  }

  /** Nothing comes after what has been pushed, for now. */
  quiet(event: QuietEvent): void {
    this.#units.push({ kind: 'quiet', event });
    this.#run();
  }

  /** Acts on what was pushed. */
  flush(): void {
    this.#run();
  }

  /** A picture has come out of the decoder. Takes it over. */
  decoded(frame: VideoFrame, times: FrameTimes): void {
    if (!this.#frames.put(frame, times)) return;
    this.#run();
  }

  /** A new connection: what is held is of the old one. */
  restart(): void {
    // What it tells cannot be from before a pause.
    this.#deps.clock.release();
    this.#jump(this.#deps.now());
  }

  /** Safe to call twice. */
  close(): void {
    this.#stopListening();
    this.#deps.clock.leave(this);
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#units.clear();
    this.#frames.clear();
  }

  #jump(nowMs: number): void {
    this.#units.clear();
    this.#frames.clear();
    this.#deps.abandon();
    this.#jumpedAtMs = nowMs;
    this.#deps.clock.restarted(this);
  }

  /** Not from within itself: a decoder may answer at once. */
  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      this.#showDue();
      this.#decodeDue();
      this.#drainStuck();
      this.#passQuiet();
      this.#arm();
    } finally {
      this.#isRunning = false;
    }
  }

  get #hasRoom(): boolean {
    return this.#frames.count < MOST_FRAMES && this.#deps.backlog() < MOST_IN_DECODER;
  }

  #dueMs(mediaTimeUs: MediaUs): number {
    return this.#deps.clock.dueMs(this, mediaTimeUs);
  }

  #showDue(): void {
    const nowMs = this.#deps.now();
    const due = this.#frames.newest((mediaTimeUs) => this.#dueMs(mediaTimeUs) <= nowMs);
    if (due === undefined) return;
    this.#frames.dropBefore(due);
    if (nowMs < this.#nextShowMs || !this.#mayShow(due.times.mediaTimeUs, nowMs)) return;
    const { frame, times } = this.#frames.take(due);
    this.#deps.show(frame, times);
    this.#shownUs = times.mediaTimeUs;
    this.#jumpedAtMs = undefined;
    this.#lastShownMs = nowMs;
    this.#nextShowMs = this.#deps.clock.speed(this) > 1 ? nowMs + LEAST_INTERVAL_MS : nowMs;
  }

  /**
   * A tile that is behind the others catches up unseen, and after a jump what lies before the picture asked for is decoded
   * only because it is needed.
   */
  #mayShow(mediaTimeUs: MediaUs, nowMs: number): boolean {
    if (this.#jumpedAtMs === undefined) {
      return nowMs - this.#lastShownMs > MOST_UNSEEN_MS || !this.#hasDueAfter(mediaTimeUs, nowMs - BEHIND_MS);
    }
    if (nowMs - this.#jumpedAtMs > MOST_CATCH_UP_MS) return true;
    if (this.#hasDueAfter(mediaTimeUs, nowMs)) return false;
    const isLast = this.#units.newestUs > mediaTimeUs;
    const nextDueMs = this.#dueMs(mediaUs(mediaTimeUs + this.#units.intervalUs));
    return isLast || nextDueMs > nowMs || this.#isSettled(nowMs);
  }

  /** Whether a later picture, still in the decoder or before it, was due by then. */
  #hasDueAfter(mediaTimeUs: MediaUs, byMs: number): boolean {
    const isDue = (other: MediaUs) => this.#dueMs(other) <= byMs;
    return this.#frames.isAwaitedAfter(mediaTimeUs, isDue) || this.#units.hasDueAfter(mediaTimeUs, isDue);
  }

  #isSettled(nowMs: number): boolean {
    return nowMs - this.#lastArrivalMs >= SETTLE_MS;
  }

  #decodeDue(): void {
    const nowMs = this.#deps.now();
    this.#units.dropBefore((mediaTimeUs) => this.#dueMs(mediaTimeUs) <= nowMs);
    while (this.#hasRoom) {
      const first = this.#units.takeUnit((mediaTimeUs) => this.#dueMs(mediaTimeUs) - nowMs <= this.#aheadMs);
      if (first === undefined) return;
      this.#frames.await(first.unit.mediaTimeUs);
      this.#lastGivenMs = nowMs;
      this.#isDrained = false;
      if (!this.#deps.decode(first.unit, first.bytes)) this.#frames.forget(first.unit.mediaTimeUs);
    }
  }

  get #aheadMs(): number {
    const speed = this.#deps.clock.speed(this);
    const picturesMs = speed === 0 ? 0 : (AHEAD_PICTURES * this.#units.intervalUs) / 1_000 / speed;
    return Math.min(Math.max(LEAST_AHEAD_MS, picturesMs), MOST_AHEAD_MS);
  }

  /** When to take from the decoder what it would give only with the next unit, which may not come. */
  get #drainAtMs(): number | undefined {
    if (!this.#isComplete || this.#isDrained) return undefined;
    const isDue = (mediaTimeUs: MediaUs) => this.#dueMs(mediaTimeUs) <= this.#deps.now();
    return this.#frames.isAwaitedAfter(mediaUs(Number.NEGATIVE_INFINITY), isDue)
      ? this.#lastGivenMs + STUCK_MS
      : undefined;
  }

  /** Nothing more goes into the decoder for now. */
  get #isComplete(): boolean {
    return this.#deps.clock.speed(this) === 0 || this.#units.isEmpty || this.#units.isQuietNext;
  }

  #drainStuck(): void {
    const atMs = this.#drainAtMs;
    if (atMs === undefined || atMs > this.#deps.now()) return;
    this.#isDrained = true;
    this.#deps.drain();
  }

  #passQuiet(): void {
    // A busy machine may have them in its decoder for long: shown behind word of a silence, they would end it.
    const isDecoding = this.#frames.isAwaiting && this.#deps.backlog() > 0;
    if (this.#frames.count > 0 || isDecoding) return;
    const event = this.#units.takeQuiet();
    if (event !== undefined) this.#deps.onQuiet(event);
  }

  #arm(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const nowMs = this.#deps.now();
    const waitMs = Math.min(...this.#moments(nowMs)) - nowMs;
    if (waitMs === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = this.#deps.runAfter(Math.min(Math.max(waitMs, 1), IDLE_MS), () => this.#run());
  }

  /** When there will be something to do, as far as it is known. */
  #moments(nowMs: number): number[] {
    const moments = this.#frames.times.map((mediaTimeUs) => this.#dueMs(mediaTimeUs)).filter((dueMs) => dueMs > nowMs);
    const next = this.#units.nextUs;
    if (next !== undefined && this.#hasRoom) moments.push(this.#dueMs(next) - this.#aheadMs);
    if (this.#frames.count > 0 && this.#nextShowMs > nowMs) moments.push(this.#nextShowMs);
    const drainAtMs = this.#drainAtMs;
    if (drainAtMs !== undefined) moments.push(drainAtMs);
    // A picture that is held back until the burst is known to be in.
    const isWaiting = this.#jumpedAtMs !== undefined && this.#frames.count > 0;
    if (isWaiting || this.#units.isQuietNext) moments.push(Math.max(this.#lastArrivalMs + SETTLE_MS, nowMs + 5));
    return moments;
  }
}
