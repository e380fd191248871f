// The messages of a terminal's connection as frames, with the serials that count them.
import { type HeaderFields, terminalNumber } from '../server/device/jt808/codec/header.ts';
import { encodeMessages, type MessageBody } from '../server/device/jt808/codec/message.ts';
import type { VehicleProfile } from './vehicleProfile.ts';

export interface OutgoingMessage {
  /** Serial of the first frame. */
  readonly serial: number;
  /** Several if the message goes out in packages. */
  readonly frames: readonly Uint8Array[];
}

export class OutgoingMessages {
  readonly #header: Omit<HeaderFields, 'serial'>;
  #serial = 0;

  constructor({ number, edition }: VehicleProfile) {
    const protocolVersion = edition === '2019' ? 1 : 0;
    this.#header = { edition, protocolVersion, terminal: terminalNumber(number, edition) };
  }

  next(body: MessageBody): OutgoingMessage {
    const serial = this.#serial;
    const frames = encodeMessages({ ...this.#header, serial }, body);
    this.#serial = (serial + frames.length) & 0xffff;
    return { serial, frames };
  }
}
