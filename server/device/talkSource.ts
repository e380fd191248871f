// Talk-back: one open line to a vehicle, its sound up and a person's voice down.
import { inBackground } from '../faults/background.ts';
import type { OnFault } from '../faults/onFault.ts';
import type { HubPacket } from '../media/hubPacket.ts';
import type { OnMediaLoss } from '../media/mediaLoss.ts';
import { wireChannel } from './channelNumbers.ts';
import { terminalNumber } from './jt808/codec/header.ts';
import type { MediaFrame } from './jt1078/codec/assembler.ts';
import { Downlink, type DownlinkFormat, downlinkFormat, type UplinkFormat } from './jt1078/downlink.ts';
import { hasHiSiliconHeader, stripHiSiliconHeader } from './jt1078/hiSilicon.ts';
import { type MediaConnection, type MediaExpectations, MediaPort, type MediaSink } from './jt1078/mediaExpectations.ts';
import type { DeviceRegistry } from './registry.ts';
import { commandFault, type MediaAddress, type TerminalSession } from './terminalSession.ts';

export interface TalkSourceDeps {
  readonly registry: DeviceRegistry;
  readonly expectations: MediaExpectations;
  readonly mediaAddress: (port: MediaPort, session: TerminalSession) => MediaAddress;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
  readonly onMediaLoss?: OnMediaLoss | undefined;
}

/** Why a line was closed, or never opened. */
export type TalkEnd =
  /** By the person who talked. */
  | 'closed'
  /** By the terminal, or with its connection. */
  | 'terminal'
  | 'offline'
  /** The terminal does not answer, or does not dial. */
  | 'no-answer'
  | 'refused'
  /** The terminal speaks a codec that cannot be made here. */
  | 'codec';

export interface TalkListener {
  /** The line is open; speech is to come as mono samples at this rate. */
  opened(format: { readonly sampleRate: number }): void;
  /** The vehicle's sound, as stream packets. */
  packet(packet: HubPacket): void;
  /** Once, and the last call. */
  ended(reason: TalkEnd): void;
}

export interface TalkLine {
  /** Signed 16-bit mono samples; dropped until the line is open. */
  speak(samples: Int16Array): void;
  close(): void;
}

export type TalkOpening =
  | { readonly ok: true; readonly line: TalkLine }
  | { readonly ok: false; readonly reason: 'offline' | 'busy' };

/** A terminal that accepted the request connects within a second or two. */
const DIAL_TIMEOUT_MS = 10_000;

/** The talk lines of all terminals. A terminal has one loudspeaker, so it has one line. */
export class TalkSource {
  readonly #deps: TalkSourceDeps;
  readonly #lines = new Map<string, Line>();
  readonly #unsubscribe: () => void;

  constructor(deps: TalkSourceDeps) {
    this.#deps = deps;
    // The device went offline or signed in again, so requests to its old session are void.
    this.#unsubscribe = deps.registry.subscribe((deviceId) => this.#lines.get(deviceId)?.end('offline'));
  }

  isBusy(deviceId: string): boolean {
    return this.#lines.has(deviceId);
  }

  /** Asks the terminal to dial; `listener` hears of everything after. */
  open(deviceId: string, channel: number, listener: TalkListener): TalkOpening {
    const session = this.#deps.registry.session(deviceId);
    if (session === undefined) return { ok: false, reason: 'offline' };
    if (this.#lines.has(deviceId)) return { ok: false, reason: 'busy' };
    const line = new Line({ session, channel, av: this.#deps.registry.facts(deviceId).av }, this.#deps, {
      opened: (format) => listener.opened(format),
      packet: (packet) => listener.packet(packet),
      ended: (reason) => {
        this.#lines.delete(deviceId);
        listener.ended(reason);
      },
    });
    this.#lines.set(deviceId, line);
    line.dial();
    return { ok: true, line: { speak: (samples) => line.speak(samples), close: () => line.end('closed') } };
  }

  close(): void {
    this.#unsubscribe();
    for (const line of [...this.#lines.values()]) line.end('closed');
  }
}

interface LineTarget {
  readonly session: TerminalSession;
  readonly channel: number;
  readonly av: Parameters<typeof downlinkFormat>[0];
}

class Line {
  readonly #target: LineTarget;
  readonly #deps: TalkSourceDeps;
  readonly #listener: TalkListener;
  #connection: MediaConnection | undefined;
  #downlink: Downlink | undefined;
  #uplink: UplinkFormat | undefined;
  #isOpen = false;
  #isEnded = false;
  #stopExpecting: () => void = () => undefined;
  #cancelTimeout: () => void = () => undefined;

  constructor(target: LineTarget, deps: TalkSourceDeps, listener: TalkListener) {
    this.#target = target;
    this.#deps = deps;
    this.#listener = listener;
  }

  dial(): void {
    const { session, channel } = this.#target;
    this.#stopExpecting = this.#deps.expectations.expect({
      port: MediaPort.Talk,
      terminal: session.terminal,
      channel: wireChannel(session, channel),
      remoteAddress: session.relaxedMediaAddress ? undefined : session.remoteAddress,
      sink: this.#createSink(),
      use: { incarnation: session.incarnation, kind: () => 'talk' },
    });
    const started = session.startTalk(channel, this.#deps.mediaAddress(MediaPort.Talk, session)).then((result) => {
      if (this.#isEnded || this.#connection !== undefined) return;
      if (result.ok) this.#cancelTimeout = this.#deps.runAfter(DIAL_TIMEOUT_MS, () => this.end('no-answer'));
      else this.end(commandFault(result));
    });
    inBackground('a terminal could not be asked to talk', started, this.#deps.onFault);
  }

  speak(samples: Int16Array): void {
    for (const packet of this.#downlink?.push(samples) ?? []) this.#connection?.send(packet);
  }

  end(reason: TalkEnd): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#stopExpecting();
    this.#cancelTimeout();
    this.#connection?.close();
    // Not awaited: there is no remedy if the terminal doesn't stop, and its socket is already closed.
    if (reason !== 'offline') this.#stopTerminal();
    this.#listener.ended(reason);
  }

  #createSink(): MediaSink {
    return {
      hints: { av: this.#target.av },
      opened: (connection) => {
        this.#cancelTimeout();
        this.#connection = connection;
        // A terminal that sends no sound shows no format, so the one that it reported is used.
        if (connection.sim === undefined) this.#open();
      },
      frame: (frame) => this.#learn(frame),
      packet: (packet) => {
        if (!this.#isEnded) this.#listener.packet(packet);
      },
      lost: (kind, count) => {
        const { session, channel } = this.#target;
        this.#deps.onMediaLoss?.(kind, count, { deviceId: session.deviceId, channel });
      },
      ended: () => this.end('terminal'),
    };
  }

  #stopTerminal(): void {
    const stopped = this.#target.session.stopTalk(this.#target.channel);
    inBackground('a terminal could not be told to stop talking', stopped, this.#deps.onFault);
  }

  #learn(frame: MediaFrame): void {
    if (this.#isEnded || this.#isOpen || frame.media !== 'audio') return;
    const hiSiliconHeader = hasHiSiliconHeader(frame.bytes);
    const frameBytes = stripHiSiliconHeader(frame.bytes).length;
    this.#uplink = { payloadType: frame.payloadType, hiSiliconHeader, frameBytes };
    this.#open();
  }

  #open(): void {
    const { session, channel, av } = this.#target;
    const format: DownlinkFormat | undefined = downlinkFormat(av, this.#uplink);
    if (format === undefined) {
      this.end('codec');
      return;
    }
    const sim = this.#connection?.sim ?? terminalNumber(session.terminal, session.edition).raw;
    this.#downlink = new Downlink(format, { sim, channel: wireChannel(session, channel), nowMs: this.#deps.now() });
    this.#isOpen = true;
    this.#listener.opened({ sampleRate: format.sampleRate });
  }
}
