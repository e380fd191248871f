// A playback of recordings on the page's clock: it leads while it plays, and waits or catches up when it doesn't.
import type { PlaybackController } from '../../../../shared/player/playback/playbackController.ts';
import { type ClockState, hasPictures, MAX_VIDEO_SPEED, type VideoFacts } from '../clock/clockState.ts';
import type { ClockChange, VideoSide } from '../clock/pageClock.ts';
import type { TimeRange } from '../clock/ranges.ts';

export type SteeredSession = Pick<
  PlaybackController,
  'state' | 'isOpen' | 'positionMs' | 'seek' | 'play' | 'pause' | 'setSpeed'
>;

/** The difference of two clocks running side by side, above which the session is told where to be. */
const APART_MS = 1_500;

export class SessionSide implements VideoSide {
  readonly #session: SteeredSession;
  recorded: readonly TimeRange[];
  /** The last command: to run or not. */
  #isRunning: boolean | undefined;
  /** Its pictures were stopped by the reader, and nothing else was asked for since. */
  #isStopped = false;

  constructor(session: SteeredSession, recorded: readonly TimeRange[]) {
    this.#session = session;
    this.recorded = recorded;
  }

  facts(): VideoFacts {
    const { isControlled, hasEnded, isRefused } = this.#session.state;
    return {
      isSteered: isControlled && this.#session.isOpen && !isRefused,
      hasEnded,
      recorded: this.recorded,
    };
  }

  positionMs(): number | undefined {
    return this.#session.positionMs();
  }

  /**
   * The position where it stopped when the user stopped it: the server learns of it later, and its pictures have gone on until then.
   * Undefined while it plays, and where the clock was set by something else.
   */
  get stoodAtMs(): number | undefined {
    return this.#isStopped && this.#session.state.isPaused ? this.#session.positionMs() : undefined;
  }

  follow(state: ClockState, change: ClockChange): void {
    if (!this.#session.state.isControlled) return;
    const isShown = hasPictures(this, state.positionMs);
    const isRunning = state.isPlaying && isShown && state.speed <= MAX_VIDEO_SPEED;
    const isOther = isRunning !== this.#isRunning;
    const begins = isRunning && isOther;
    this.#isRunning = isRunning;
    const isSought = isShown && (change === 'seek' || begins || this.#isFar(state, change));
    this.#isStopped = change === 'state' && !state.isPlaying && isShown && !isSought && (isOther || this.#isStopped);
    // The server says a moment later that it has followed: until then nothing is said twice.
    const isSaid = change !== 'run' || isOther;
    // Before a seek: behind it, the pause would be at the picture that is still seen, to which a session goes back.
    if (isSaid && !isRunning) this.#session.pause();
    if (isSought) this.#session.seek(state.positionMs);
    if (isSaid && isRunning) this.#run(state);
  }

  #run({ speed }: ClockState): void {
    if (this.#session.state.speed !== speed) this.#session.setSpeed(speed);
    if (this.#session.state.isPaused) this.#session.play();
  }

  /** A pause, or another speed, is where the picture has to be right. */
  #isFar({ positionMs }: ClockState, change: ClockChange): boolean {
    if (change !== 'state') return false;
    return Math.abs((this.#session.positionMs() ?? positionMs) - positionMs) > APART_MS;
  }
}
