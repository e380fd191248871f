// Plays one stream in one element of the page: makes the canvas, follows the element's size, and connects anew when the
// stream stops. Plain TypeScript; React knows only TilePlayer and the states that it reports.
import type { PictureView, PixelSize, Snapshot, SnapshotFormat } from '../../../workers/video/messages.ts';
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
  /** Another stream has been asked for; its first picture is still to come. */
  readonly isSwitching: boolean;
  /** What was asked for last gave no picture. */
  readonly hasFailed: boolean;
}

export interface TileStatistics extends StreamCounts {
  readonly picture: PixelSize | undefined;
  readonly running: StreamQuality;
  readonly reconnects: number;
}

/** Clock, timers and chance, for tests. */
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
/** Checks that come so much apart, in sight, mean that the machine slept. */
const SLEPT_MS = 5_000;

const browserEnvironment: TileEnvironment = {
  now: () => performance.now(),
  wallNow: Date.now,
  every: (intervalMs, run) => {
    const timer = setInterval(run, intervalMs);
    return () => clearInterval(timer);
  },
  random: Math.random,
  isVisible: () => !document.hidden,
  onWake: (run) => {
    document.addEventListener('visibilitychange', run);
    window.addEventListener('online', run);
    // Brought back by the Back button as it was left; its sockets need not have been.
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

/** A tile that is scrolled past is not stopped for it. */
const OUT_OF_VIEW_MS = 2_000;

/** A stream that is to take another one's place shows a picture within this, or is given up. */
const SWITCH_WITHIN_MS = 12_000;

interface Candidate {
  readonly source: TileSource;
  readonly sinceMs: number;
}

export class TilePlayer {
  readonly #engine: PlayerEngine;
  readonly #options: TilePlayerOptions;
  readonly #environment: TileEnvironment;
  readonly #boxWatch: BoxWatch;
  readonly #cancels: (() => void)[];
  readonly #auto = new AutoQuality();
  #source: TileSource;
  /** Runs beside the present stream until it has a picture. */
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

  /** Makes the stream heard or not. A stream that was opened without sound is opened anew with it. */
  setSound(isOn: boolean): void {
    this.#source.stream.setAudible(isOn);
    this.#showSound({ ...this.#sound, isOn });
    this.#follow(this.#quality.running);
  }

  /** By hand, or as the tile's size and the network allow. */
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

  /** A tile that another one covers is out of sight: its pictures are not asked for. */
  setCovered(isCovered: boolean): void {
    if (this.#isCovered === isCovered) return;
    this.#isCovered = isCovered;
    this.#wake();
  }

  /**
   * Sends every picture to a second place too, which counts as seen however the page lies. `make` is called once for each
   * stream that the tile opens; without it, no longer.
   */
  setMirror(make: (() => WritableStream<VideoFrame>) | undefined): void {
    this.#makeMirror = make;
    this.#source.stream.mirror(make?.());
    this.#wake();
  }

  get isVisible(): boolean {
    return this.#makeMirror !== undefined || (this.#environment.isVisible() && !this.#isCovered && !this.#isOutOfView);
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
    if (!this.#isMended(report)) this.#facts = notedFacts(this.#facts, report, this.#environment.now());
    // Pictures that are shown as they come may be shown after word of the end: it is final all the same.
    const isEnd = report.type === 'quiet' && report.event.type === 'ended';
    if (isEnd && this.#options.session?.isPaced === false) {
      this.#facts = { ...this.#facts, isQuietFinal: true };
    }
    // An attempt that never got through closes too; nobody has lost a stream by it.
    if (this.#source.note(report) === 'lost') this.#options.onClosed?.();
    if (report.type === 'opened') this.#followSight();
    if (report.type === 'closed') this.#retryRandom = this.#environment.random();
    if (report.type === 'sound') this.#showSound({ ...this.#sound, isBlocked: report.isBlocked });
    this.#showState();
  }

  /** An error that is none for the viewer: the session sees to it, or a candidate has taken the stream over. */
  #isMended(report: StreamReport): boolean {
    const { session } = this.#options;
    if (session === undefined || report.type !== 'event' || report.event.type !== 'error') return false;
    return this.#candidate !== undefined || session.recovers(report.event.code);
  }

  #noteCandidate(source: TileSource, report: StreamReport): void {
    source.note(report);
    if (report.type === 'first-picture') this.#adopt(source);
    const isRefused = report.type === 'event' && report.event.type === 'error';
    const isUseless = report.type === 'video-fault' && report.fault.kind === 'codec';
    if (report.type === 'closed' || isRefused || isUseless) this.#giveUpCandidate();
  }

  /** The candidate has a picture: it takes the present stream's place. */
  #adopt(source: TileSource): void {
    const before = this.#source;
    this.#candidate = undefined;
    this.#source = source;
    before.close();
    const nowMs = this.#environment.now();
    const { isPaused } = this.#facts;
    this.#facts = { ...connectedFacts(nowMs), newestDataMs: nowMs, newestShownMs: nowMs, isPaused };
    this.#auto.restarted();
    source.stream.setAudible(this.#sound.isOn);
    if (this.#makeMirror !== undefined) source.stream.mirror(this.#makeMirror());
    this.#showQuality({ running: qualityOf(source.url), isSwitching: false });
    this.#followSight();
    this.#showState();
  }

  /** It gave no picture in time, or was refused: the present stream goes on. */
  #giveUpCandidate(): void {
    const tried = this.#candidate?.source;
    this.#dropCandidate();
    if (tried === undefined) return;
    const { running, choice } = this.#quality;
    const quality = qualityOf(tried.url);
    // Then it was for the sound, which the present stream cannot give: with a break is better than not at all.
    if (quality === running) this.#reconnect(tried.url);
    else if (choice === 'auto') this.#auto.failed(quality, this.#environment.now());
    else this.#showQuality({ choice: running, hasFailed: true });
  }

  #dropCandidate(): void {
    this.#candidate?.source.close();
    this.#candidate = undefined;
    this.#showQuality({ isSwitching: false });
  }

  /** Sees to it that a stream of that quality runs, with sound if it is wanted, or is on its way. */
  #follow(quality: StreamQuality): void {
    const { url } = this.#source;
    const wanted = withQuality(this.#sound.isOn && !hasAudio(url) ? withAudio(url) : url, quality);
    if (wanted === this.#candidate?.source.url) return;
    if (this.#candidate !== undefined) this.#dropCandidate();
    if (wanted === url) return;
    // What cannot be decoded says so until another stream has a picture.
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

  /** Out of sight the server is asked for sound alone: what nobody sees costs the device no picture. */
  #followSight(): void {
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
    this.#followSight();
    if (this.isVisible) this.#facts = wokenFacts(this.#facts, this.#environment.now());
    this.#check();
  }

  #check(): void {
    const nowMs = this.#environment.now();
    if (!this.#isOutOfView && this.#leftViewAtMs !== undefined && nowMs - this.#leftViewAtMs >= OUT_OF_VIEW_MS) {
      this.#isOutOfView = true;
      this.#followSight();
    }
    const { isVisible } = this;
    const wallMs = this.#environment.wallNow();
    if (isVisible && wallMs - this.#lastCheckWallMs > SLEPT_MS) this.#facts = wokenFacts(this.#facts, nowMs);
    this.#lastCheckWallMs = wallMs;
    // Out of sight nobody misses a picture, but a tile that is heard is missed; timers are slow there, not wrong.
    const isMinded = isVisible || (this.#sound.isOn && this.#facts.closedAtMs !== undefined);
    if (isMinded && shouldReconnect(this.#facts, nowMs, this.#retryRandom)) {
      this.#reconnect(this.#source.url);
    }
    this.#showState();
    this.#checkQuality(nowMs);
  }

  #reconnect(url: string): void {
    this.#reconnects++;
    this.#auto.restarted();
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
