// Recordings that terminals keep, as remote playback plays them: asked for, awaited, received, steered, stopped.

import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import type { OnMediaLoss } from '../../media/mediaLoss.ts';
import { wireChannel } from '../channelNumbers.ts';
import { type MediaConnection, type MediaExpectations, MediaPort } from '../jt1078/mediaExpectations.ts';
import type { DeviceRegistry } from '../registry.ts';
import type { MediaAddress, PlaybackControlOrder, TerminalSession } from '../terminalSession.ts';
import { askRecordings } from './askRecordings.ts';
import { failureOf } from './failureOf.ts';
import type { RemoteFailure, RemoteListener, RemoteOpening, RemoteOrder, RemoteSource } from './remoteSource.ts';

export interface PlaybackSourceDeps {
  readonly registry: DeviceRegistry;
  readonly expectations: MediaExpectations;
  readonly mediaAddress: (port: MediaPort, session: TerminalSession) => MediaAddress;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
  readonly onMediaLoss?: OnMediaLoss | undefined;
}

/** A terminal that accepted the request connects once it has found the recording on its storage. */
const DIAL_TIMEOUT_MS = 10_000;
/** Stamps further apart than this, at normal speed, are a gap in the recording, a jump, or a clock change. */
const MAX_STEP_MS = 5_000;

export class PlaybackSource implements RemoteSource {
  readonly #deps: PlaybackSourceDeps;
  readonly #feeds = new Set<Feed>();
  readonly #unsubscribe: () => void;

  constructor(deps: PlaybackSourceDeps) {
    this.#deps = deps;
    // Whether it has gone or signed in anew: what was asked of its old session is void.
    this.#unsubscribe = deps.registry.subscribe((deviceId) => {
      for (const feed of this.#feeds) if (feed.deviceId === deviceId) feed.lost();
    });
  }

  async open(order: RemoteOrder, listener: RemoteListener, signal: AbortSignal): Promise<RemoteOpening> {
    const session = this.#deps.registry.session(order.deviceId);
    if (session === undefined) return { ok: false, code: 'device-offline' };
    // Some terminals answer a playback request only after they were asked for their list, and an empty list saves them the
    // search.
    const listed = await askRecordings(session, order);
    if (!listed.ok && listed.reason !== 'refused') return { ok: false, code: failureOf(listed) };
    if (listed.ok && listed.answer.length === 0) return { ok: false, code: 'nothing-recorded' };
    if (signal.aborted) return { ok: false, code: 'device-no-answer' };
    const ends = listed.ok ? listed.answer.flatMap(({ end }) => (end === undefined ? [] : [end])) : [];
    const recordedEnd = ends.length === 0 ? undefined : wallMs(Math.max(...ends));
    const feed = new Feed({ order, session, recordedEnd }, this.#deps, {
      packet: (packet) => listener.packet(packet),
      ended: (reason) => {
        this.#feeds.delete(feed);
        listener.ended(reason);
      },
      closed: () => this.#feeds.delete(feed),
    });
    this.#feeds.add(feed);
    return feed.open(signal);
  }

  close(): void {
    this.#unsubscribe();
    for (const feed of [...this.#feeds]) feed.close();
  }
}

interface FeedTarget {
  readonly order: RemoteOrder;
  readonly session: TerminalSession;
  readonly recordedEnd: WallMs | undefined;
}

interface FeedListener extends RemoteListener {
  closed(): void;
}

class Feed {
  readonly recordedEnd: WallMs | undefined;
  readonly #target: FeedTarget;
  readonly #deps: PlaybackSourceDeps;
  readonly #listener: FeedListener;
  #speed = 1;
  #connection: MediaConnection | undefined;
  #isOver = false;
  #stopExpecting: () => void = () => undefined;
  #settleOpening: (reason: RemoteFailure | undefined) => void = () => undefined;

  constructor(target: FeedTarget, deps: PlaybackSourceDeps, listener: FeedListener) {
    this.#target = target;
    this.#deps = deps;
    this.#listener = listener;
    this.recordedEnd = target.recordedEnd;
  }

  get deviceId(): string {
    return this.#target.order.deviceId;
  }

  async open(signal: AbortSignal): Promise<RemoteOpening> {
    let dialled: () => void = () => undefined;
    const dialling = new Promise<void>((resolve) => {
      dialled = resolve;
    });
    const opening = new Promise<RemoteFailure | undefined>((resolve) => {
      this.#settleOpening = resolve;
    });
    const abort = (): void => this.close();
    signal.addEventListener('abort', abort);
    this.#expect(dialled);
    this.#request(dialling);
    const failure = await opening;
    signal.removeEventListener('abort', abort);
    if (failure === undefined) return { ok: true, feed: this };
    this.close();
    return { ok: false, code: failure };
  }

  play(): Promise<boolean> {
    return this.#control({ kind: 'play' }, 1);
  }

  pause(): Promise<boolean> {
    return this.#control({ kind: 'pause' }, this.#speed);
  }

  fastForward(speed: number): Promise<boolean> {
    return this.#control({ kind: 'fast-forward', speed }, speed);
  }

  seek(position: WallMs): Promise<boolean> {
    return this.#control({ kind: 'seek', position }, this.#speed);
  }

  hold(isHeld: boolean): void {
    this.#connection?.hold(isHeld);
  }

  close(): void {
    if (!this.#end()) return;
    // Not awaited: nobody can do anything about a terminal that does not stop; its socket is closed already.
    const stopped = this.#target.session.controlPlayback(this.#target.order.channel, { kind: 'stop' });
    inBackground('a terminal could not be told to stop its playback', stopped, this.#deps.onFault);
    this.#listener.closed();
  }

  /** The terminal's session is over. */
  lost(): void {
    if (this.#connection === undefined) {
      this.#settleOpening('device-offline');
      return;
    }
    if (this.#end()) this.#listener.ended('offline');
  }

  /** Expect the media connection before sending the request: some terminals dial before they answer. */
  #expect(dialled: () => void): void {
    const { session, order } = this.#target;
    this.#stopExpecting = this.#deps.expectations.expect({
      port: MediaPort.Playback,
      terminal: session.terminal,
      channel: wireChannel(session, order.channel),
      remoteAddress: session.relaxedMediaAddress ? undefined : session.remoteAddress,
      use: { incarnation: session.incarnation, kind: () => order.use ?? 'playback' },
      sink: {
        hints: { av: this.#deps.registry.facts(order.deviceId).av, maxStepMs: () => MAX_STEP_MS * this.#speed },
        opened: (connection) => {
          this.#connection = connection;
          dialled();
          this.#settleOpening(undefined);
        },
        packet: (packet) => {
          if (!this.#isOver) this.#listener.packet(packet);
        },
        lost: (kind, count) => this.#deps.onMediaLoss?.(kind, count, order),
        ended: () => {
          if (this.#end()) this.#listener.ended('terminal');
        },
      },
    });
  }

  #request(dialling: Promise<unknown>): void {
    const { session, order } = this.#target;
    const mediaAddress = this.#deps.mediaAddress(MediaPort.Playback, session);
    const started = session.startPlayback(order, mediaAddress, dialling).then((result) => {
      if (this.#isOver || this.#connection !== undefined) return;
      if (!result.ok) {
        this.#settleOpening(failureOf(result));
        return;
      }
      if (result.answer?.items.length === 0) {
        this.#settleOpening('nothing-recorded');
        return;
      }
      const cancel = this.#deps.runAfter(DIAL_TIMEOUT_MS, () => this.#settleOpening('device-no-answer'));
      return dialling.then(cancel);
    });
    inBackground('a terminal could not be asked for a recording', started, this.#deps.onFault);
  }

  async #control(order: PlaybackControlOrder, speed: number): Promise<boolean> {
    if (this.#isOver) return false;
    const speedBefore = this.#speed;
    // Set before sending, because media at the new speed may arrive before the answer.
    this.#speed = Math.max(speed, speedBefore);
    const result = await this.#target.session.controlPlayback(this.#target.order.channel, order);
    this.#speed = result.ok ? speed : speedBefore;
    return result.ok;
  }

  /** Whether it was still going on. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#stopExpecting();
    this.#connection?.close();
    this.#settleOpening('device-no-answer');
    return true;
  }
}
