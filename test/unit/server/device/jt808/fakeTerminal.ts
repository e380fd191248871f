// A terminal at the other end of a socket that is none: what it says goes in by hand, what it hears is decoded.
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { Edition } from '../../../../../server/device/jt808/codec/codes.ts';
import { encodeFrame, FrameSplitter } from '../../../../../server/device/jt808/codec/frame.ts';
import { encodeHeader, terminalNumber } from '../../../../../server/device/jt808/codec/header.ts';
import {
  type BodyOf,
  decodeMessage,
  encodeBody,
  encodeMessage,
  type Message,
  type MessageBody,
  messageIdOf,
} from '../../../../../server/device/jt808/codec/message.ts';

export const NUMBER = '13800000001';

/** The part of a socket that a session uses. */
export class FakeSocket extends EventEmitter {
  readonly remoteAddress = '::ffff:10.0.0.7';
  readonly localAddress = '192.0.2.1';
  writableLength = 0;
  readonly written: Uint8Array[] = [];
  idleTimeoutMs: number | undefined;
  destroyed = false;
  isPaused = false;

  pause(): this {
    this.isPaused = true;
    return this;
  }

  resume(): this {
    this.isPaused = false;
    return this;
  }

  setTimeout(timeoutMs: number, onTimeout?: () => void): this {
    this.idleTimeoutMs = timeoutMs;
    if (onTimeout !== undefined) this.on('timeout', onTimeout);
    return this;
  }

  write(bytes: Uint8Array): boolean {
    this.written.push(bytes);
    return true;
  }

  /** The other end may go on. */
  end(): this {
    return this;
  }

  destroy(): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.emit('close');
    return this;
  }

  asSocket(): Socket {
    return this as unknown as Socket;
  }
}

export class FakeTerminal {
  readonly socket = new FakeSocket();
  readonly edition: Edition;
  readonly #splitter = new FrameSplitter();
  serial = 0;

  constructor(edition: Edition = '2019') {
    this.edition = edition;
  }

  /** Sends a message in one frame and lets the session handle it; returns the frame's serial. */
  async say(body: MessageBody, serial = this.serial++): Promise<number> {
    this.socket.emit('data', encodeMessage(this.#fields(serial), body));
    await settled();
    return serial;
  }

  /** Sends the chosen packages of a message that is cut into `total`; package n has serial `firstSerial` + n - 1. */
  async sayInPackages(body: MessageBody, cut: PackageCut): Promise<void> {
    const bytes = encodeBody(body, this.edition);
    const size = Math.ceil(bytes.length / cut.total);
    for (const number of cut.numbers) {
      const piece = bytes.subarray((number - 1) * size, number * size);
      const part = { total: cut.total, number };
      const form = { messageId: messageIdOf(body), bodyLength: piece.length, part };
      const header = encodeHeader(this.#fields((cut.firstSerial + number - 1) & 0xffff), form);
      this.socket.emit('data', encodeFrame(new Uint8Array([...header, ...piece])));
      await settled();
    }
  }

  /** What was heard since the last call. */
  heard(): Message[] {
    const bytes = this.socket.written.splice(0);
    return bytes
      .flatMap((chunk) => this.#splitter.push(chunk))
      .flatMap((event) => {
        const result = event.kind === 'frame' ? decodeMessage(event.bytes) : undefined;
        return result?.ok === true ? [result.message] : [];
      });
  }

  heardBodies(): MessageBody[] {
    return this.heard().map((message) => message.body);
  }

  #fields(serial: number) {
    const { edition } = this;
    return { edition, protocolVersion: edition === '2019' ? 1 : 0, terminal: terminalNumber(NUMBER, edition), serial };
  }
}

export interface PackageCut {
  readonly total: number;
  readonly numbers: readonly number[];
  readonly firstSerial: number;
}

export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const REGISTRATION: BodyOf<'registration'> = {
  kind: 'registration',
  layout: '2019',
  province: 71,
  city: 0,
  manufacturer: 'FLGLS',
  model: 'Simulator',
  terminalId: '0000001',
  plateColour: 1,
  plate: 'A-0001',
};

export const AUTHENTICATION: BodyOf<'authentication'> = { kind: 'authentication', code: 'secret' };

export const POSITION: BodyOf<'position'> = {
  kind: 'position',
  alarm: 0,
  status: 3,
  latitude: 23.5,
  longitude: 120.5,
  altitudeMeters: 10,
  speedKmh: 50,
  direction: 90,
  time: undefined,
  items: [],
  tail: new Uint8Array(0),
};
