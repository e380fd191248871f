// Sound of a playback session: holds each frame until its time on the session's clock. The gateway sends ahead of time, and
// after a seek it also sends frames from before the new position. Sound is played at normal speed or not at all.
import { type ClockSample, PlaybackClock } from '../video/session/playbackClock.ts';
import type { AudioFrame } from './messages.ts';

export interface SessionSoundDeps {
  readonly now: () => number;
  /** Runs something later; returns its own cancel. */
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly play: (frame: AudioFrame) => void;
  /** Sound already passed on for playing belongs to another position: it is to be dropped. */
  readonly silence: () => void;
}

/** Time for decoding and for passing the sound to the worklet. */
const AHEAD_MS = 10;
/** Sound later than this is not played any more. */
const MOST_LATE_MS = 150;
/** The gateway sends 0.4 s ahead; anything much further ahead is from the position before a seek. */
const MOST_AHEAD_MS = 3_000;
/** Uneven arrival of clock events moves the clock by less than this. A larger move is a seek. */
const JUMP_MS = 100;

export class SessionSound {
  readonly #deps: SessionSoundDeps;
  readonly #clock = new PlaybackClock();
  #waiting: AudioFrame[] = [];
  #cancelTimer: (() => void) | undefined;

  constructor(deps: SessionSoundDeps) {
    this.#deps = deps;
  }

  clock(sample: ClockSample): void {
    this.#change((nowMs) => this.#clock.noted(this, sample, nowMs));
  }

  /** The viewer pauses: quiet at once. */
  hold(): void {
    this.#change((nowMs) => this.#clock.hold(nowMs));
  }

  /** The viewer goes on. */
  release(): void {
    this.#clock.release();
  }

  push(frame: AudioFrame): void {
    if (frame.discontinuity) this.#clock.restarted(this);
    const speed = this.#clock.speed(this);
    if (speed !== 0 && speed !== 1) return;
    this.#waiting.push(frame);
    this.#run();
  }

  /** Drops what waits. Safe to call twice. */
  restart(): void {
    this.#clock.release();
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#waiting = [];
  }

  #change(apply: (nowMs: number) => void): void {
    const nowMs = this.#deps.now();
    const before = { speed: this.#clock.speed(this), positionMs: this.#clock.positionMs(this, nowMs) };
    apply(nowMs);
    const movedMs = (this.#clock.positionMs(this, nowMs) ?? 0) - (before.positionMs ?? 0);
    const hasJumped = before.positionMs === undefined || Math.abs(movedMs) > JUMP_MS;
    if (hasJumped || this.#clock.speed(this) !== before.speed) this.#deps.silence();
    this.#run();
  }

  #run(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const nowMs = this.#deps.now();
    this.#waiting = this.#waiting.filter((frame) => this.#isOfNow(frame, nowMs));
    // Steps and seeks while paused are silent.
    if (this.#clock.speed(this) !== 1) return;
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const waitMs = this.#clock.dueMs(this, first.mediaTimeUs) - AHEAD_MS - nowMs;
      if (waitMs === Number.POSITIVE_INFINITY) return;
      if (waitMs > 0.5) {
        this.#cancelTimer = this.#deps.runAfter(waitMs, () => this.#run());
        return;
      }
      this.#waiting.shift();
      this.#deps.play(first);
    }
  }

  #isOfNow({ mediaTimeUs }: AudioFrame, nowMs: number): boolean {
    const speed = this.#clock.speed(this);
    const aheadMs = mediaTimeUs / 1_000 - (this.#clock.positionMs(this, nowMs) ?? 0);
    // While the session is paused, sound before the position will not be played from here, however little it is late.
    const mostLateMs = speed === 0 ? 0 : MOST_LATE_MS;
    return (speed === 0 || speed === 1) && aheadMs >= -mostLateMs && aheadMs < MOST_AHEAD_MS;
  }
}
