// One media connection: bytes to packets to frames, and each channel's frames to whoever asked for them.
import type { Socket } from 'node:net';
import type { NetflowKind } from '../../../shared/protocol/netflow/netflowWords.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { MediaLossKind, OnMediaLoss } from '../../media/mediaLoss.ts';
import { isTerminal } from '../jt808/codec/header.ts';
import { plainAddress } from '../tcpServer.ts';
import { NO_SOCKET_USE, type SocketUse, type SocketUses } from '../usage/socketUse.ts';
import { type AssemblerEvent, type DropReason, FrameAssembler, type MediaFrame } from './codec/assembler.ts';
import type { MediaPacket } from './codec/packet.ts';
import { MediaSplitter } from './codec/splitter.ts';
import {
  type MediaEnd,
  type MediaExpectation,
  type MediaExpectations,
  type MediaKey,
  MediaPort,
  type MediaSink,
  type MediaUse,
} from './mediaExpectations.ts';
import { Packetiser } from './packetiser.ts';

export interface MediaSessionDeps {
  readonly expectations: MediaExpectations;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit?: OnLimit | undefined;
  /** Told when the connection has brought the first channel that was asked for. */
  readonly onExpected?: (() => void) | undefined;
  /** Told of losses that belong to no channel; those of a channel go to its sink. */
  readonly onMediaLoss?: OnMediaLoss | undefined;
  readonly uses?: SocketUses | undefined;
}

/** Time until a media connection names a requested channel. It is closed; it is closed at once if a packet names another channel first. */
export const FIRST_PACKET_LIMIT: Limit = { name: 'media.first-packet-ms.connection', max: 10_000 };
/**
 * Bytes that belong to no packet, before the first expected packet. Searching two megabytes for a packet takes a second of processor time,
 * and anybody can connect. The connection is closed.
 */
export const STRANGE_BYTES_LIMIT: Limit = { name: 'media.strange-bytes.connection', max: 1_024 };
/**
 * Time without a packet of a live channel, noticed within another second. A terminal in a tunnel keeps its socket open for minutes, long
 * after the video has stopped. The channel is requested again; its connection is closed with its last channel.
 */
export const SILENCE_LIMIT: Limit = { name: 'media.silence-ms.channel', max: 10_000 };
const SILENCE_CHECK_MS = 1_000;
/** Time without data on a talk connection in either direction. The line is closed. */
export const TALK_SILENCE_LIMIT: Limit = { name: 'media.talk-silence-ms.connection', max: 30_000 };
/** A terminal with a loudspeaker and no microphone sends nothing after it has connected. */
const SILENT_TALKER_MS = 1_000;
/** Unsent speech to a terminal: speech that is seconds late is useless. Later speech is dropped. */
export const UNSENT_LIMIT: Limit = { name: 'media.unsent-bytes.connection', max: 32 * 1024 };

const LOSS_OF_DROP = {
  gap: 'frame-gap',
  interrupted: 'frame-interrupted',
  size: 'frame-size',
  'key-missing': 'frame-key-missing',
  repeated: 'repeated-packet',
  late: 'late-packet',
} as const satisfies Record<DropReason, MediaLossKind>;

interface Reception {
  readonly sink: MediaSink;
  readonly packetiser: Packetiser;
  /** Checks since its last packet. */
  silentChecks: number;
}

/** Owns the socket until it closes. */
export class MediaSession {
  readonly #socket: Socket;
  readonly #port: MediaPort;
  readonly #deps: MediaSessionDeps;
  readonly #remoteAddress: string;
  readonly #use: SocketUse;
  readonly #splitter: MediaSplitter;
  /** One for the connection: many terminals count the packets of all its channels together. */
  readonly #assembler: FrameAssembler;
  /** By channel. A connection is one terminal's. */
  readonly #receptions = new Map<number, Reception>();
  readonly #channelUses = new Map<number, MediaUse>();
  readonly #cancelTimers: (() => void)[] = [];
  #cancelSilence: (() => void) | undefined;
  /** Whose the connection is; undefined before the first packet that was expected. */
  #terminal: string | undefined;
  #strangeBytes = 0;
  #sim: string | undefined;
  #end: MediaEnd = 'terminal';

  constructor(socket: Socket, port: MediaPort, deps: MediaSessionDeps) {
    this.#socket = socket;
    this.#port = port;
    this.#deps = deps;
    this.#remoteAddress = plainAddress(socket.remoteAddress);
    this.#use = deps.uses?.add(socket) ?? NO_SOCKET_USE;
    const isExpected = (digits: string): boolean =>
      this.#terminal === undefined
        ? deps.expectations.isExpected(port, digits, this.#remoteAddress)
        : isTerminal(digits, this.#terminal);
    this.#splitter = new MediaSplitter({ isExpected });
    this.#assembler = new FrameAssembler({}, deps.onLimit);
    this.#cancelTimers.push(deps.runAfter(FIRST_PACKET_LIMIT.max, () => this.#cutUnexpected()));
    if (port === MediaPort.Talk) {
      this.#cancelTimers.push(deps.runAfter(SILENT_TALKER_MS, () => this.#openSilent()));
      socket.setTimeout(TALK_SILENCE_LIMIT.max, () => {
        this.#end = 'silent';
        deps.onLimit?.(TALK_SILENCE_LIMIT);
        socket.destroy();
      });
    }
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('close', () => this.#close());
  }

  #read(chunk: Uint8Array): void {
    let rest = chunk;
    // Until an expected packet has come, input is searched in small parts, so that a stranger is cut off after the first.
    for (; this.#terminal === undefined && rest.length > STRANGE_BYTES_LIMIT.max; ) {
      this.#readPart(rest.subarray(0, STRANGE_BYTES_LIMIT.max));
      if (this.#socket.destroyed) return;
      rest = rest.subarray(STRANGE_BYTES_LIMIT.max);
    }
    this.#readPart(rest);
  }

  #readPart(bytes: Uint8Array): void {
    const arrivalMs = this.#deps.now();
    for (const event of this.#splitter.push(bytes)) {
      if (this.#socket.destroyed) return;
      if (event.kind === 'packet') this.#receive(event.packet, arrivalMs);
      else this.#skip(event.skippedBytes);
    }
  }

  #skip(skippedBytes: number): void {
    this.#lose('resync', 1, this.#onlyReception());
    if (this.#terminal !== undefined) return;
    this.#strangeBytes += skippedBytes;
    if (this.#strangeBytes <= STRANGE_BYTES_LIMIT.max) return;
    this.#deps.onLimit?.(STRANGE_BYTES_LIMIT);
    this.#socket.destroy();
  }

  #receive(packet: MediaPacket, arrivalMs: number): void {
    if (!this.#isOwn(packet.sim)) {
      this.#lose('foreign-packet', 1, undefined);
      return;
    }
    const reception = this.#receptions.get(packet.channel) ?? this.#openFor(packet);
    if (reception !== undefined) reception.silentChecks = 0;
    if (this.#receptions.size === 0) {
      // Nothing on this connection was requested. Closing it makes the terminal stop sending.
      this.#socket.destroy();
      return;
    }
    for (const event of this.#assembler.push(packet, reception !== undefined)) this.#take(event, arrivalMs);
  }

  /** Whether a packet with that number is of the terminal that the connection belongs to. */
  #isOwn(sim: string): boolean {
    if (sim === this.#sim || this.#terminal === undefined) return true;
    if (!isTerminal(sim, this.#terminal)) return false;
    this.#sim = sim;
    return true;
  }

  #take(event: AssemblerEvent, arrivalMs: number): void {
    switch (event.kind) {
      case 'frame':
        this.#deliver(event, arrivalMs);
        return;
      case 'dropped':
        this.#lose(LOSS_OF_DROP[event.reason], 1, this.#receptions.get(event.channel));
        return;
      case 'missing':
        this.#lose('missing-packet', event.packets, this.#receptions.get(event.channel));
        return;
      case 'passthrough':
        return;
    }
  }

  #deliver(frame: MediaFrame, arrivalMs: number): void {
    const reception = this.#receptions.get(frame.channel);
    if (reception === undefined) return;
    reception.sink.frame?.(frame);
    for (const packet of reception.packetiser.push(frame, arrivalMs)) reception.sink.packet(packet);
  }

  #lose(kind: MediaLossKind, count: number, reception: Reception | undefined): void {
    if (reception?.sink.lost === undefined) this.#deps.onMediaLoss?.(kind, count, undefined);
    else reception.sink.lost(kind, count);
  }

  #onlyReception(): Reception | undefined {
    return this.#receptions.size === 1 ? this.#receptions.values().next().value : undefined;
  }

  #cutUnexpected(): void {
    if (this.#receptions.size > 0) return;
    this.#deps.onLimit?.(FIRST_PACKET_LIMIT);
    this.#socket.destroy();
  }

  #openSilent(): void {
    const key = this.#deps.expectations.only(this.#port, this.#remoteAddress);
    if (this.#receptions.size === 0 && key !== undefined) this.#open(key, undefined);
  }

  #openFor({ sim, channel }: MediaPacket): Reception | undefined {
    return this.#open({ port: this.#port, terminal: sim, channel }, sim);
  }

  #open(key: MediaKey, sim: string | undefined): Reception | undefined {
    const expectation = this.#deps.expectations.take(key, this.#remoteAddress);
    if (expectation === undefined) return undefined;
    this.#cancel();
    if (this.#terminal === undefined) this.#deps.onExpected?.();
    this.#terminal = expectation.terminal;
    this.#sim = sim;
    if (expectation.use !== undefined) this.#own(expectation.channel, expectation.use);
    const { sink } = expectation;
    const packetiser = new Packetiser(sink.hints, () => sink.lost?.('group', 1), this.#deps.onLimit);
    const reception = { sink, packetiser, silentChecks: 0 };
    this.#receptions.set(expectation.channel, reception);
    this.#awaitPackets();
    this.#tellOpened(expectation);
    return reception;
  }

  /** Channels that share a connection count as live while one of them is watched. */
  #own(channel: number, use: MediaUse): void {
    this.#channelUses.set(channel, use);
    const kind = (): NetflowKind => {
      const kinds = [...this.#channelUses.values()].map((each) => each.kind());
      return kinds.find((each) => each === 'live') ?? kinds[0] ?? use.kind();
    };
    this.#use.belongsTo({ incarnation: use.incarnation, kind });
  }

  #tellOpened({ sink, channel }: MediaExpectation): void {
    const session = this;
    sink.opened({
      get sim() {
        return session.#sim;
      },
      send: (packet) => this.#send(packet),
      hold: (isHeld) => {
        if (isHeld) this.#socket.pause();
        else this.#socket.resume();
      },
      close: () => this.#release(channel, 'released'),
    });
  }

  /**
   * Releases silent live channels one by one, so that each is requested again however the others are doing. Recordings are
   * not checked here: a viewer may pause one for any time, and the playback session knows when silence is wrong.
   */
  #awaitPackets(): void {
    const isLive = this.#port === MediaPort.Main || this.#port === MediaPort.Sub;
    if (!isLive || this.#cancelSilence !== undefined) return;
    this.#cancelSilence = this.#deps.runAfter(SILENCE_CHECK_MS, () => {
      this.#cancelSilence = undefined;
      this.#awaitPackets();
      for (const [channel, reception] of this.#receptions) {
        reception.silentChecks++;
        if (reception.silentChecks * SILENCE_CHECK_MS <= SILENCE_LIMIT.max) continue;
        this.#deps.onLimit?.(SILENCE_LIMIT);
        this.#release(channel, 'silent');
      }
    });
  }

  #send(packet: Uint8Array): void {
    if (this.#socket.destroyed) return;
    if (this.#socket.writableLength < UNSENT_LIMIT.max) this.#socket.write(packet);
    else this.#deps.onLimit?.(UNSENT_LIMIT);
  }

  #release(channel: number, reason: MediaEnd): void {
    const reception = this.#receptions.get(channel);
    if (reception === undefined) return;
    this.#receptions.delete(channel);
    // The last one stays: what is counted at the end is of its kind.
    if (this.#receptions.size > 0) this.#channelUses.delete(channel);
    reception.sink.ended(reason);
    if (this.#receptions.size === 0) this.#socket.destroy();
  }

  #close(): void {
    this.#cancel();
    this.#cancelSilence?.();
    for (const channel of [...this.#receptions.keys()]) this.#release(channel, this.#end);
  }

  #cancel(): void {
    for (const cancel of this.#cancelTimers.splice(0)) cancel();
  }
}
