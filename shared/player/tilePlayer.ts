// Plays one stream in one element of the page: makes the canvas, follows the element's size, and connects anew when the
// stream stops. Plain TypeScript; React knows only openTilePlayer and the state that it reports.
import type { PlayerEngine, PlayerStream, StreamReport } from './engine.ts';
import { addCanvas, type BoxWatch, measureBox, type TileCanvas, watchBox } from './tileCanvas.ts';
import {
  connectedFacts,
  isSameState,
  notedFacts,
  reconnectedFacts,
  shouldReconnect,
  type TileFacts,
  type TileState,
  tileStateOf,
} from './tileState.ts';

export interface TilePlayerOptions {
  /** The tile fills it. It must be positioned. */
  readonly host: HTMLElement;
  readonly url: string;
  /** The device's channel number. */
  readonly channel: number;
  /** Called with every change, never after `close`. */
  readonly onState: (state: TileState) => void;
  /** A stream that was open has closed, whoever closed it. */
  readonly onClosed?: (() => void) | undefined;
}

/** Clock, timers and chance, for tests. */
export interface TileEnvironment {
  readonly now: () => number;
  /** Runs something again and again; returns its own cancel. */
  readonly every: (intervalMs: number, run: () => void) => () => void;
  readonly random: () => number;
  readonly isVisible: () => boolean;
  /** Calls when the page comes into sight or the network comes back; returns its own cancel. */
  readonly onWake: (run: () => void) => () => void;
}

const CHECK_INTERVAL_MS = 200;

export const browserEnvironment: TileEnvironment = {
  now: () => performance.now(),
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
  readonly #boxWatch: BoxWatch;
  readonly #cancels: (() => void)[];
  #canvas: TileCanvas;
  /** A canvas that failed stays in sight until its successor has a picture. */
  #failedCanvas: TileCanvas | undefined;
  #facts: TileFacts;
  #state: TileState = { kind: 'idle' };
  #retryRandom: number;
  #isStreamOpen = false;
  #isClosed = false;

  constructor(engine: PlayerEngine, options: TilePlayerOptions, environment: TileEnvironment = browserEnvironment) {
    this.#options = options;
    this.#environment = environment;
    const { host, url, channel } = options;
    this.#facts = connectedFacts(environment.now());
    this.#retryRandom = environment.random();
    this.#canvas = addCanvas(host);
    this.#stream = engine.openStream({
      url,
      channel,
      canvas: this.#canvas.offscreen,
      box: measureBox(host),
      onReport: (report) => this.#note(report),
    });
    this.#boxWatch = watchBox(host, (box) => this.#stream.resize(box));
    const check = () => this.#check();
    this.#cancels = [environment.every(CHECK_INTERVAL_MS, check), environment.onWake(check)];
    this.#showState();
  }

  /** Ends the stream and takes the canvas away. Safe to call twice. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const cancel of this.#cancels) cancel();
    this.#boxWatch.close();
    this.#stream.close();
    this.#failedCanvas?.remove();
    this.#canvas.remove();
  }

  #note(report: StreamReport): void {
    this.#facts = notedFacts(this.#facts, report, this.#environment.now());
    if (report.type === 'opened') this.#isStreamOpen = true;
    if (report.type === 'closed') this.#noteClosed();
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

  #check(): void {
    const nowMs = this.#environment.now();
    // Out of sight nobody misses a picture, and timers that run once a minute would judge wrongly.
    if (this.#environment.isVisible() && shouldReconnect(this.#facts, nowMs, this.#retryRandom)) {
      this.#facts = reconnectedFacts(this.#facts, nowMs);
      this.#stream.reconnect();
    }
    this.#showState();
  }

  #showState(): void {
    const state = tileStateOf(this.#facts, this.#environment.now());
    if (isSameState(state, this.#state)) return;
    this.#state = state;
    this.#options.onState(state);
  }
}
