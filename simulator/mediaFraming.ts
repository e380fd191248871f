// Frames as a terminal puts them on the wire: cut into packets of at most 950 bytes, counted per connection.
import { DataType, encodePacket, SubPackage } from '../server/device/jt1078/codec/packet.ts';
import type { PayloadType } from '../server/device/jt1078/codec/payloadTypes.ts';

/** The standard's limit of a packet's body. */
const MAX_BODY_BYTES = 950;

export interface OutgoingFrame {
  readonly dataType: DataType;
  readonly payloadType: PayloadType;
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
    const { payloadType, dataType, timestampMs } = frame;
    const intervals = this.#intervals(frame);
    const count = Math.max(1, Math.ceil(frame.bytes.length / MAX_BODY_BYTES));
    return Array.from({ length: count }, (_, index) =>
      encodePacket({
        payloadType,
        marker: index === count - 1,
        sequence: this.#sequence++ & 0xffff,
        sim: this.#sim,
        channel: this.#channel,
        dataType,
        subPackage: subPackageOf(index, count),
        timestampMs,
        ...intervals,
        body: frame.bytes.subarray(index * MAX_BODY_BYTES, (index + 1) * MAX_BODY_BYTES),
      }),
    );
  }

  #intervals({ dataType, timestampMs }: OutgoingFrame): { lastKeyIntervalMs?: number; lastFrameIntervalMs?: number } {
    if (dataType === DataType.Audio) return {};
    if (dataType === DataType.I) this.#lastKeyMs = timestampMs;
    const lastVideoMs = this.#lastVideoMs === 0 ? timestampMs : this.#lastVideoMs;
    this.#lastVideoMs = timestampMs;
    const within = (ms: number): number => Math.min(Math.max(ms, 0), 0xffff);
    return {
      lastKeyIntervalMs: within(timestampMs - this.#lastKeyMs),
      lastFrameIntervalMs: within(timestampMs - lastVideoMs),
    };
  }
}

function subPackageOf(index: number, count: number): SubPackage {
  if (count === 1) return SubPackage.Atomic;
  if (index === 0) return SubPackage.First;
  return index === count - 1 ? SubPackage.Last : SubPackage.Middle;
}
