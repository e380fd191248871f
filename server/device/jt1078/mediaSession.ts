// One media connection: bytes to packets to frames, and each channel's frames to whoever asked for them.
import type { Socket } from 'node:net';
import { canonicalTerminal } from '../jt808/codec/header.ts';
import { plainAddress } from '../tcpServer.ts';
import { FrameAssembler } from './codec/assembler.ts';
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
  readonly assembler: FrameAssembler;
  readonly packetiser: Packetiser;
}

/** Owns the socket until it closes. */
export class MediaSession {
  readonly #socket: Socket;
  readonly #port: MediaPort;
  readonly #deps: MediaSessionDeps;
  readonly #remoteAddress: string;
  readonly #splitter: MediaSplitter;
  readonly #receptions = new Map<string, Reception>();
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
    const text = `${packet.sim}/${packet.channel}`;
    const reception = this.#receptions.get(text) ?? this.#open(text, packet);
    if (reception === undefined) {
      // Nobody asked for this, and nothing else comes over the socket: the terminal is to stop sending.
      if (this.#receptions.size === 0) this.#socket.destroy();
      return;
    }
    for (const event of reception.assembler.push(packet)) {
      if (event.kind !== 'frame') continue;
      for (const each of reception.packetiser.push(event, arrivalMs)) reception.sink.packet(each);
    }
  }

  #open(text: string, packet: MediaPacket): Reception | undefined {
    const key = { port: this.#port, terminal: canonicalTerminal(packet.sim), channel: packet.channel };
    const sink = this.#deps.expectations.take(key, this.#remoteAddress);
    if (sink === undefined) return undefined;
    this.#cancelFirstPacket();
    const reception = { sink, assembler: new FrameAssembler(), packetiser: new Packetiser() };
    this.#receptions.set(text, reception);
    sink.opened(() => this.#release(text));
    return reception;
  }

  #release(text: string): void {
    const reception = this.#receptions.get(text);
    if (reception === undefined) return;
    this.#receptions.delete(text);
    reception.sink.ended();
    if (this.#receptions.size === 0) this.#socket.destroy();
  }

  #end(): void {
    this.#cancelFirstPacket();
    for (const text of [...this.#receptions.keys()]) this.#release(text);
  }
}
