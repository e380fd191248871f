// Frames of one media session become stream packets: the point where terminal habits end.

import { encodeStreamEvent } from '../../../shared/protocol/streamMessages.ts';
import { Codec, PacketKind } from '../../../shared/protocol/streamPacket.ts';
import { createHubPacket, type HubPacket } from '../../stream/hubPacket.ts';
import { H264Normaliser } from '../h264/normaliser.ts';
import type { MediaFrame } from './codec/assembler.ts';
import { PayloadType } from './codec/payloadTypes.ts';
import { stripHiSiliconHeader } from './hiSilicon.ts';
import { MediaClock, type StampedTime } from './mediaClock.ts';

const G711_SAMPLE_RATE_HZ = 8_000;

export class Packetiser {
  readonly #clock = new MediaClock();
  readonly #h264 = new H264Normaliser();
  /** Set at the start and after a loss: nothing may be decoded before the next key frame. */
  #waitsForKey = true;
  #discontinuity = true;
  #saidFormat = false;

  /** The packets that a frame becomes, none while a key frame is awaited or for what cannot be passed on. */
  push(frame: MediaFrame, arrivalMs: number): HubPacket[] {
    const time = this.#clock.stamp(frame.timestampMs, arrivalMs);
    if (time.jumped) this.#discontinuity = true;
    return frame.media === 'video' ? this.#video(frame, time) : this.#audio(frame, time);
  }

  #video(frame: MediaFrame, time: StampedTime): HubPacket[] {
    if (frame.payloadType !== PayloadType.H264) return [];
    if (frame.lost) this.#waitsForKey = true;
    const unit = this.#h264.push(frame.bytes);
    if (unit === undefined) return [];
    if (this.#waitsForKey && !unit.isKey) {
      this.#discontinuity = true;
      return [];
    }
    this.#waitsForKey = false;
    const discontinuity = this.#discontinuity;
    this.#discontinuity = false;
    const header = { kind: PacketKind.Video, codec: Codec.H264, key: unit.isKey, discontinuity, ...timesOf(time) };
    return [createHubPacket(header, unit.bytes)];
  }

  #audio(frame: MediaFrame, time: StampedTime): HubPacket[] {
    if (frame.payloadType !== PayloadType.G711A) return [];
    const samples = stripHiSiliconHeader(frame.bytes);
    const flags = { key: false, discontinuity: frame.lost, ...timesOf(time) };
    const packet = createHubPacket({ kind: PacketKind.Audio, codec: Codec.G711A, ...flags }, samples);
    if (this.#saidFormat) return [packet];
    this.#saidFormat = true;
    const format = { type: 'format', codec: Codec.G711A, sampleRate: G711_SAMPLE_RATE_HZ, channels: 1 } as const;
    const event = { kind: PacketKind.Event, codec: Codec.None, ...flags };
    return [createHubPacket(event, encodeStreamEvent(format)), packet];
  }
}

function timesOf(time: StampedTime): Pick<StampedTime, 'mediaTimeUs' | 'deviceTimeMs'> {
  return { mediaTimeUs: time.mediaTimeUs, deviceTimeMs: time.deviceTimeMs };
}
