// Plays one stream in one element of the page: creates the canvas, follows the element's size, and reconnects when the
// stream stops. Plain TypeScript: React only knows TilePlayer and the states that it reports.

import type { PictureView, PixelSize, Snapshot, SnapshotFormat } from '../../../workers/video/messages.ts';
import type { NoticeEvent } from '../../protocol/stream/streamMessages.ts';
import type { PlayerEngine, StreamCounts, StreamReport } from '../engine/engine.ts';
import { AutoQuality, type QualityChoice, qualityOf, type StreamQuality, withQuality } from './quality.ts';
import { type BoxWatch, measureBox, watchBox, watchView } from './tileCanvas.ts';
import { hasAudio, type SoundState, withAudio } from './tileSound.ts';
import { type StreamSession, TileSource } from './tileSource.ts';
import {
  connectedFacts,
  isSameState,
  notedFacts,
  reconnectedFacts,
  shouldReconnect,
  type TileFacts,
  type TileState,
  tileStateOf,
  wokenFacts,
} from './tileState.ts';

export interface TilePlayerOptions {
  /** The tile fills it. It must be positioned. */
  readonly host: HTMLElement;
  readonly url: string;
  /** The device's channel number. */
  readonly channel: number;
  /** Called with every change, never after `close`. */
  readonly onState: (state: TileState) => void;
  /** The playback session that the stream belongs to. */
  readonly session?: StreamSession | undefined;
  /** A stream that was open has closed, whoever closed it. */
  readonly onClosed?: (() => void) | undefined;
  /** Called with every change, never after `close`. */
  readonly onSound?: ((sound: SoundState) => void) | undefined;
  /** Called with every change, never after `close`. */
  readonly onQuality?: ((quality: QualityState) => void) | undefined;
  /** The stream has a choice of qualities: a live one. */
  readonly hasQualities?: boolean;
}

export interface QualityState {
  readonly choice: QualityChoice;
  readonly running: StreamQuality;
  /** Another stream was requested, and its first picture hasn't come. */
  readonly isSwitching: boolean;
  /** The stream requested last gave no picture. */
  readonly hasFailed: boolean;
  /** Why the device sends less than the quality asked for. */
  readonly limit?: NoticeEvent | undefined;
}

export interface TileStatistics extends StreamCounts {
  readonly picture: PixelSize | undefined;
  readonly running: StreamQuality;
  readonly reconnects: number;
}

/** Clock, timers and random numbers; tests pass their own. */
export interface TileEnvironment {
  readonly now: () => number;
  /** Goes on while the machine sleeps, which `now` need not do. */
  readonly wallNow: () => number;
  /** Runs something again and again; returns its own cancel. */
  readonly every: (intervalMs: number, run: () => void) => () => void;
  readonly random: () => number;
  readonly isVisible: () => boolean;
  /** Calls when the page comes into sight or the network comes back; returns its own cancel. */
  readonly onWake: (run: () => void) => () => void;
  /** Tells whether any of the element is in view, however many frames it stands in; returns its own cancel. */
  readonly watchView: (element: HTMLElement, onChange: (isInView: boolean) => void) => () => void;
}

const CHECK_INTERVAL_MS = 200;
/** A visible page whose checks are this far apart was asleep. */
const SLEPT_MS = 5_000;

const browserEnvironment: TileEnvironment = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  every: (intervalMs, run) => {
    const timer = setInterval(run, intervalMs);
    return () => clearInterval(timer);
  },
  random: Math.random,
  isVisible: () => !document.hidden,
  onWake: (run) => {
    document.addEventListener('visibilitychange', run);
    window.addEventListener('online', run);
    // Restored by the Back button as it was left. Its sockets may be dead.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && run();
    window.addEventListener('pageshow', onShow);
    return () => {
      document.removeEventListener('visibilitychange', run);
      window.removeEventListener('online', run);
      window.removeEventListener('pageshow', onShow);
    };
  },
  watchView,
};

/** A tile that is scrolled past keeps its stream for this long. */
const OUT_OF_VIEW_MS = 2_000;

/** A replacement stream that shows no picture within this time is given up. */
const SWITCH_WITHIN_MS = 12_000;

interface Candidate {
  readonly source: TileSource;
  readonly sinceMs: number;
  /** Notice of this stream, for when it becomes the current one. */
  readonly limit?: NoticeEvent;
}

export class TilePlayer {
  readonly #engine: PlayerEngine;
  readonly #options: TilePlayerOptions;
  readonly #environment: TileEnvironment;
  readonly #boxWatch: BoxWatch;
  readonly #cancels: (() => void)[];
  readonly #auto = new AutoQuality();
  #source: TileSource;
  /** A replacement stream, which runs beside the current one until it has a picture. */
  #candidate: Candidate | undefined;
  #box: PixelSize;
  #view: PictureView | undefined;
  #makeMirror: (() => WritableStream<VideoFrame>) | undefined;
  #isCovered = false;
  #leftViewAtMs: number | undefined;
  #isOutOfView = false;
  #facts: TileFacts;
  #state: TileState = { kind: 'idle' };
  #sound: SoundState;
  #quality: QualityState;
  #reconnects = 0;
  #shownAtMs: number | undefined;
  #retryRandom: number;
  #lastCheckWallMs: number;
  #isClosed = false;

  constructor(engine: PlayerEngine, options: TilePlayerOptions, environment: TileEnvironment = browserEnvironment) {
    this.#engine = engine;
    this.#options = options;
    this.#environment = environment;
    const { host, url } = options;
    this.#sound = { isOn: hasAudio(url), isBlocked: false };
    this.#quality = { choice: 'auto', running: qualityOf(url), isSwitching: false, hasFailed: false };
    this.#lastCheckWallMs = environment.wallNow();
    this.#facts = connectedFacts(environment.now());
    this.#retryRandom = environment.random();
    this.#box = measureBox(host);
    this.#source = this.#open(url);
    this.#source.stream.setAudible(this.#sound.isOn);
    this.#boxWatch = watchBox(host, (box) => this.#resize(box));
    const check = () => this.#check();
    this.#cancels = [environment.every(CHECK_INTERVAL_MS, check), environment.onWake(() => this.#wake())];
    this.#cancels.push(environment.watchView(host, (isInView) => this.#noteView(isInView)));
    this.#showState();
  }

  /** Turns the sound on or off. A stream opened without sound is opened again with it. */
  setSound(isOn: boolean): void {
    this.#source.stream.setAudible(isOn);
    this.#showSound({ ...this.#sound, isOn });
    this.#follow(this.#quality.running);
  }

  /** Sets the quality by hand, or as the tile's size and the network allow. */
  setQuality(choice: QualityChoice): void {
    this.#showQuality({ choice, hasFailed: false });
    this.#follow(choice === 'auto' ? this.#quality.running : choice);
  }

  /** Draws a part of the picture. */
  setView(view: PictureView): void {
    this.#view = view;
    this.#source.stream.setView(view);
  }

  /** The newest picture in its full size; undefined when there is none. */
  snapshot(format: SnapshotFormat): Promise<Snapshot | undefined> {
    return this.#source.stream.snapshot(format);
  }

  /** A tile covered by another one counts as out of view, so its pictures aren't requested. */
  setCovered(isCovered: boolean): void {
    if (this.#isCovered === isCovered) return;
    this.#isCovered = isCovered;
    this.#wake();
  }

  /**
   * Also sends every picture to a second place, which counts as visible wherever the tile is. `make` is called once for
   * each stream that the tile opens; undefined ends it.
   */
  setMirror(make: (() => WritableStream<VideoFrame>) | undefined): void {
    this.#makeMirror = make;
    this.#source.stream.mirror(make?.());
    this.#wake();
  }

  get isVisible(): boolean {
    return this.#makeMirror !== undefined || (this.#environment.isVisible() && !this.#isCovered && !this.#isOutOfView);
  }

  /** When the newest picture was shown, by the wall clock; undefined before the first one. */
  get shownAtMs(): number | undefined {
    return this.#shownAtMs;
  }

  get sound(): SoundState {
    return this.#sound;
  }

  statistics(): TileStatistics {
    const { picture, stream } = this.#source;
    return { ...stream.counts(), picture, running: this.#quality.running, reconnects: this.#reconnects };
  }

  /** Connects at once: what stood in the way is gone. */
  retry(): void {
    this.#facts = { ...this.#facts, failure: undefined, newestShownMs: undefined };
    this.#reconnect(this.#source.url);
    this.#showState();
  }

  /** Ends the stream and takes the canvas away. Safe to call twice. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const cancel of this.#cancels) cancel();
    this.#boxWatch.close();
    this.#candidate?.source.close();
    this.#source.close();
  }

  #open(url: string): TileSource {
    const { host, channel, session } = this.#options;
    const source: TileSource = new TileSource(this.#engine, {
      host,
      url,
      channel,
      session,
      box: this.#box,
      onReport: (report) => this.#route(source, report),
    });
    return source;
  }

  #route(source: TileSource, report: StreamReport): void {
    if (source === this.#source) this.#note(report);
    else if (source === this.#candidate?.source) this.#noteCandidate(source, report);
  }

  #note(report: StreamReport): void {
    if (!this.#isHandled(report)) this.#facts = notedFacts(this.#facts, report, this.#environment.now());
    // Unpaced pictures may still be shown after the end was reported. The end is final all the same.
    const isEnd = report.type === 'quiet' && report.event.type === 'ended';
    if (isEnd && this.#options.session?.isPaced === false) {
      this.#facts = { ...this.#facts, isQuietFinal: true };
    }
    // An attempt that never connected also closes, but no stream was lost.
    if (this.#source.note(report) === 'lost') this.#options.onClosed?.();
    if (report.type === 'shown') this.#shownAtMs = this.#environment.wallNow() - report.ageMs;
    if (report.type === 'opened') this.#followVisibility();
    if (report.type === 'event' && report.event.type === 'notice') this.#showQuality({ limit: report.event });
    if (report.type === 'closed') this.#retryRandom = this.#environment.random();
    if (report.type === 'sound') this.#showSound({ ...this.#sound, isBlocked: report.isBlocked });
    this.#showState();
  }

  /** An error that the viewer isn't told of, because the session handles it or a replacement stream has taken over. */
  #isHandled(report: StreamReport): boolean {
    const { session } = this.#options;
    if (session === undefined || report.type !== 'event' || report.event.type !== 'error') return false;
    return this.#candidate !== undefined || session.recovers(report.event.code);
  }

  #noteCandidate(source: TileSource, report: StreamReport): void {
    source.note(report);
    if (report.type === 'first-picture') this.#adopt(source);
    // The replacement's pictures are limited, but the server ends its limit as soon as it can, which it doesn't for the current stream.
    if (report.type === 'event' && report.event.type === 'notice' && this.#candidate !== undefined) {
      this.#candidate = { ...this.#candidate, limit: report.event };
    }
    const isRefused = report.type === 'event' && report.event.type === 'error';
    const isUseless = report.type === 'video-fault' && report.fault.kind === 'codec';
    if (report.type === 'closed' || isRefused || isUseless) this.#giveUpCandidate();
  }

  /** The replacement has a picture, so it becomes the current stream. */
  #adopt(source: TileSource): void {
    const before = this.#source;
    const limit = this.#candidate?.limit;
    this.#candidate = undefined;
    this.#source = source;
    before.close();
    const nowMs = this.#environment.now();
    const { isPaused } = this.#facts;
    this.#facts = { ...connectedFacts(nowMs), newestDataMs: nowMs, newestShownMs: nowMs, isPaused };
    this.#shownAtMs = this.#environment.wallNow();
    this.#auto.restarted();
    source.stream.setAudible(this.#sound.isOn);
    if (this.#makeMirror !== undefined) source.stream.mirror(this.#makeMirror());
    const running = qualityOf(source.url);
    this.#showQuality({ running, limit, isSwitching: false });
    this.#followVisibility();
    this.#showState();
  }

  /** The replacement gave no picture in time or was refused: the current stream continues. */
  #giveUpCandidate(): void {
    const tried = this.#candidate?.source;
    this.#dropCandidate();
    if (tried === undefined) return;
    const { running, choice } = this.#quality;
    const quality = qualityOf(tried.url);
    // The replacement was for sound, which the current stream can't provide. An interruption is better than no sound.
    if (quality === running) this.#reconnect(tried.url);
    else if (choice === 'auto') this.#auto.failed(quality, this.#environment.now());
    else this.#showQuality({ choice: running, hasFailed: true });
  }

  #dropCandidate(): void {
    this.#candidate?.source.close();
    this.#candidate = undefined;
    this.#showQuality({ isSwitching: false });
  }

  /** Makes sure that a stream of that quality is running or on its way, with sound if wanted. */
  #follow(quality: StreamQuality): void {
    const { url } = this.#source;
    const wanted = withQuality(this.#sound.isOn && !hasAudio(url) ? withAudio(url) : url, quality);
    if (wanted === this.#candidate?.source.url) return;
    if (this.#candidate !== undefined) this.#dropCandidate();
    if (wanted === url) return;
    // A stream that can't be decoded keeps showing its message until another one has a picture.
    if ((this.#state.kind !== 'playing' && !this.#isUndecodable) || !this.isVisible) {
      this.#reconnect(wanted);
      this.#showQuality({ running: quality });
      return;
    }
    const source = this.#open(wanted);
    if (this.#view !== undefined) source.stream.setView(this.#view);
    this.#candidate = { source, sinceMs: this.#environment.now() };
    this.#showQuality({ isSwitching: true });
  }

  #checkQuality(nowMs: number): void {
    if (this.#candidate !== undefined && nowMs - this.#candidate.sinceMs > SWITCH_WITHIN_MS) this.#giveUpCandidate();
    const { choice, running } = this.#quality;
    if (this.#options.hasQualities !== true || choice !== 'auto') return;
    if (this.#candidate !== undefined || !this.isVisible) return;
    if (this.#isUndecodable) this.#follow(this.#auto.instead(running, nowMs));
    if (this.#state.kind !== 'playing') return;
    const { picture, stream } = this.#source;
    const { delayMs = 0, gaps = 0 } = stream.counts().video ?? {};
    this.#follow(this.#auto.choose({ nowMs, running, picture, box: this.#box, delayMs, gaps }));
  }

  get #isUndecodable(): boolean {
    return this.#state.kind === 'failed' && this.#state.failure.reason === 'codec';
  }

  #resize(box: PixelSize): void {
    this.#box = box;
    this.#source.stream.resize(box);
    this.#candidate?.source.stream.resize(box);
  }

  /** Out of view, only sound is requested, so that the device sends no video that nobody sees. */
  #followVisibility(): void {
    this.#source.setVideo(this.isVisible);
    if (!this.isVisible && this.#candidate !== undefined) this.#dropCandidate();
  }

  #noteView(isInView: boolean): void {
    this.#leftViewAtMs = isInView ? undefined : this.#environment.now();
    if (!isInView || !this.#isOutOfView) return;
    this.#isOutOfView = false;
    this.#wake();
  }

  #wake(): void {
    this.#followVisibility();
    if (this.isVisible) this.#facts = wokenFacts(this.#facts, this.#environment.now());
    this.#check();
  }

  #check(): void {
    const nowMs = this.#environment.now();
    if (!this.#isOutOfView && this.#leftViewAtMs !== undefined && nowMs - this.#leftViewAtMs >= OUT_OF_VIEW_MS) {
      this.#isOutOfView = true;
      this.#followVisibility();
    }
    const { isVisible } = this;
    const wallMs = this.#environment.wallNow();
    if (isVisible && wallMs - this.#lastCheckWallMs > SLEPT_MS) this.#facts = wokenFacts(this.#facts, nowMs);
    this.#lastCheckWallMs = wallMs;
    // Out of view only a tile with sound is worth reconnecting. Background timers are slow, but not wrong.
    const isMinded = isVisible || (this.#sound.isOn && this.#facts.closedAtMs !== undefined);
    if (isMinded && shouldReconnect(this.#facts, nowMs, this.#retryRandom)) {
      this.#reconnect(this.#source.url);
    }
    this.#showState();
    this.#checkQuality(nowMs);
  }

  #reconnect(url: string): void {
    this.#reconnects++;
    this.#auto.restarted(this.#source.stream.counts().video?.gaps);
    this.#showQuality({ limit: undefined });
    this.#facts = reconnectedFacts(this.#facts, this.#environment.now());
    this.#source.reconnect(url);
  }

  #showSound(sound: SoundState): void {
    if (sound.isOn === this.#sound.isOn && sound.isBlocked === this.#sound.isBlocked) return;
    this.#sound = sound;
    this.#options.onSound?.(sound);
  }

  #showQuality(change: Partial<QualityState>): void {
    const next = { ...this.#quality, ...change };
    const isSame = (Object.keys(next) as (keyof QualityState)[]).every((name) => next[name] === this.#quality[name]);
    this.#quality = next;
    if (!isSame && !this.#isClosed) this.#options.onQuality?.(next);
  }

  #showState(): void {
    const state = tileStateOf(this.#facts, this.#environment.now());
    if (isSameState(state, this.#state)) return;
    this.#state = state;
    this.#options.onState(state);
  }
}
