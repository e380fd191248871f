// One wanted live stream of one channel: asked for, awaited, received, asked for again while somebody wants it.
import type { ChannelKey } from '../stream/channelKey.ts';
import type { HubPacket } from '../stream/hubPacket.ts';
import { type Backoff, createBackoff } from './backoff.ts';
import { type MediaExpectations, MediaPort, type MediaSink } from './jt1078/mediaExpectations.ts';
import type { DeviceRegistry } from './registry.ts';
import type { MediaAddress, TerminalSession } from './terminalSession.ts';

export interface LiveStreamDeps {
  readonly registry: DeviceRegistry;
  readonly expectations: MediaExpectations;
  readonly mediaAddress: (port: MediaPort, session: TerminalSession) => MediaAddress;
  readonly after: (delayMs: number, run: () => void) => () => void;
  readonly random: () => number;
  readonly publish: (key: ChannelKey, packet: HubPacket) => void;
  readonly interrupt: (key: ChannelKey) => void;
}

/** A terminal that accepted the request dials within a second or two; one that has not in ten will not. */
const DIAL_TIMEOUT_MS = 10_000;

type State =
  | { readonly kind: 'offline' }
  | { readonly kind: 'asking'; readonly stopExpecting: () => void }
  | { readonly kind: 'dialling'; readonly stopExpecting: () => void; readonly cancelTimeout: () => void }
  | { readonly kind: 'receiving'; readonly close: () => void }
  | { readonly kind: 'backing-off'; readonly cancel: () => void }
  | { readonly kind: 'closed' };

export class LiveStream {
  readonly #key: ChannelKey;
  readonly #deps: LiveStreamDeps;
  readonly #backoff: Backoff;
  #state: State = { kind: 'offline' };

  constructor(key: ChannelKey, deps: LiveStreamDeps) {
    this.#key = key;
    this.#deps = deps;
    this.#backoff = createBackoff(deps.random);
    this.#ask();
  }

  /** The device has signed in, anew or for the first time: what was asked of its old session is void. */
  deviceOnline(): void {
    if (this.#state.kind === 'closed') return;
    this.#backoff.reset();
    this.#leave();
    this.#ask();
  }

  /** Ends the stream and tells the terminal so. */
  close(): void {
    if (this.#state.kind === 'closed') return;
    const wasOffline = this.#state.kind === 'offline';
    this.#leave();
    this.#state = { kind: 'closed' };
    if (wasOffline) return;
    // Not awaited: nobody can do anything about a terminal that does not stop; its socket is closed already.
    void this.#session()?.stopLive(this.#key);
  }

  #session(): TerminalSession | undefined {
    return this.#deps.registry.session(this.#key.deviceId);
  }

  #ask(): void {
    const session = this.#session();
    if (session === undefined) {
      this.#state = { kind: 'offline' };
      return;
    }
    const port = this.#key.quality === 'main' ? MediaPort.Main : MediaPort.Sub;
    // The door opens before the request goes out: terminals have dialled before their answer arrived.
    const asking: State = { kind: 'asking', stopExpecting: this.#expect(session, port) };
    this.#state = asking;
    void session.startLive(this.#key, this.#deps.mediaAddress(port, session)).then((result) => {
      if (this.#state !== asking) return;
      if (result.ok) this.#awaitDial(asking.stopExpecting);
      else this.#retryLater();
    });
  }

  #expect(session: TerminalSession, port: MediaPort): () => void {
    return this.#deps.expectations.expect({
      port,
      terminal: session.terminal,
      channel: this.#key.channel,
      remoteAddress: session.relaxedMediaAddress ? undefined : session.remoteAddress,
      sink: this.#createSink(),
    });
  }

  #awaitDial(stopExpecting: () => void): void {
    const cancelTimeout = this.#deps.after(DIAL_TIMEOUT_MS, () => this.#retryLater());
    this.#state = { kind: 'dialling', stopExpecting, cancelTimeout };
  }

  #createSink(): MediaSink {
    let isCurrent = false;
    return {
      opened: (close) => {
        this.#leave();
        isCurrent = true;
        this.#state = {
          kind: 'receiving',
          close: () => {
            isCurrent = false;
            close();
          },
        };
      },
      packet: (packet) => {
        if (!isCurrent) return;
        this.#backoff.reset();
        this.#deps.publish(this.#key, packet);
      },
      ended: () => {
        if (!isCurrent) return;
        this.#retryLater();
      },
    };
  }

  #retryLater(): void {
    this.#leave();
    this.#state = { kind: 'backing-off', cancel: this.#deps.after(this.#backoff.nextMs(), () => this.#ask()) };
  }

  /** Lets go of whatever the present state holds. */
  #leave(): void {
    const state = this.#state;
    switch (state.kind) {
      case 'offline':
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
        state.close();
        this.#deps.interrupt(this.#key);
        return;
      case 'backing-off':
        state.cancel();
        return;
    }
  }
}
