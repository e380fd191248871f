// Plays one stream in one element of the page: makes the canvas, follows the element's size, and connects anew when the
// stream stops. Plain TypeScript; React knows only openTilePlayer and the state that it reports.
import type { PlayerEngine, PlayerStream, StreamReport } from './engine.ts';
import { addCanvas, type BoxWatch, measureBox, type TileCanvas, watchBox } from './tileCanvas.ts';
import { hasAudio, type SoundState, withAudio } from './tileSound.ts';
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
}

/** What streams of a page do together. */
export interface StreamSession {
  join(stream: Pick<PlayerStream, 'send'>): SessionSeat;
}

/** One stream's place in a session. Whoever joined leaves. */
export interface SessionSeat {
  /** To be told every report of the stream. */
  note(report: StreamReport): void;
  leave(): void;
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
}

const CHECK_INTERVAL_MS = 200;
/** Checks that come so much apart, in sight, mean that the machine slept. */
const SLEPT_MS = 5_000;

export const browserEnvironment: TileEnvironment = {
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
    return () => {
      document.removeEventListener('visibilitychange', run);
      window.removeEventListener('online', run);
    };
  },
};

export class TilePlayer {
  readonly #options: TilePlayerOptions;
  readonly #environment: TileEnvironment;
  readonly #stream: PlayerStream;
  readonly #seat: SessionSeat | undefined;
  readonly #boxWatch: BoxWatch;
  readonly #cancels: (() => void)[];
  #canvas: TileCanvas;
  /** A canvas that failed stays in sight until its successor has a picture. */
  #failedCanvas: TileCanvas | undefined;
  #facts: TileFacts;
  #state: TileState = { kind: 'idle' };
  #url: string;
  #sound: SoundState;
  #retryRandom: number;
  #isVideoOn = true;
  #lastCheckWallMs: number;
  #isStreamOpen = false;
  #isClosed = false;

  constructor(engine: PlayerEngine, options: TilePlayerOptions, environment: TileEnvironment = browserEnvironment) {
    this.#options = options;
    this.#environment = environment;
    const { host, url, channel, session } = options;
    this.#url = url;
    this.#sound = { isOn: hasAudio(url), isBlocked: false };
    this.#lastCheckWallMs = environment.wallNow();
    this.#facts = connectedFacts(environment.now());
    this.#retryRandom = environment.random();
    this.#canvas = addCanvas(host);
    this.#stream = engine.openStream({
      url,
      channel,
      canvas: this.#canvas.offscreen,
      box: measureBox(host),
      onReport: (report) => this.#note(report),
      isSession: session !== undefined,
    });
    this.#seat = session?.join(this.#stream);
    this.#stream.setAudible(this.#sound.isOn);
    this.#boxWatch = watchBox(host, (box) => this.#stream.resize(box));
    const check = () => this.#check();
    this.#cancels = [environment.every(CHECK_INTERVAL_MS, check), environment.onWake(() => this.#wake())];
    this.#showState();
  }

  /** Makes the stream heard or not. A stream that was opened without sound is opened anew with it. */
  setSound(isOn: boolean): void {
    if (isOn && !hasAudio(this.#url)) this.#reconnect(withAudio(this.#url));
    this.#stream.setAudible(isOn);
    this.#showSound({ ...this.#sound, isOn });
  }

  /** Ends the stream and takes the canvas away. Safe to call twice. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const cancel of this.#cancels) cancel();
    this.#boxWatch.close();
    this.#seat?.leave();
    this.#stream.close();
    this.#failedCanvas?.remove();
    this.#canvas.remove();
  }

  #note(report: StreamReport): void {
    this.#seat?.note(report);
    this.#facts = notedFacts(this.#facts, report, this.#environment.now());
    if (report.type === 'opened') this.#noteOpened();
    if (report.type === 'closed') this.#noteClosed();
    if (report.type === 'sound') this.#showSound({ ...this.#sound, isBlocked: report.isBlocked });
    if (report.type === 'video-fault') this.#handleFault(report.fault.kind);
    if (report.type === 'first-picture') this.#dropFailedCanvas();
    this.#showState();
  }

  #noteClosed(): void {
    this.#retryRandom = this.#environment.random();
    // An attempt that never got through closes too; nobody has lost a stream by it.
    if (this.#isStreamOpen) this.#options.onClosed?.();
    this.#isStreamOpen = false;
  }

  /** A fault that ends a decoder or a canvas gives the tile a new canvas; the stream goes on. */
  #handleFault(kind: (StreamReport & { readonly type: 'video-fault' })['fault']['kind']): void {
    if (kind !== 'decode' && kind !== 'canvas') return;
    const { host } = this.#options;
    this.#dropFailedCanvas();
    this.#failedCanvas = this.#canvas;
    this.#canvas = addCanvas(host);
    this.#stream.replaceCanvas(this.#canvas.offscreen, measureBox(host));
  }

  #dropFailedCanvas(): void {
    this.#failedCanvas?.remove();
    this.#failedCanvas = undefined;
  }

  #noteOpened(): void {
    this.#isStreamOpen = true;
    // A stream begins with video; one that is opened out of sight must be told.
    this.#isVideoOn = true;
    this.#followSight();
  }

  /** Out of sight the server is asked for sound alone: what nobody sees costs the device no picture. */
  #followSight(): void {
    const isVisible = this.#environment.isVisible();
    if (isVisible === this.#isVideoOn || !this.#isStreamOpen) return;
    this.#isVideoOn = isVisible;
    this.#stream.send({ type: 'video', on: isVisible });
  }

  #wake(): void {
    this.#followSight();
    if (this.#environment.isVisible()) this.#facts = wokenFacts(this.#facts, this.#environment.now());
    this.#check();
  }

  #check(): void {
    const nowMs = this.#environment.now();
    const isVisible = this.#environment.isVisible();
    const wallMs = this.#environment.wallNow();
    if (isVisible && wallMs - this.#lastCheckWallMs > SLEPT_MS) this.#facts = wokenFacts(this.#facts, nowMs);
    this.#lastCheckWallMs = wallMs;
    // Out of sight nobody misses a picture, but a tile that is heard is missed; timers are slow there, not wrong.
    const isMinded = isVisible || (this.#sound.isOn && this.#facts.closedAtMs !== undefined);
    if (isMinded && shouldReconnect(this.#facts, nowMs, this.#retryRandom)) {
      this.#reconnect(this.#url);
    }
    this.#showState();
  }

  #reconnect(url: string): void {
    this.#url = url;
    this.#facts = reconnectedFacts(this.#facts, this.#environment.now());
    this.#isStreamOpen = false;
    this.#stream.reconnect(url);
  }

  #showSound(sound: SoundState): void {
    if (sound.isOn === this.#sound.isOn && sound.isBlocked === this.#sound.isBlocked) return;
    this.#sound = sound;
    this.#options.onSound?.(sound);
  }

  #showState(): void {
    const state = tileStateOf(this.#facts, this.#environment.now());
    if (isSameState(state, this.#state)) return;
    this.#state = state;
    this.#options.onState(state);
  }
}
