// What a terminal sends on its signalling connection: counted, sent again while it must be, and kept for who asks for packages.
import type { Socket } from 'node:net';
import type { MessageBody } from '../server/device/jt808/codec/message.ts';
import { type OutgoingMessage, OutgoingMessages } from './outgoingMessages.ts';
import { Retransmission } from './retransmission.ts';
import type { VehicleProfile } from './vehicleProfile.ts';

/** A picture and answers may be under way at once. */
const MAX_PACKAGED = 4;

/** Its socket is the terminal's. */
export class TerminalOutbox {
  readonly #messages: OutgoingMessages;
  readonly #losesPackages: boolean;
  readonly #unacknowledged: Retransmission;
  /** Messages that went out in packages, the latest last. */
  #packaged: readonly OutgoingMessage[] = [];
  #socket: Socket | undefined;
  #lastSentMs = 0;

  constructor(profile: VehicleProfile) {
    this.#messages = new OutgoingMessages(profile);
    this.#losesPackages = profile.quirks?.losesPackages === true;
    this.#unacknowledged = new Retransmission({
      send: (frame) => this.write([frame]),
      giveUp: () => this.#socket?.destroy(),
    });
  }

  get lastSentMs(): number {
    return this.#lastSentMs;
  }

  connect(socket: Socket): void {
    this.#socket = socket;
  }

  disconnect(): void {
    this.#unacknowledged.close();
  }

  send(body: MessageBody): OutgoingMessage {
    const message = this.#messages.next(body);
    const { frames } = message;
    const isLong = frames.length > 1;
    if (isLong) this.#packaged = [...this.#packaged, message].slice(-MAX_PACKAGED);
    this.#lastSentMs = Date.now();
    this.write(isLong && this.#losesPackages ? frames.filter((_, index) => index % 2 === 0) : frames);
    return message;
  }

  /** Sends what is to be acknowledged, and sends it again until it is; gives its serial. */
  report(body: MessageBody): number {
    const { serial, frames } = this.send(body);
    const [frame] = frames;
    if (frames.length === 1 && frame !== undefined) this.#unacknowledged.expect(serial, frame);
    return serial;
  }

  acknowledge(serial: number): void {
    this.#unacknowledged.acknowledge(serial);
  }

  /** 0x8003. */
  resend(firstSerial: number, numbers: readonly number[]): void {
    const message = this.#packaged.find(({ serial }) => serial === firstSerial);
    this.write(numbers.flatMap((number) => message?.frames[number - 1] ?? []));
  }

  write(frames: readonly Uint8Array[]): void {
    if (this.#socket?.destroyed !== false) return;
    for (const frame of frames) this.#socket.write(frame);
  }
}
