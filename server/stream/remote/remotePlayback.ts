// Assigns terminals to playback sessions. A terminal plays for one holder at a time: a share link, or a sign-in session
// with all its credentials. A playback session is identified by credential, device and the page's stream id.
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { RemoteFailure, RemoteOrder, RemoteSource } from '../../device/playback/remoteSource.ts';
import type { PlanGate, PlanRefusal } from '../../device/usage/planGate.ts';
import type { OnFault } from '../../faults/onFault.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { NOT_PLAYING, type RemoteEnd, RemoteSession, type RemoteViewer } from './remoteSession.ts';

export interface RemoteSessionKey {
  readonly credential: string;
  readonly deviceId: string;
  readonly streamId: number;
}

export interface RemotePlayRequest extends RemoteSessionKey {
  /** The sign-in session that the credential is bound to; undefined for a link that was given away. */
  readonly session: string | undefined;
  readonly channel: number;
  readonly quality: RemoteOrder['quality'];
  readonly start: WallMs;
  readonly durationMs: number;
}

export type RemotePlayResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: RemoteFailure | 'busy' | PlanRefusal };

interface PlaybackPlans {
  readonly gate: Pick<PlanGate, 'mayStream' | 'subscribe'>;
  /** What viewers are told. */
  readonly refusals: Readonly<Record<PlanRefusal, { readonly code: string; readonly message: string }>>;
}

export interface RemotePlaybackDeps {
  readonly source: RemoteSource;
  readonly plans?: PlaybackPlans | undefined;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** Credentials are kept as their hashes. */
  readonly hashOf: (credential: string) => string;
  readonly onLimit?: OnLimit | undefined;
  readonly onFault: OnFault;
}

/** The result of opening a stream: the session, or how it ended. */
export type RemoteAttachment =
  | { readonly kind: 'attached'; readonly session: RemoteSession; readonly leave: () => void }
  | { readonly kind: 'over'; readonly end: RemoteEnd };

/** A page opens its stream right after its request. If it hasn't by then, it was closed. */
const UNOPENED_MS = 30_000;
/** A page that lost its connection reconnects within this time or not at all. */
const LINGER_MS = 5_000;
/** How long a reconnecting page is still told why its playback ended. */
const REMEMBER_MS = 10 * 60 * 1000;
/** Ended playbacks of which a page can ask the reason. The oldest is forgotten. */
export const REMEMBERED_LIMIT: Limit = { name: 'remote-playback.remembered.process', max: 1_000 };

export type CardListener = (deviceId: string, isWatched: boolean) => void;

interface Playing {
  readonly key: string;
  readonly holder: string;
  readonly channel: number;
  readonly quality: RemoteOrder['quality'];
  readonly session: RemoteSession;
  readonly opening: AbortController;
  viewer: RemoteViewer | undefined;
  cancelTimeout: (() => void) | undefined;
}

export class RemotePlayback {
  readonly #deps: RemotePlaybackDeps;
  /** By device. */
  readonly #playing = new Map<string, Playing>();
  readonly #listeners = new Set<CardListener>();
  /** Oldest first. */
  readonly #over = new Map<string, { readonly end: RemoteEnd; readonly atMs: number }>();
  readonly #unsubscribe: (() => void) | undefined;

  constructor(deps: RemotePlaybackDeps) {
    this.#deps = deps;
    this.#unsubscribe = deps.plans?.gate.subscribe((deviceId) => this.#endBeyondPlan(deviceId));
  }

  /** Resolves when the terminal has begun to send, or won't. Ends an earlier playback of the same holder. */
  async play(request: RemotePlayRequest): Promise<RemotePlayResult> {
    const { deviceId } = request;
    const refusal = this.#refusedByPlan(request);
    if (refusal !== undefined) return { ok: false, code: refusal };
    const before = this.#playing.get(deviceId);
    if (before !== undefined && before.holder !== this.#holderOf(request)) return { ok: false, code: 'busy' };
    if (before !== undefined) this.#break(deviceId, before, TAKEN_OVER);
    const { channel, quality, start, durationMs } = request;
    const order = { deviceId, channel, quality, start, end: wallMs(start + durationMs) };
    const playing = this.#begin(order, request);
    const { session, opening } = playing;
    const opened = await this.#deps.source.open(order, session.listener, opening.signal);
    if (!opened.ok) {
      this.#drop(deviceId, playing);
      return { ok: false, code: this.#refusedByPlan(request) ?? opened.code };
    }
    if (this.#playing.get(deviceId) !== playing) {
      opened.feed.close();
      return { ok: false, code: this.#refusedByPlan(request) ?? 'busy' };
    }
    session.start(opened.feed);
    playing.cancelTimeout = this.#deps.runAfter(UNOPENED_MS, () => this.#drop(deviceId, playing));
    return { ok: true };
  }

  /** Takes the stream of a session over; a page that is connected twice is served on its newer connection. */
  attach(key: RemoteSessionKey & { readonly channel: number }, viewer: RemoteViewer): RemoteAttachment {
    const playing = this.#playing.get(key.deviceId);
    const text = this.#textOf(key);
    if (playing?.key !== text || playing.channel !== key.channel) {
      const end = this.#over.get(text)?.end ?? NOT_PLAYING;
      return { kind: 'over', end };
    }
    playing.cancelTimeout?.();
    playing.viewer?.over(TAKEN_OVER);
    playing.viewer = viewer;
    playing.session.attach(viewer);
    return {
      kind: 'attached',
      session: playing.session,
      leave: () => this.#leave(key.deviceId, playing, viewer),
    };
  }

  /** Ends a session at once: who watches it may not any more. */
  end(key: RemoteSessionKey): void {
    const playing = this.#playing.get(key.deviceId);
    if (playing?.key === this.#textOf(key)) this.#drop(key.deviceId, playing);
  }

  isBusy(deviceId: string): boolean {
    return this.#playing.has(deviceId);
  }

  /** Told before a device is asked to play, and when it plays no more. Returns its own removal. */
  subscribe(listener: CardListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#unsubscribe?.();
    for (const [deviceId, playing] of [...this.#playing]) this.#drop(deviceId, playing);
  }

  #refusedByPlan({ deviceId, quality }: Pick<RemoteOrder, 'deviceId' | 'quality'>): PlanRefusal | undefined {
    const left = this.#deps.plans?.gate.mayStream(deviceId, quality, 'playback');
    return left?.ok === false ? left.reason : undefined;
  }

  /** Only here is the quality known that the terminal was asked for: the page's socket goes by what its link may see. */
  #endBeyondPlan(deviceId: string): void {
    const playing = this.#playing.get(deviceId);
    const refusal = playing && this.#refusedByPlan({ deviceId, quality: playing.quality });
    const text = refusal && this.#deps.plans?.refusals[refusal];
    if (playing !== undefined && text !== undefined) this.#break(deviceId, playing, { kind: 'failed', ...text });
  }

  /** Who watches, or comes back for it, is told why. */
  #break(deviceId: string, playing: Playing, end: RemoteEnd): void {
    playing.viewer?.over(end);
    this.#remember(playing.key, end);
    this.#drop(deviceId, playing);
  }

  #begin(order: RemoteOrder, request: RemotePlayRequest): Playing {
    const { deviceId } = request;
    const key = this.#textOf(request);
    this.#over.delete(key);
    const session = new RemoteSession(order, {
      now: this.#deps.now,
      runAfter: this.#deps.runAfter,
      onFault: this.#deps.onFault,
      onLimit: this.#deps.onLimit,
      onOver: (end) => {
        this.#remember(key, end);
        this.#drop(deviceId, playing);
        playing.viewer?.over(end);
      },
    });
    const playing: Playing = {
      key,
      holder: this.#holderOf(request),
      channel: order.channel,
      quality: order.quality,
      session,
      opening: new AbortController(),
      viewer: undefined,
      cancelTimeout: undefined,
    };
    this.#playing.set(deviceId, playing);
    this.#tell(deviceId, true);
    return playing;
  }

  #leave(deviceId: string, playing: Playing, viewer: RemoteViewer): void {
    playing.session.detach(viewer);
    if (playing.viewer !== viewer || this.#playing.get(deviceId) !== playing) return;
    playing.viewer = undefined;
    playing.cancelTimeout?.();
    playing.cancelTimeout = this.#deps.runAfter(LINGER_MS, () => this.#drop(deviceId, playing));
  }

  #drop(deviceId: string, playing: Playing): void {
    playing.cancelTimeout?.();
    playing.opening.abort();
    playing.session.close();
    if (this.#playing.get(deviceId) !== playing) return;
    this.#playing.delete(deviceId);
    this.#tell(deviceId, false);
  }

  #tell(deviceId: string, isWatched: boolean): void {
    for (const listener of this.#listeners) listener(deviceId, isWatched);
  }

  #textOf({ credential, deviceId, streamId }: RemoteSessionKey): string {
    return JSON.stringify([this.#deps.hashOf(credential), deviceId, streamId]);
  }

  /** Tabs of one browser share their sign-in, and with it the terminal. */
  #holderOf({ credential, session }: RemotePlayRequest): string {
    return session === undefined ? `link ${this.#deps.hashOf(credential)}` : `session ${session}`;
  }

  #remember(key: string, end: RemoteEnd): void {
    const now = this.#deps.now();
    this.#over.set(key, { end, atMs: now });
    if (this.#over.size > REMEMBERED_LIMIT.max) this.#deps.onLimit?.(REMEMBERED_LIMIT);
    for (const [oldest, { atMs }] of this.#over) {
      if (this.#over.size <= REMEMBERED_LIMIT.max && now - atMs < REMEMBER_MS) return;
      this.#over.delete(oldest);
    }
  }
}

const TAKEN_OVER: RemoteEnd = {
  kind: 'failed',
  code: 'taken-over',
  message: "You're playing a recording of this device on another page.",
};
