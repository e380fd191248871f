// One media connection: bytes to packets to frames, and each channel's frames to whoever asked for them.
import type { Socket } from 'node:net';
import { canonicalTerminal } from '../jt808/codec/header.ts';
import { plainAddress } from '../tcpServer.ts';
import { FrameAssembler, type MediaFrame } from './codec/assembler.ts';
import type { MediaPacket } from './codec/packet.ts';
import { MediaSplitter } from './codec/splitter.ts';
import {
  type MediaEnd,
  type MediaExpectations,
  type MediaKey,
  MediaPort,
  type MediaSink,
} from './mediaExpectations.ts';
import { Packetiser } from './packetiser.ts';

export interface MediaSessionDeps {
  readonly expectations: MediaExpectations;
  readonly now: () => number;
  readonly after: (delayMs: number, run: () => void) => () => void;
}

/** A socket that names no expected channel in this time has nothing for us. */
const FIRST_PACKET_TIMEOUT_MS = 10_000;
/** A terminal in a tunnel keeps its socket open for minutes; the picture is gone long before. */
const SILENCE_TIMEOUT_MS = 30_000;
/** A loudspeaker without a microphone says nothing when it has dialled. */
const SILENT_TALKER_MS = 1_000;
/** Speech that is seconds late is worth nothing. */
const MAX_UNSENT_BYTES = 32 * 1024;

interface Reception {
  readonly sink: MediaSink;
  readonly packetiser: Packetiser;
}

/** Owns the socket until it closes. */
export class MediaSession {
  readonly #socket: Socket;
  readonly #port: MediaPort;
  readonly #deps: MediaSessionDeps;
  readonly #remoteAddress: string;
  readonly #splitter: MediaSplitter;
  /** One for the connection: many terminals count the packets of all its channels together. */
  readonly #assembler = new FrameAssembler();
  /** By channel. A connection is one terminal's. */
  readonly #receptions = new Map<number, Reception>();
  readonly #cancelTimers: (() => void)[] = [];
  #sim: string | undefined;
  #end: MediaEnd = 'terminal';

  constructor(socket: Socket, port: MediaPort, deps: MediaSessionDeps) {
    this.#socket = socket;
    this.#port = port;
    this.#deps = deps;
    this.#remoteAddress = plainAddress(socket.remoteAddress);
    const knownTerminal = deps.expectations.onlyTerminal(port, this.#remoteAddress);
    this.#splitter = new MediaSplitter(knownTerminal === undefined ? {} : { knownTerminal });
    this.#cancelTimers.push(
      deps.after(FIRST_PACKET_TIMEOUT_MS, () => {
        if (this.#receptions.size === 0) socket.destroy();
      }),
    );
    if (port === MediaPort.Talk) this.#cancelTimers.push(deps.after(SILENT_TALKER_MS, () => this.#openSilent()));
    // A recording may be paused for as long as its viewer likes: who plays it knows when silence is wrong.
    // In talk-back what goes to the terminal counts too.
    socket.setTimeout(port === MediaPort.Playback ? 0 : SILENCE_TIMEOUT_MS, () => {
      this.#end = 'silent';
      socket.destroy();
    });
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#close());
  }

  #read(chunk: Uint8Array): void {
    const arrivalMs = this.#deps.now();
    for (const event of this.#splitter.push(chunk)) {
      if (event.kind === 'packet') this.#receive(event.packet, arrivalMs);
    }
  }

  #receive(packet: MediaPacket, arrivalMs: number): void {
    this.#sim = packet.sim;
    const key = { port: this.#port, terminal: canonicalTerminal(packet.sim), channel: packet.channel };
    const isWanted = this.#receptions.has(packet.channel) || this.#open(key);
    if (!isWanted && this.#receptions.size === 0) {
      // Nobody asked for this, and nothing else comes over the socket: the terminal is to stop sending.
      this.#socket.destroy();
      return;
    }
    for (const event of this.#assembler.push(packet)) {
      if (event.kind === 'frame') this.#deliver(event, arrivalMs);
    }
  }

  #deliver(frame: MediaFrame, arrivalMs: number): void {
    const reception = this.#receptions.get(frame.channel);
    if (reception === undefined) return;
    reception.sink.frame?.(frame);
    for (const packet of reception.packetiser.push(frame, arrivalMs)) reception.sink.packet(packet);
  }

  #openSilent(): void {
    const key = this.#deps.expectations.only(this.#port, this.#remoteAddress);
    if (this.#receptions.size === 0 && key !== undefined) this.#open(key);
  }

  #open(key: MediaKey): boolean {
    const sink = this.#deps.expectations.take(key, this.#remoteAddress);
    if (sink === undefined) return false;
    this.#cancel();
    this.#receptions.set(key.channel, { sink, packetiser: new Packetiser(sink.hints) });
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
      close: () => this.#release(key.channel, 'released'),
    });
    return true;
  }

  #send(packet: Uint8Array): void {
    if (!this.#socket.destroyed && this.#socket.writableLength < MAX_UNSENT_BYTES) this.#socket.write(packet);
  }

  #release(channel: number, why: MediaEnd): void {
    const reception = this.#receptions.get(channel);
    if (reception === undefined) return;
    this.#receptions.delete(channel);
    reception.sink.ended(why);
    if (this.#receptions.size === 0) this.#socket.destroy();
  }

  #close(): void {
    this.#cancel();
    for (const channel of [...this.#receptions.keys()]) this.#release(channel, this.#end);
  }

  #cancel(): void {
    for (const cancel of this.#cancelTimers.splice(0)) cancel();
  }
}
