// Speech on its way to a terminal, in the codec, frame length and packet layout that the terminal itself uses.

import type { G726Bits } from '../../../shared/protocol/codec/g726.ts';
import { encodeALaw, encodeMuLaw } from '../audio/g711.ts';
import { G726Encoder } from '../audio/g726.ts';
import { ADPCM_STATE_BYTES, ImaAdpcmEncoder } from '../audio/imaAdpcm.ts';
import type { AvAttributes } from '../jt808/codec/messages/live.ts';
import { DataType, encodePacket, SubPackage } from './codec/packet.ts';
import { PayloadType } from './codec/payloadTypes.ts';
import { addHiSiliconHeader } from './hiSilicon.ts';

export interface DownlinkFormat {
  readonly payloadType: number;
  readonly sampleRate: number;
  readonly samplesPerFrame: number;
  /** Bits per sample of G.726. */
  readonly g726Bits?: G726Bits;
  /** Some terminals play only frames with this header, which they also put before their own sound. */
  readonly hiSiliconHeader: boolean;
}

const SAMPLE_RATES = [8_000, 22_050, 44_100, 48_000] as const;
/** 40 ms, what most terminals send themselves. */
const DEFAULT_SAMPLES = 320;
/** Shorter frames waste bandwidth; longer ones are an audible delay, or don't fit into one packet. */
const MIN_SAMPLES = 80;
const MAX_SAMPLES = 800;
const MAX_PCM_SAMPLES = 475;

/** Format of the terminal's own sound, taken from one of its frames. */
export interface UplinkFormat {
  readonly payloadType: number;
  readonly hiSiliconHeader: boolean;
  /** Without that header. */
  readonly frameBytes?: number;
}

/** What the standard's frames of G.726 hold, at any rate. */
const G726_SAMPLES = 320;

/**
 * The format to send: the codec of the terminal's own sound as received in `uplink`, else the one it reported in 0x1003,
 * else A-law. Undefined for a codec that can't be encoded here.
 */
export function downlinkFormat(
  said: AvAttributes | undefined,
  uplink: UplinkFormat | undefined,
): DownlinkFormat | undefined {
  const payloadType = uplink?.payloadType ?? said?.audioCodec ?? PayloadType.G711A;
  const bytes = said?.audioCodec === payloadType ? said.audioFrameBytes : 0;
  const isPcm = payloadType === PayloadType.PcmVoice || payloadType === PayloadType.PcmAudio;
  const sampleRate = isPcm && said?.audioCodec === payloadType ? (SAMPLE_RATES[said.sampleRate] ?? 8_000) : 8_000;
  const hiSiliconHeader = uplink?.hiSiliconHeader ?? false;
  const common = { payloadType, sampleRate, hiSiliconHeader };
  switch (payloadType) {
    case PayloadType.G711A:
    case PayloadType.G711U:
      return { ...common, samplesPerFrame: within(bytes, MAX_SAMPLES) };
    case PayloadType.PcmVoice:
    case PayloadType.PcmAudio:
      return { ...common, samplesPerFrame: within(bytes >> 1, MAX_PCM_SAMPLES) };
    case PayloadType.Adpcma:
      return { ...common, samplesPerFrame: within(2 * (bytes - ADPCM_STATE_BYTES), MAX_SAMPLES) };
    case PayloadType.G726:
      return { ...common, samplesPerFrame: G726_SAMPLES, g726Bits: g726Bits(uplink?.frameBytes ?? bytes) };
    default:
      return undefined;
  }
}

/** A frame of 40 bytes has one bit per sample. Other lengths than the standard's count as 32 kbit/s. */
function g726Bits(frameBytes: number): G726Bits {
  const bits = (frameBytes * 8) / G726_SAMPLES;
  return bits === 2 || bits === 3 || bits === 5 ? bits : 4;
}

function within(samples: number, max: number): number {
  return samples >= MIN_SAMPLES && samples <= max ? samples & ~1 : DEFAULT_SAMPLES;
}

/** Numbers the packets of one talk. Samples that don't fill a frame wait for more. */
export class Downlink {
  readonly #format: DownlinkFormat;
  readonly #sim: string;
  readonly #channel: number;
  readonly #adpcm = new ImaAdpcmEncoder();
  readonly #g726: G726Encoder;
  #held = new Int16Array(0);
  #sequence = 0;
  #timestampMs: number;

  /** `sim`: the digits of the terminal's own packets, 12 or 20. */
  constructor(format: DownlinkFormat, to: { readonly sim: string; readonly channel: number; readonly nowMs: number }) {
    this.#format = format;
    this.#g726 = new G726Encoder(format.g726Bits ?? 4);
    this.#sim = to.sim;
    this.#channel = to.channel;
    this.#timestampMs = to.nowMs;
  }

  /** Takes mono samples at the format's rate. */
  push(samples: Int16Array): Uint8Array[] {
    const all = new Int16Array(this.#held.length + samples.length);
    all.set(this.#held);
    all.set(samples, this.#held.length);
    const { samplesPerFrame } = this.#format;
    const packets: Uint8Array[] = [];
    let at = 0;
    for (; at + samplesPerFrame <= all.length; at += samplesPerFrame) {
      packets.push(this.#pack(all.subarray(at, at + samplesPerFrame)));
    }
    this.#held = all.slice(at);
    return packets;
  }

  #pack(samples: Int16Array): Uint8Array {
    const { payloadType, sampleRate, hiSiliconHeader } = this.#format;
    const encoded = this.#encode(samples);
    const packet = encodePacket({
      payloadType,
      marker: true,
      sequence: this.#sequence,
      sim: this.#sim,
      channel: this.#channel,
      dataType: DataType.Audio,
      subPackage: SubPackage.Atomic,
      timestampMs: Math.round(this.#timestampMs),
      body: hiSiliconHeader ? addHiSiliconHeader(encoded) : encoded,
    });
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#timestampMs += (samples.length * 1000) / sampleRate;
    return packet;
  }

  #encode(samples: Int16Array): Uint8Array {
    switch (this.#format.payloadType) {
      case PayloadType.G711A:
        return Uint8Array.from(samples, encodeALaw);
      case PayloadType.G711U:
        return Uint8Array.from(samples, encodeMuLaw);
      case PayloadType.Adpcma:
        return this.#adpcm.encode(samples);
      case PayloadType.G726:
        return this.#g726.encode(samples);
      default:
        return littleEndian(samples);
    }
  }
}

function littleEndian(samples: Int16Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(samples.length * 2));
  samples.forEach((sample, at) => {
    view.setInt16(at * 2, sample, true);
  });
  return new Uint8Array(view.buffer);
}
