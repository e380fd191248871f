// One media connection: bytes to packets to frames, and each channel's frames to whoever asked for them.
import type { Socket } from 'node:net';
import { canonicalTerminal } from '../jt808/codec/header.ts';
import { plainAddress } from '../tcpServer.ts';
import { FrameAssembler, type MediaFrame } from './codec/assembler.ts';
import type { MediaPacket } from './codec/packet.ts';
import { MediaSplitter } from './codec/splitter.ts';
import type { MediaExpectations, MediaPort, MediaSink } from './mediaExpectations.ts';
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
  readonly #cancelFirstPacket: () => void;

  constructor(socket: Socket, port: MediaPort, deps: MediaSessionDeps) {
    this.#socket = socket;
    this.#port = port;
    this.#deps = deps;
    this.#remoteAddress = plainAddress(socket.remoteAddress);
    const knownTerminal = deps.expectations.onlyTerminal(port, this.#remoteAddress);
    this.#splitter = new MediaSplitter(knownTerminal === undefined ? {} : { knownTerminal });
    this.#cancelFirstPacket = deps.after(FIRST_PACKET_TIMEOUT_MS, () => {
      if (this.#receptions.size === 0) socket.destroy();
    });
    socket.setTimeout(SILENCE_TIMEOUT_MS, () => socket.destroy());
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#end());
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Uint8Array): void {
    const arrivalMs = this.#deps.now();
    for (const event of this.#splitter.push(chunk)) {
      if (event.kind === 'packet') this.#receive(event.packet, arrivalMs);
    }
  }

  #receive(packet: MediaPacket, arrivalMs: number): void {
    const isWanted = this.#receptions.has(packet.channel) || this.#open(packet);
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
    for (const packet of reception.packetiser.push(frame, arrivalMs)) reception.sink.packet(packet);
  }

  #open({ sim, channel }: MediaPacket): boolean {
    const key = { port: this.#port, terminal: canonicalTerminal(sim), channel };
    const sink = this.#deps.expectations.take(key, this.#remoteAddress);
    if (sink === undefined) return false;
    this.#cancelFirstPacket();
    this.#receptions.set(channel, { sink, packetiser: new Packetiser() });
    sink.opened(() => this.#release(channel));
    return true;
  }

  #release(channel: number): void {
    const reception = this.#receptions.get(channel);
    if (reception === undefined) return;
    this.#receptions.delete(channel);
    reception.sink.ended();
    if (this.#receptions.size === 0) this.#socket.destroy();
  }

  #end(): void {
    this.#cancelFirstPacket();
    for (const channel of [...this.#receptions.keys()]) this.#release(channel);
  }
}
