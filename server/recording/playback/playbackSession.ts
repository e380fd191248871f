// A playback session: one clock, and the channels watched under it. A command of any viewer applies to all of them.
import type { StreamEvent, ViewerMessage } from '../../../shared/protocol/stream/streamMessages.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { TokenBucket } from '../../limits/tokenBucket.ts';
import { ChannelFeed, type FeedSink, type FeedState } from './channelFeed.ts';
import type { GopReader } from './gopReader.ts';
import { type CursorMode, PacketCursor } from './packetCursor.ts';
import type { TrackKey } from './segmentDirectory.ts';
import {
  pauseClock,
  positionAt,
  resumeClock,
  type SessionClock,
  seekClock,
  sendsKeyFramesOnly,
  setClockSpeed,
  startClock,
} from './sessionClock.ts';
import { STEPS_LIMIT, stepTarget } from './stepTarget.ts';

export interface SessionDeps {
  readonly gopReader: GopReader;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** The gateway's clock. */
  readonly wallNow: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
  readonly onLimit?: OnLimit | undefined;
}

export interface SessionOptions {
  readonly startMs: number;
  /** Rate of moves over all sessions of the link. */
  readonly linkMoves: TokenBucket;
}

/** One channel on one socket. */
export interface SessionViewer {
  readonly track: TrackKey;
  readonly wantsAudio: boolean;
  readonly sink: FeedSink;
  sendEvent(event: StreamEvent): void;
}

export interface SessionMembership {
  handle(message: ViewerMessage): void;
  leave(): void;
}

const TICK_MS = 40;
/**
 * Seeks and speed changes at a higher rate are combined: of each kind only the newest is carried out. Dragging on the
 * timeline sends ten a second.
 */
const MOVES = { burst: 5, perSecond: 1_000 / TICK_MS };
/**
 * Moves (seeks, speeds and the like) per second of all playback sessions of one link; up to 200 at once. Dragging on sixteen pages at once
 * stays below. The newest move of each session is done a moment later.
 */
export const LINK_MOVES_LIMIT: Limit = { name: 'playback.moves.credential', max: 200 };
/** A longer step restarts at the key frame before its target. */
const MAX_STEP_ON_MS = 2_000;
const CLOCK_INTERVAL_MS = 1_000;
/** A recording in progress lags behind the present by up to a second. At this distance there is always data. */
export const LIVE_EDGE_MS = 3_000;
/** A page's sockets open one after another, so the first one to find nothing must not end the session for all. */
const SETTLING_MS = 500;

export class PlaybackSession {
  readonly #deps: SessionDeps;
  readonly #members = new Map<SessionViewer, ChannelFeed>();
  #clock: SessionClock;
  /** The clock is stopped without a pause command, and resumes by itself. */
  #isHeld = false;
  /** The viewers were told that nothing follows. */
  #hasEnded = false;
  #joinedMs = 0;
  #clockSentMs = 0;
  #cancelTick: (() => void) | undefined;
  /** The change requested and not carried out yet. */
  #due: 'nothing' | 'clock' | 'restart' = 'nothing';
  readonly #dueVideo = new Map<SessionViewer, boolean>();
  readonly #moves: TokenBucket;
  readonly #linkMoves: TokenBucket;
  #pendingSteps = 0;
  #stepping: SessionViewer | undefined;

  constructor(deps: SessionDeps, { startMs, linkMoves }: SessionOptions) {
    this.#deps = deps;
    this.#clock = startClock(this.#withinTime(startMs), deps.now());
    this.#moves = new TokenBucket(MOVES, deps.now());
    this.#linkMoves = linkMoves;
  }

  get size(): number {
    return this.#members.size;
  }

  get positionMs(): number {
    return positionAt(this.#clock, this.#deps.now());
  }

  join(viewer: SessionViewer): SessionMembership {
    const now = this.#deps.now();
    this.#goOn(now);
    this.#joinedMs = now;
    this.#tellClock(viewer, now);
    const feed = this.#createFeed(viewer);
    this.#members.set(viewer, feed);
    this.#tick();
    return {
      handle: (message) => this.#handle(viewer, message),
      leave: () => this.#leave(viewer),
    };
  }

  close(): void {
    this.#cancelTick?.();
    this.#cancelTick = undefined;
    for (const feed of this.#members.values()) feed.close();
    this.#members.clear();
  }

  #createFeed(viewer: SessionViewer): ChannelFeed {
    const { gopReader, onFault, onLimit } = this.#deps;
    const openCursor = (atMs: number, mode: CursorMode): PacketCursor =>
      new PacketCursor(gopReader, viewer.track, atMs * 1000, mode);
    const deps = { sink: viewer.sink, wantsAudio: viewer.wantsAudio, openCursor, onFault, onLimit };
    return new ChannelFeed({ ...deps, onRead: () => this.#tick() }, this.positionMs, this.#mode());
  }

  #leave(viewer: SessionViewer): void {
    const feed = this.#members.get(viewer);
    if (feed === undefined) return;
    feed.close();
    this.#members.delete(viewer);
    this.#dueVideo.delete(viewer);
    if (this.#members.size > 0) return;
    this.#cancelTick?.();
    this.#cancelTick = undefined;
    this.#pendingSteps = 0;
    // Keeps the position for a page that reconnects. A pause that was requested stays one.
    if (!this.#clock.paused) this.#holdClock();
  }

  #handle(viewer: SessionViewer, message: ViewerMessage): void {
    const now = this.#deps.now();
    switch (message.type) {
      case 'pause':
        this.#isHeld = false;
        this.#change(pauseClock(this.#clock, now));
        return;
      case 'resume':
        this.#pendingSteps = 0;
        this.#goOn(now);
        this.#change(resumeClock(this.#clock, now));
        return;
      case 'seek':
        this.#pendingSteps = 0;
        this.#goOn(now);
        this.#change(seekClock(this.#clock, now, this.#withinTime(message.positionMs)), 'restart');
        return;
      case 'speed':
        this.#change(setClockSpeed(this.#clock, now, message.speed));
        return;
      case 'step':
        this.#step(viewer, message.frames);
        return;
      case 'video':
        this.#dueVideo.set(viewer, message.on);
        this.#tick();
        return;
    }
  }

  /** Sets the clock. Viewers and feeds follow with the next move. */
  #change(clock: SessionClock, due: 'restart' | 'clock' = 'clock'): void {
    this.#clock = clock;
    if (this.#due !== 'restart') this.#due = due;
    this.#tick();
  }

  /** False while a change is waiting because of the rate limit. */
  #move(now: number): boolean {
    if (this.#due === 'nothing' && this.#dueVideo.size === 0) return true;
    if (!this.#moves.take(now)) return false;
    if (!this.#linkMoves.take(now)) {
      this.#deps.onLimit?.(LINK_MOVES_LIMIT);
      return false;
    }
    if (this.#due !== 'nothing') this.#set(this.#clock, this.#due);
    for (const [viewer, on] of this.#dueVideo) this.#members.get(viewer)?.setVideo(on, positionAt(this.#clock, now));
    this.#dueVideo.clear();
    return true;
  }

  /** Sends the clock to all viewers. Feeds restart when told to, or when the speed changes which frames are sent. */
  #set(clock: SessionClock, feeds: 'restart' | 'clock'): void {
    const now = this.#deps.now();
    this.#clock = clock;
    this.#due = 'nothing';
    for (const viewer of this.#members.keys()) this.#tellClock(viewer, now);
    const mode = this.#mode();
    for (const feed of this.#members.values()) {
      // While paused, frames sent at any speed are fine; only playing requires the other way of reading.
      const isOtherMode = feed.mode !== mode && !clock.paused;
      if (feeds === 'restart' || isOtherMode) feed.restart(positionAt(clock, now), mode);
    }
  }

  /** Steps that come while a step's target is looked up are combined. */
  #step(viewer: SessionViewer, frames: number): void {
    this.#isHeld = false;
    this.#hasEnded = false;
    // Doesn't count as a change of the clock, so that the look-up under way stays valid.
    if (!this.#clock.paused) this.#clock = pauseClock(this.#clock, this.#deps.now());
    const wanted = this.#pendingSteps + frames;
    this.#pendingSteps = withinSteps(wanted);
    if (Math.abs(wanted) > STEPS_LIMIT.max) this.#deps.onLimit?.(STEPS_LIMIT);
    if (this.#stepping !== undefined) return;
    this.#stepping = viewer;
    this.#takeSteps(viewer).then(
      () => {
        this.#stepping = undefined;
      },
      (error: unknown) => {
        this.#stepping = undefined;
        this.#deps.onFault(new Error('a step could not be taken', { cause: error }));
      },
    );
  }

  async #takeSteps(viewer: SessionViewer): Promise<void> {
    while (this.#pendingSteps !== 0) {
      const frames = this.#pendingSteps;
      const from = this.#clock;
      const positionMs = wallMs(Math.floor(from.positionMs));
      const target = await stepTarget(this.#deps.gopReader, viewer.track, { positionMs, frames });
      // Something else was asked for meanwhile, or everybody left.
      if (this.#clock !== from || this.#members.size === 0) {
        this.#pendingSteps = this.#clock.paused && this.#members.size > 0 ? this.#pendingSteps : 0;
        continue;
      }
      this.#pendingSteps = withinSteps(this.#pendingSteps - frames);
      this.#moveTo(target ?? from.positionMs, frames);
    }
  }

  #moveTo(targetMs: number, frames: number): void {
    const isAhead = frames > 0 && targetMs - this.#clock.positionMs <= MAX_STEP_ON_MS;
    const isElsewhere = this.#due === 'restart';
    this.#set(seekClock(this.#clock, this.#deps.now(), targetMs), 'clock');
    for (const feed of this.#members.values()) {
      if (!isAhead || isElsewhere || feed.mode !== 'all') feed.restart(targetMs, 'all');
    }
    this.#tick();
  }

  #tick(): void {
    this.#cancelTick?.();
    this.#cancelTick = undefined;
    if (this.#members.size === 0) return;
    const now = this.#deps.now();
    if (!this.#move(now)) {
      // Feeds aren't pumped meanwhile, because their packets are from before the step.
      this.#cancelTick = this.#deps.runAfter(TICK_MS, () => this.#tick());
      return;
    }
    this.#stayBehindNow(now);
    const state = this.#feedState(now);
    for (const feed of this.#members.values()) feed.pump(state, now);
    this.#endWhenAllHave(now);
    if (!this.#clock.paused && now - this.#clockSentMs >= CLOCK_INTERVAL_MS) {
      for (const viewer of this.#members.keys()) this.#tellClock(viewer, now);
    }
    const isDone = this.#clock.paused && [...this.#members.values()].every((feed) => feed.isSettled);
    const mustLookAgain = now - this.#joinedMs < SETTLING_MS;
    if (!isDone || mustLookAgain) this.#cancelTick = this.#deps.runAfter(TICK_MS, () => this.#tick());
  }

  #feedState(now: number): FeedState {
    const { speed, paused } = this.#clock;
    return { positionMs: positionAt(this.#clock, now), speed, paused };
  }

  /** Play that catches up with a recording in progress continues at its pace. */
  #stayBehindNow(now: number): void {
    const wallNow = this.#deps.wallNow();
    const position = positionAt(this.#clock, now);
    const edge = wallNow - LIVE_EDGE_MS;
    if (this.#clock.paused || position <= edge || position > wallNow) return;
    const clock = seekClock(this.#clock, now, edge);
    if (clock.speed > 1) this.#set(setClockSpeed(clock, now, 1), 'clock');
    else this.#clock = clock;
  }

  #endWhenAllHave(now: number): void {
    if (this.#hasEnded || now - this.#joinedMs < SETTLING_MS) return;
    if (![...this.#members.values()].every((feed) => feed.isFinished)) return;
    if (!this.#clock.paused) this.#holdClock();
    this.#hasEnded = true;
    for (const viewer of this.#members.keys()) {
      this.#tellClock(viewer, now);
      viewer.sendEvent({ type: 'ended' });
    }
  }

  #holdClock(): void {
    this.#isHeld = true;
    this.#clock = pauseClock(this.#clock, this.#deps.now());
  }

  /** After an end or an absence of viewers, play continues as before. */
  #goOn(now: number): void {
    if (this.#isHeld) this.#clock = resumeClock(this.#clock, now);
    this.#isHeld = false;
    this.#hasEnded = false;
  }

  #mode(): CursorMode {
    return !this.#clock.paused && sendsKeyFramesOnly(this.#clock.speed) ? 'key-frames' : 'all';
  }

  /**
   * The last seconds aren't recorded yet: a position in them becomes the latest available one. A position in the future
   * stays.
   */
  #withinTime(positionMs: number): number {
    const wallNow = this.#deps.wallNow();
    const edge = wallNow - LIVE_EDGE_MS;
    return positionMs > edge && positionMs <= wallNow ? edge : positionMs;
  }

  #tellClock(viewer: SessionViewer, now: number): void {
    this.#clockSentMs = now;
    const { positionMs, speed, paused } = this.#feedState(now);
    viewer.sendEvent({ type: 'clock', positionMs: Math.floor(positionMs), speed, paused });
  }
}

/** A whole number of pictures, bounded by how many are looked up at once. */
function withinSteps(frames: number): number {
  return Math.min(Math.max(Math.trunc(frames), -STEPS_LIMIT.max), STEPS_LIMIT.max);
}
