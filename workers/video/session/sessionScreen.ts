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
  /** Makes the decoder output all that it has, and calls when it has. The units after that need their whole group decoded again. */
  readonly drain: (onEnd: () => void) => void;
  /** Makes the decoder forget all that it has. */
  readonly abandon: () => void;
  /** Units in the decoder that have not come out of it. */
  readonly backlog: () => number;
  /** How long the decoder has had units and output nothing. */
  readonly silentMs: () => number;
  /** Shows a picture. Takes it over. */
  readonly show: (frame: VideoFrame, times: FrameTimes) => void;
  /** Everything sent before this event has been shown. */
  readonly onQuiet: (event: QuietEvent) => void;
  /**
   * The session was paused at a position that the pictures at hand don't lead to: before the picture that is already shown, or behind
   * pictures that are lost. Whole milliseconds of the picture that is shown, or of the position.
   */
  readonly onAhead: (positionMs: number) => void;
}

/** How far ahead of its time a unit is decoded, in time and in pictures: B pictures come out up to two units later. */
const LEAST_AHEAD_MS = 60;
const AHEAD_PICTURES = 3;
/** How far ahead the gateway sends. */
const MOST_AHEAD_MS = 400;
/** A decoder lends out only about ten pictures. */
const MOST_FRAMES = 5;
/** Some decoders hold back up to sixteen units before the first picture. */
const MOST_IN_DECODER = 24;
/** After a seek, when nothing has come for this long, the newest picture received is the requested one. */
const SETTLE_MS = 40;
/** A decoder silent for this long waits for more input before it outputs what it has. */
const STUCK_MS = 100;
/** A decoder silent for longer hangs, and is replaced when it is given the next unit. */
const HANGS_MS = 1_000;
/** If decoding the burst takes longer, intermediate pictures are shown. */
const MOST_CATCH_UP_MS = 1_000;
/** Lateness of about one picture isn't a reason to skip one. */
const BEHIND_MS = 40;
/** A machine that is too slow still shows a picture this often. */
const MOST_UNSEEN_MS = 120;
/** Above normal speed there may be more pictures than the display can show. */
const LEAST_INTERVAL_MS = 14;
/** Longest interval between two looks at the clock. */
const IDLE_MS = 1_000;
const NOTHING_SHOWN = mediaUs(Number.NEGATIVE_INFINITY);

export class SessionScreen {
  readonly #deps: SessionScreenDeps;
  readonly #units = new SessionUnits();
  readonly #frames = new SessionFrames();
  readonly #stopListening: () => void;
  /** When the last seek began; undefined once a picture of the new position has been shown. */
  #jumpedAtMs: number | undefined;
  #lastArrivalMs = 0;
  #nextShowMs = 0;
  #lastShownMs = 0;
  #shownUs: MediaUs = NOTHING_SHOWN;
  /** Whether the session was paused at its last report. */
  #isStill = false;
  /** Since the session came to a stand, nothing was asked for. */
  #mayLack = false;
  #lastGivenMs = 0;
  #isDrained = false;
  /** The drain under way; another one, or none, once what it drains was abandoned. */
  #drain: symbol | undefined;
  #cancelTimer: (() => void) | undefined;
  #cancelSoon: (() => void) | undefined;
  #isRunning = false;

  constructor(deps: SessionScreenDeps) {
    this.#deps = deps;
    this.#stopListening = deps.clock.onChange(() => this.flush());
  }

  /** Takes a report of the session's clock, in its place among the units. */
  clock(sample: ClockSample): void {
    const stops = sample.paused && !this.#isStill;
    this.#isStill = sample.paused;
    this.#deps.clock.noted(this, sample, this.#deps.now());
    // A delayed page may have shown this picture before the pause reached it. After a seek, the requested picture is on its
    // way instead.
    this.#mayLack = sample.paused && (stops || this.#mayLack);
    const isAhead = stops && this.#jumpedAtMs === undefined && this.#shownUs > sample.positionMs * 1_000;
    if (isAhead) this.#askFor(Math.ceil(this.#shownUs / 1_000));
  }

  #askFor(positionMs: number): void {
    this.#mayLack = false;
    this.#deps.onAhead(positionMs);
  }

  push(unit: VideoUnit, bytes: Uint8Array): void {
    const nowMs = this.#deps.now();
    if (unit.key && unit.discontinuity) this.#jump(nowMs);
    if (unit.discontinuity) this.#shownUs = NOTHING_SHOWN;
    this.#lastArrivalMs = nowMs;
    this.#units.push({ kind: 'unit', unit, bytes });
  }

  /** Nothing follows for now. */
  quiet(event: QuietEvent): void {
    this.#units.push({ kind: 'quiet', event });
    this.flush();
  }

  /**
   * Acts on what was pushed, once the messages that wait already have been handled. On a machine that is too slow many of them
   * wait, and what is due in them is reason to skip pictures: to paint between them would leave the stream ever further behind.
   */
  flush(): void {
    this.#cancelSoon ??= this.#deps.runAfter(0, () => this.#run());
  }

  /** A picture has come out of the decoder. Takes it over. */
  decoded(frame: VideoFrame, times: FrameTimes): void {
    const isOfUse = this.#frames.put(frame, times, this.#shownUs);
    if (isOfUse) this.#run();
    else this.flush();
  }

  /** A new connection: what is held is of the old one. */
  restart(): void {
    // A new connection's clock events can't be from before a pause.
    this.#deps.clock.release();
    this.#jump(this.#deps.now());
  }

  /** Safe to call twice. */
  close(): void {
    this.#stopListening();
    this.#deps.clock.leave(this);
    this.#cancelTimers();
    this.#units.clear();
    this.#frames.clear();
  }

  #cancelTimers(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#cancelSoon?.();
    this.#cancelSoon = undefined;
  }

  #jump(nowMs: number): void {
    this.#units.clear();
    this.#frames.clear();
    this.#deps.abandon();
    this.#drain = undefined;
    this.#jumpedAtMs = nowMs;
    this.#deps.clock.restarted(this);
  }

  /** Not reentrant: a decoder may call back synchronously. */
  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#cancelTimers();
    try {
      this.#showDue();
      this.#decodeDue();
      this.#drainStuck();
      this.#passQuiet();
      this.#askForLost();
      this.#arm();
    } finally {
      this.#isRunning = false;
    }
  }

  get #hasRoom(): boolean {
    return this.#frames.count < MOST_FRAMES && (this.#isDecoderFree || this.#deps.silentMs() > HANGS_MS);
  }

  get #isDecoderFree(): boolean {
    return this.#drain === undefined && this.#deps.backlog() < MOST_IN_DECODER;
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
   * A tile that is behind the others catches up without showing each picture. After a seek, pictures before the requested
   * one are only decoded, not shown.
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

  /** Whether a later picture, waiting or still in the decoder, was due by then. */
  #hasDueAfter(mediaTimeUs: MediaUs, byMs: number): boolean {
    const isDue = (other: MediaUs) => this.#dueMs(other) <= byMs;
    return this.#frames.isAwaitedAfter(mediaTimeUs, isDue) || this.#units.hasDueAfter(mediaTimeUs, isDue);
  }

  #isSettled(nowMs: number): boolean {
    return nowMs - this.#lastArrivalMs >= SETTLE_MS;
  }

  #decodeDue(): void {
    const nowMs = this.#deps.now();
    const dropped = this.#units.dropBefore((mediaTimeUs) => this.#dueMs(mediaTimeUs) <= nowMs);
    for (const mediaTimeUs of dropped) this.#frames.lose(mediaTimeUs);
    while (this.#hasRoom) {
      const first = this.#units.takeUnit((mediaTimeUs) => this.#dueMs(mediaTimeUs) - nowMs <= this.#aheadMs);
      if (first === undefined) return;
      this.#frames.await(first.unit.mediaTimeUs);
      this.#lastGivenMs = nowMs;
      this.#isDrained = false;
      if (!this.#deps.decode(first.unit, first.bytes)) this.#frames.lose(first.unit.mediaTimeUs);
    }
  }

  get #aheadMs(): number {
    const speed = this.#deps.clock.speed(this);
    const picturesMs = speed === 0 ? 0 : (AHEAD_PICTURES * this.#units.intervalUs) / 1_000 / speed;
    return Math.min(Math.max(LEAST_AHEAD_MS, picturesMs), MOST_AHEAD_MS);
  }

  /** When to drain the decoder, because the next unit, which would push the pictures out, may not come. */
  get #drainAtMs(): number | undefined {
    if (!this.#isComplete || this.#isDrained) return undefined;
    const isDue = (mediaTimeUs: MediaUs) => this.#dueMs(mediaTimeUs) <= this.#deps.now();
    return this.#frames.isAwaitedAfter(mediaUs(Number.NEGATIVE_INFINITY), isDue)
      ? this.#lastGivenMs + STUCK_MS
      : undefined;
  }

  /**
   * No more units go to the decoder for now. Units that are only late don't count: to drain means that their whole group is decoded
   * again, on a machine or a network that has no time for it.
   */
  get #isComplete(): boolean {
    const speed = this.#deps.clock.speed(this);
    if (speed === 0 || this.#units.isQuietNext) return true;
    return this.#units.isEmpty && this.#units.intervalUs / 1_000 / speed > STUCK_MS;
  }

  #drainStuck(): void {
    const atMs = this.#drainAtMs;
    if (atMs === undefined || atMs > this.#deps.now()) return;
    this.#isDrained = true;
    const drain = Symbol('drain');
    this.#drain = drain;
    this.#deps.drain(() => {
      if (this.#drain !== drain) return;
      this.#drain = undefined;
      this.flush();
    });
  }

  #passQuiet(): void {
    // A busy machine may still be decoding pictures. Shown after the quiet event, they would cancel it.
    const isDecoding = this.#frames.isAwaiting && this.#deps.backlog() > 0;
    if (this.#frames.count > 0 || isDecoding) return;
    const event = this.#units.takeQuiet();
    if (event !== undefined) this.#deps.onQuiet(event);
  }

  /** A page that was behind may have left out, or lost with its decoder, what lies before the position that it now stands at. */
  #askForLost(): void {
    const positionMs = this.#mayLack ? this.#deps.clock.positionMs(this, this.#deps.now()) : undefined;
    if (positionMs !== undefined && this.#frames.hasLost(this.#shownUs, positionMs * 1_000)) this.#askFor(positionMs);
  }

  #arm(): void {
    const nowMs = this.#deps.now();
    const waitMs = Math.min(...this.#moments(nowMs)) - nowMs;
    if (waitMs === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = this.#deps.runAfter(Math.min(Math.max(waitMs, 1), IDLE_MS), () => this.#run());
  }

  /** Moments when there will be something to do, as far as they are known. */
  #moments(nowMs: number): number[] {
    const moments = this.#frames.times.map((mediaTimeUs) => this.#dueMs(mediaTimeUs)).filter((dueMs) => dueMs > nowMs);
    const next = this.#units.nextUs;
    if (next !== undefined && this.#hasRoom) moments.push(this.#dueMs(next) - this.#aheadMs);
    // Whatever comes out of the decoder makes room, unless it hangs.
    else if (next !== undefined && !this.#isDecoderFree) moments.push(nowMs + HANGS_MS);
    if (this.#frames.count > 0 && this.#nextShowMs > nowMs) moments.push(this.#nextShowMs);
    const drainAtMs = this.#drainAtMs;
    if (drainAtMs !== undefined) moments.push(drainAtMs);
    // A picture held until the burst is known to be complete.
    const isWaiting = this.#jumpedAtMs !== undefined && this.#frames.count > 0;
    if (isWaiting || this.#units.isQuietNext) moments.push(Math.max(this.#lastArrivalMs + SETTLE_MS, nowMs + 5));
    return moments;
  }
}
