// One wanted live stream of one channel: asked for, awaited, received, asked for again while somebody wants it.
import { inBackground } from '../faults/background.ts';
import type { OnFault } from '../faults/onFault.ts';
import type { ChannelKey } from '../media/channelKey.ts';
import { ReorderWatch } from '../media/h264/reorderWatch.ts';
import type { ChannelOutput, ViewerPurpose } from '../media/hub.ts';
import type { OnMediaLoss } from '../media/mediaLoss.ts';
import type { StampMemory } from '../media/presentationTimes.ts';
import { type Backoff, createBackoff } from './backoff.ts';
import { wireChannel } from './channelNumbers.ts';
import { type MediaExpectations, MediaPort, type MediaSink } from './jt1078/mediaExpectations.ts';
import type { DeviceRegistry } from './registry.ts';
import type { MediaAddress, TerminalSession } from './terminalSession.ts';
import type { PlanGate } from './usage/planGate.ts';

export interface LiveStreamDeps {
  readonly registry: DeviceRegistry;
  readonly expectations: MediaExpectations;
  readonly mediaAddress: (port: MediaPort, session: TerminalSession) => MediaAddress;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly random: () => number;
  readonly onFault: OnFault;
  readonly onMediaLoss?: OnMediaLoss | undefined;
  readonly plans: Pick<PlanGate, 'mayStream' | 'subscribe'>;
}

/** Why there is no video now, or why the last attempt failed. */
export type LiveFailure =
  | 'refused'
  | 'no-answer'
  /** The terminal accepted and did not dial. */
  | 'no-dial'
  /** The terminal closed its media connection. */
  | 'terminal'
  | 'silent'
  /** Pictures came, and no key frame that somebody waited for. */
  | 'no-key'
  /** The device's data plan is used up. */
  | 'plan';

/** How a wanted stream fares; `failure` is what ended the last attempt, until pictures come. */
export interface LiveStatus {
  readonly state: 'offline' | 'asking' | 'dialling' | 'receiving' | 'backing-off' | 'withheld' | 'closed';
  readonly failure: LiveFailure | undefined;
}

/** A terminal that accepted the request connects within a second or two; one that hasn't in ten won't. */
const DIAL_TIMEOUT_MS = 10_000;
/**
 * Some encoders send one key frame at the start of a stream and none after it. Whoever comes later, or lost something, sees nothing
 * until the stream is asked for anew.
 */
const KEY_TIMEOUT_MS = 10_000;

type State =
  | { readonly kind: 'offline' }
  | { readonly kind: 'asking'; readonly stopExpecting: () => void }
  | { readonly kind: 'dialling'; readonly stopExpecting: () => void; readonly cancelTimeout: () => void }
  | { readonly kind: 'receiving'; readonly close: () => void }
  | { readonly kind: 'backing-off'; readonly cancel: () => void }
  /** The device's data plan leaves it no such stream. */
  | { readonly kind: 'withheld' }
  | { readonly kind: 'closed' };

export class LiveStream {
  readonly #key: ChannelKey;
  readonly #output: ChannelOutput;
  readonly #deps: LiveStreamDeps;
  readonly #backoff: Backoff;
  /** Kept across connections: a camera with B pictures still has them after a reconnect. */
  readonly #reorder = new ReorderWatch();
  readonly #stamps: StampMemory = { areDecodingTimes: false };
  #state: State = { kind: 'offline' };
  #failure: LiveFailure | undefined;
  /** Somebody can decode nothing before the next key frame. */
  #isKeyAwaited = true;
  /** Runs from the first picture on that came while a key frame is awaited. */
  #cancelKeyTimeout: (() => void) | undefined;

  constructor(key: ChannelKey, output: ChannelOutput, deps: LiveStreamDeps) {
    this.#key = key;
    this.#output = output;
    this.#deps = deps;
    this.#backoff = createBackoff(deps.random);
    this.#ask();
  }

  /** The device has signed in (again), so requests to an earlier session are void. */
  deviceOnline(): void {
    if (this.#state.kind === 'closed') return;
    this.#backoff.reset();
    this.#leave();
    this.#ask();
  }

  /** Drops the current terminal's stream, and continues when a terminal signs in. */
  forget(): void {
    if (this.#state.kind === 'closed') return;
    this.#leave();
    this.#state = { kind: 'offline' };
  }

  /** The data plan of the device, or who wants the stream, is otherwise than before. */
  planChanged(): void {
    const mayStream = this.#mayStream();
    if (this.#state.kind === 'closed' || mayStream === (this.#state.kind !== 'withheld')) return;
    if (mayStream) {
      this.#failure = undefined;
      this.#ask();
      return;
    }
    const wasAsked = this.#state.kind !== 'offline';
    this.#withhold();
    if (wasAsked) this.#stopTerminal();
  }

  /** A viewer can decode nothing before the next key frame. */
  keyAwaited(): void {
    this.#isKeyAwaited = true;
  }

  get status(): LiveStatus {
    return { state: this.#state.kind, failure: this.#failure };
  }

  /** Ends the stream. `tellTerminal` is false while the channel's other stream is wanted, since 0x9102 would end both. */
  close(tellTerminal = true): void {
    if (this.#state.kind === 'closed') return;
    const wasAsked = this.#state.kind !== 'offline' && this.#state.kind !== 'withheld';
    this.#leave();
    this.#state = { kind: 'closed' };
    if (wasAsked && tellTerminal) this.#stopTerminal();
  }

  #stopTerminal(): void {
    // Not awaited: there is no remedy if the terminal doesn't stop, and its socket is already closed.
    const stopping = this.#session()?.stopLive(this.#key);
    if (stopping !== undefined) inBackground('a terminal could not be told to stop', stopping, this.#deps.onFault);
  }

  #session(): TerminalSession | undefined {
    return this.#deps.registry.session(this.#key.deviceId);
  }

  /**
   * Whether the plan allows it depends on who wants the stream, and changes while it runs: a channel is sent once, for viewers, the recorder
   * and events. A stream that nobody wants any more ends by itself.
   */
  #mayStream(): boolean {
    const purposes = this.#output.purposes?.(this.#key) ?? [];
    const { deviceId, quality } = this.#key;
    const may = (purpose: ViewerPurpose): boolean => this.#deps.plans.mayStream(deviceId, quality, purpose).ok;
    return purposes.length === 0 || purposes.some(may);
  }

  #withhold(): void {
    this.#failure = 'plan';
    this.#leave();
    this.#state = { kind: 'withheld' };
  }

  #ask(): void {
    if (!this.#mayStream()) {
      this.#withhold();
      return;
    }
    const session = this.#session();
    if (session === undefined) {
      this.#state = { kind: 'offline' };
      return;
    }
    const port = this.#key.quality === 'main' ? MediaPort.Main : MediaPort.Sub;
    // Expect the media connection before sending the request: some terminals dial before they answer.
    const asking: State = { kind: 'asking', stopExpecting: this.#expect(session, port) };
    this.#state = asking;
    const started = session.startLive(this.#key, this.#deps.mediaAddress(port, session)).then((result) => {
      if (this.#state !== asking) return;
      if (result.ok) this.#awaitDial(asking.stopExpecting);
      else this.#retryLater(result.reason === 'refused' ? 'refused' : 'no-answer');
    });
    inBackground('a terminal could not be asked for its pictures', started, this.#deps.onFault);
  }

  #expect(session: TerminalSession, port: MediaPort): () => void {
    return this.#deps.expectations.expect({
      port,
      terminal: session.terminal,
      channel: wireChannel(session, this.#key.channel),
      remoteAddress: session.relaxedMediaAddress ? undefined : session.remoteAddress,
      sink: this.#createSink(),
      use: {
        incarnation: session.incarnation,
        kind: () => (this.#isRecordedAlone() ? 'recording' : 'live'),
      },
    });
  }

  #isRecordedAlone(): boolean {
    const purposes = this.#output.purposes?.(this.#key) ?? [];
    return purposes.length > 0 && !purposes.includes('viewer');
  }

  #awaitDial(stopExpecting: () => void): void {
    const cancelTimeout = this.#deps.runAfter(DIAL_TIMEOUT_MS, () => this.#retryLater('no-dial'));
    this.#state = { kind: 'dialling', stopExpecting, cancelTimeout };
  }

  #createSink(): MediaSink {
    let isCurrent = false;
    return {
      hints: { av: this.#deps.registry.facts(this.#key.deviceId).av, reorder: this.#reorder, stamps: this.#stamps },
      opened: (connection) => {
        this.#leave();
        isCurrent = true;
        this.#isKeyAwaited = true;
        this.#state = {
          kind: 'receiving',
          close: () => {
            isCurrent = false;
            connection.close();
          },
        };
      },
      frame: ({ media }) => {
        if (isCurrent && media === 'video') this.#awaitKey();
      },
      packet: (packet) => {
        if (!isCurrent) return;
        if (packet.isVideo && packet.isKey) this.#keyCame();
        this.#backoff.reset();
        this.#failure = undefined;
        this.#output.publish(this.#key, packet);
      },
      lost: (kind, count) => {
        if (isCurrent && kind === 'group') this.#isKeyAwaited = true;
        this.#deps.onMediaLoss?.(kind, count, this.#key);
      },
      ended: (reason) => {
        if (isCurrent) this.#retryLater(reason === 'silent' ? 'silent' : 'terminal');
      },
    };
  }

  #awaitKey(): void {
    if (!this.#isKeyAwaited || this.#cancelKeyTimeout !== undefined) return;
    this.#cancelKeyTimeout = this.#deps.runAfter(KEY_TIMEOUT_MS, () => this.#retryLater('no-key'));
  }

  #keyCame(): void {
    this.#isKeyAwaited = false;
    this.#cancelKeyTimeout?.();
    this.#cancelKeyTimeout = undefined;
  }

  #retryLater(failure: LiveFailure): void {
    this.#failure = failure;
    this.#leave();
    this.#state = { kind: 'backing-off', cancel: this.#deps.runAfter(this.#backoff.nextMs(), () => this.#ask()) };
  }

  /** Lets go of whatever the present state holds. */
  #leave(): void {
    const state = this.#state;
    switch (state.kind) {
      case 'offline':
      case 'withheld':
      case 'closed':
        return;
      case 'asking':
        state.stopExpecting();
        return;
      case 'dialling':
        state.stopExpecting();
        state.cancelTimeout();
        return;
      case 'receiving':
        this.#cancelKeyTimeout?.();
        this.#cancelKeyTimeout = undefined;
        state.close();
        this.#output.interrupt(this.#key);
        return;
      case 'backing-off':
        state.cancel();
        return;
    }
  }
}
