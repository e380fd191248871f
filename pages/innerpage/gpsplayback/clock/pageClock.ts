// The clock that runs: as frames come it moves on, by itself or as the video does, and tells who shows it. Plain TypeScript.
import {
  advanced,
  type ClockCourse,
  type ClockState,
  fasterThan,
  type Leader,
  leaderOf,
  NO_COURSE,
  started,
  type VideoFacts,
  within,
} from './clockState.ts';

export interface PageClockDeps {
  /** Milliseconds that only rise. */
  readonly now: () => number;
  /** Calls once, with the next picture of the screen; gives its own cancel. */
  readonly nextFrame: (run: () => void) => () => void;
}

/** A playback of recordings that follows the clock and leads it while it plays. */
export interface VideoSide {
  facts(): VideoFacts;
  /** Undefined before it is known. */
  positionMs(): number | undefined;
  /** What the clock does now: a playback that doesn't lead is to wait or to catch up. */
  follow(state: ClockState, change: ClockChange): void;
}

/** `run`: nothing but time has passed. */
export type ClockChange = 'run' | 'seek' | 'state';

const BROWSER: PageClockDeps = {
  now: () => performance.now(),
  nextFrame: (run) => {
    const frame = requestAnimationFrame(run);
    return () => cancelAnimationFrame(frame);
  },
};

/** After a pause of the whole page, such as in the background, the clock continues where it was. */
const LONGEST_FRAME_MS = 1_000;
/** Pictures that don't come for this long no longer delay the clock, until it is set or started again. */
const STALL_MS = 4_000;
const FIRST: ClockState = { positionMs: 0, isPlaying: false, speed: 1, skips: false };

export class PageClock {
  readonly #deps: PageClockDeps;
  readonly #listeners = new Set<() => void>();
  readonly #drawers = new Set<(positionMs: number) => void>();
  #state: ClockState = FIRST;
  #course: ClockCourse = NO_COURSE;
  #video: VideoSide | undefined;
  #leader: Leader = 'page';
  #cancelFrame: (() => void) | undefined;
  /** When the clock was last moved on; undefined while it stands. */
  #frameAtMs: number | undefined;
  /** How long the video that leads has stood. */
  #stalledMs = 0;

  constructor(deps: PageClockDeps = BROWSER) {
    this.#deps = deps;
  }

  get state(): ClockState {
    return this.#state;
  }

  get course(): ClockCourse {
    return this.#course;
  }

  get leader(): Leader {
    return this.#leader;
  }

  /** Calls when anything but the position has changed; gives its own cancel. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Calls at once and whenever the position has changed, at most once a picture of the screen; gives its own cancel. */
  readonly draw = (drawer: (positionMs: number) => void): (() => void) => {
    this.#drawers.add(drawer);
    drawer(this.#state.positionMs);
    return () => this.#drawers.delete(drawer);
  };

  setCourse(course: ClockCourse): void {
    this.#course = course;
    this.#become({ ...this.#state, positionMs: within(course, this.#state.positionMs) }, 'seek');
  }

  setVideo(video: VideoSide | undefined): void {
    this.#video = video;
    video?.follow(this.#state, 'seek');
    this.#lead();
  }

  play(): void {
    this.#become(started(this.#state, this.#course), 'state');
  }

  pause(): void {
    this.#become({ ...this.#state, isPlaying: false }, 'state');
  }

  toggle(): void {
    if (this.#state.isPlaying) this.pause();
    else this.play();
  }

  setSpeed(speed: number): void {
    this.#become({ ...this.#state, speed }, 'state');
  }

  setSkips(skips: boolean): void {
    this.#become({ ...this.#state, skips }, 'state');
  }

  seek(positionMs: number): void {
    this.#become({ ...this.#state, positionMs: within(this.#course, positionMs) }, 'seek');
  }

  /** The video came to a stand a little before or behind: the clock tells of the picture that is seen. */
  stand(positionMs: number): void {
    if (!this.#state.isPlaying) this.#become({ ...this.#state, positionMs: within(this.#course, positionMs) }, 'run');
  }

  seekBy(deltaMs: number): void {
    this.seek(this.#state.positionMs + deltaMs);
  }

  /** Plays; faster with each call. */
  forward(): void {
    if (this.#state.isPlaying) this.setSpeed(fasterThan(this.#state.speed));
    else this.play();
  }

  /** Safe to call twice. */
  close(): void {
    this.#cancelFrame?.();
    this.#cancelFrame = undefined;
    this.#listeners.clear();
    this.#drawers.clear();
    this.#video = undefined;
  }

  #become(next: ClockState, change: ClockChange): void {
    const before = this.#state;
    this.#state = next;
    if (change !== 'run') {
      this.#stalledMs = 0;
      this.#video?.follow(next, change);
    }
    this.#lead();
    if (next.positionMs !== before.positionMs) for (const drawer of [...this.#drawers]) drawer(next.positionMs);
    if (isOther(before, next)) this.#tell();
    this.#runOn();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #lead(): void {
    const facts = this.#stalledMs < STALL_MS ? this.#video?.facts() : undefined;
    const leader = leaderOf(this.#state, facts);
    if (leader === this.#leader) return;
    this.#leader = leader;
    this.#tell();
  }

  #runOn(): void {
    if (!this.#state.isPlaying) {
      this.#cancelFrame?.();
      this.#cancelFrame = undefined;
      this.#frameAtMs = undefined;
      return;
    }
    if (this.#cancelFrame !== undefined) return;
    this.#frameAtMs ??= this.#deps.now();
    this.#cancelFrame = this.#deps.nextFrame(() => this.#frame());
  }

  #frame(): void {
    this.#cancelFrame = undefined;
    const nowMs = this.#deps.now();
    const elapsedMs = Math.min(nowMs - (this.#frameAtMs ?? nowMs), LONGEST_FRAME_MS);
    // Before anything is drawn: the time that it takes passes too.
    this.#frameAtMs = nowMs;
    this.#become(this.#moved(elapsedMs), 'run');
    this.#video?.follow(this.#state, 'run');
  }

  /** Where the video is, if it leads; a stretch that is skipped is skipped by it too. */
  #moved(elapsedMs: number): ClockState {
    const positionMs = this.#leader === 'session' ? this.#video?.positionMs() : undefined;
    if (positionMs === undefined) return advanced(this.#state, this.#course, elapsedMs);
    this.#stalledMs = positionMs === this.#state.positionMs ? this.#stalledMs + elapsedMs : 0;
    const state = { ...this.#state, speed: 1 };
    const { positionMs: reachedMs, isPlaying } = advanced(state, this.#course, positionMs - state.positionMs);
    if (Math.abs(reachedMs - positionMs) > 1) this.#video?.follow({ ...this.#state, positionMs: reachedMs }, 'seek');
    return { ...this.#state, positionMs: reachedMs, isPlaying };
  }
}

function isOther(before: ClockState, next: ClockState): boolean {
  return before.isPlaying !== next.isPlaying || before.speed !== next.speed || before.skips !== next.skips;
}
