// Damaged pictures and sound, with labels and clocks that are damaged too, through the packetiser: whatever comes out
// is what the stream format promises.
import { describe, expect, it } from 'vitest';
import type { MediaFrame } from '../../../../server/device/jt1078/codec/assembler.ts';
import type { DataType } from '../../../../server/device/jt1078/codec/packet.ts';
import { PayloadType } from '../../../../server/device/jt1078/codec/payloadTypes.ts';
import { Packetiser } from '../../../../server/device/jt1078/packetiser.ts';
import { joinNalUnits } from '../../../../server/media/h264/annexB.ts';
import { HevcNalType, hevcTypeOf } from '../../../../server/media/h265/nalTypes.ts';
import type { HubPacket } from '../../../../server/media/hubPacket.ts';
import { NalType, splitNalUnits } from '../../../../shared/protocol/codec/video/nalUnits.ts';
import { parseStreamEvent } from '../../../../shared/protocol/stream/streamMessages.ts';
import { Codec, PacketKind, readMessage, type StreamPacket } from '../../../../shared/protocol/stream/streamPacket.ts';
import { loadDemoClips } from '../../../../simulator/clip/loadClip.ts';
import { damaged, FUZZ_RUNS, FUZZ_TIMEOUT_MS, fuzz, pick, type Random } from '../../../support/fuzz.ts';

const MAX_PART_BYTES = 160;
const clips = await loadDemoClips();
/** The first groups of two clips with every unit cut short: what is decided on stands at its beginning. */
const pictures = (['cabin', 'side'] as const).flatMap((name) =>
  clips[name].frames.slice(0, 120).map(({ bytes }) => {
    const units = splitNalUnits(bytes).map((unit) => ({ ...unit, bytes: unit.bytes.subarray(0, MAX_PART_BYTES) }));
    const payloadType: number = clips[name].codec === 'H264' ? PayloadType.H264 : PayloadType.H265;
    return { payloadType, bytes: joinNalUnits(units) };
  }),
);
const SOUNDS: readonly number[] = [6, 7, 8, 15, 16, 19, 22, 26, 91];
const STEPS_MS = [0, 0, 40, 40, 40, 80, -40, -80, 7_000, -9_000_000, Number.MAX_SAFE_INTEGER / 4096];

class Camera {
  #timestampMs = 1_795_000_000_000;
  #at = 0;

  next(random: Random): MediaFrame {
    this.#timestampMs = Math.max(this.#timestampMs + pick(STEPS_MS, random), 0) % 2 ** 48;
    const common = { kind: 'frame', channel: 1, dataType: random(5) as DataType, lost: random(30) === 0 } as const;
    if (random(4) === 0) {
      const bytes = Uint8Array.from({ length: random(400) }, () => random(256));
      return { ...common, media: 'audio', payloadType: pick(SOUNDS, random), timestampMs: this.#timestampMs, bytes };
    }
    this.#at = random(20) === 0 ? random(pictures.length) : (this.#at + 1) % pictures.length;
    const { payloadType, bytes } = pictures[this.#at] ?? pick(pictures, random);
    return {
      ...common,
      media: 'video',
      payloadType: random(100) === 0 ? random(256) : payloadType,
      timestampMs: this.#timestampMs,
      bytes: random(2) === 0 ? bytes : damaged(bytes, random),
    };
  }
}

/** Holds one packetiser's packets to the format, one after another. */
class Inspector {
  videos = 0;
  sounds = 0;
  #key: StreamPacket | undefined;
  #format: number | undefined;

  look({ bytes, frame, isKey, isVideo }: HubPacket): void {
    const { packets, fault } = readMessage(bytes);
    const [packet] = packets;
    if (packet === undefined || packets.length !== 1 || fault !== undefined) throw new Error(`no packet: ${fault}`);
    if (frame.buffer !== bytes.buffer) throw new Error('framed twice');
    if (!Number.isSafeInteger(packet.mediaTimeUs) || !Number.isSafeInteger(packet.deviceTimeMs))
      throw new Error('time');
    if (isVideo !== (packet.kind === PacketKind.Video) || isKey !== (isVideo && packet.key)) throw new Error('labels');
    if (packet.kind === PacketKind.Video) this.#lookAtPicture(packet);
    else if (packet.kind === PacketKind.Audio) this.#listen(packet);
    else this.#lookAtEvent(packet);
  }

  #lookAtPicture(packet: StreamPacket): void {
    this.videos++;
    if (packet.key) this.#key = packet;
    if (this.#key === undefined) throw new Error('a picture without its key frame');
    if (packet.codec !== this.#key.codec) throw new Error('another codec within a group');
    if (packet.mediaTimeUs < this.#key.mediaTimeUs) throw new Error('a picture from before its key frame');
    const [first] = splitNalUnits(packet.payload);
    if (first === undefined) throw new Error('no unit');
    const isSet = packet.codec === Codec.H264 ? first.type === NalType.Sps : hevcTypeOf(first) === HevcNalType.Vps;
    if (packet.key && !isSet) throw new Error('a key frame without its parameter sets');
  }

  #listen(packet: StreamPacket): void {
    this.sounds++;
    if (packet.codec !== this.#format) throw new Error('sound that no event announced');
  }

  #lookAtEvent(packet: StreamPacket): void {
    const event = parseStreamEvent(packet.payload);
    if (event?.type !== 'format') throw new Error('an event that nobody knows');
    this.#format = event.codec;
  }
}

describe('damaged frames', () => {
  it('become packets as the format promises, or none', { timeout: FUZZ_TIMEOUT_MS }, () => {
    let camera = new Camera();
    let packetiser = new Packetiser();
    let inspector = new Inspector();
    let arrivalMs = 0;
    const seen = { videos: 0, sounds: 0 };
    fuzz((random) => {
      if (random(200) === 0) {
        seen.videos += inspector.videos;
        seen.sounds += inspector.sounds;
        [camera, packetiser, inspector] = [new Camera(), new Packetiser(), new Inspector()];
      }
      arrivalMs += random(80);
      for (const packet of packetiser.push(camera.next(random), arrivalMs)) inspector.look(packet);
    });
    expect(seen.videos).toBeGreaterThan(FUZZ_RUNS / 10);
    expect(seen.sounds).toBeGreaterThan(FUZZ_RUNS / 20);
  });
});
