// Frames as a terminal puts them on the wire: cut into packets of at most 950 bytes, counted per connection.
import { DataType, encodePacket, SubPackage } from '../device/jt1078/codec/packet.ts';
import { PayloadType } from '../device/jt1078/codec/payloadTypes.ts';

/** The standard's limit of a packet's body. */
const MAX_BODY_BYTES = 950;

export interface OutgoingFrame {
  readonly media: 'video' | 'audio';
  readonly isKey: boolean;
  readonly timestampMs: number;
  readonly bytes: Uint8Array;
}

/** The packets of one media connection. */
export class MediaFraming {
  readonly #sim: string;
  readonly #channel: number;
  #sequence = 0;
  #lastKeyMs = 0;
  #lastVideoMs = 0;

  /** `sim`: the digits of the media header's number field, 12 or 20. */
  constructor(sim: string, channel: number) {
    this.#sim = sim;
    this.#channel = channel;
  }

  packets(frame: OutgoingFrame): Uint8Array[] {
    const intervals = this.#intervals(frame);
    const count = Math.max(1, Math.ceil(frame.bytes.length / MAX_BODY_BYTES));
    return Array.from({ length: count }, (_, index) => {
      const subPackage = subPackageOf(index, count);
      return encodePacket({
        payloadType: frame.media === 'video' ? PayloadType.H264 : PayloadType.G711A,
        marker: index === count - 1,
        sequence: this.#sequence++ & 0xffff,
        sim: this.#sim,
        channel: this.#channel,
        dataType: dataTypeOf(frame),
        subPackage,
        timestampMs: frame.timestampMs,
        ...intervals,
        body: frame.bytes.subarray(index * MAX_BODY_BYTES, (index + 1) * MAX_BODY_BYTES),
      });
    });
  }

  #intervals(frame: OutgoingFrame): { lastKeyIntervalMs?: number; lastFrameIntervalMs?: number } {
    if (frame.media === 'audio') return {};
    if (frame.isKey) this.#lastKeyMs = frame.timestampMs;
    const lastVideoMs = this.#lastVideoMs === 0 ? frame.timestampMs : this.#lastVideoMs;
    this.#lastVideoMs = frame.timestampMs;
    return {
      lastKeyIntervalMs: Math.min(frame.timestampMs - this.#lastKeyMs, 0xffff),
      lastFrameIntervalMs: Math.min(frame.timestampMs - lastVideoMs, 0xffff),
    };
  }
}

function dataTypeOf(frame: OutgoingFrame): DataType {
  if (frame.media === 'audio') return DataType.Audio;
  return frame.isKey ? DataType.I : DataType.P;
}

function subPackageOf(index: number, count: number): SubPackage {
  if (count === 1) return SubPackage.Atomic;
  if (index === 0) return SubPackage.First;
  return index === count - 1 ? SubPackage.Last : SubPackage.Middle;
}
