// Makes stream packets from the pictures and the sound of a file. Pure except for its own state.

import { splitNalUnits } from '../../../shared/protocol/codec/video/nalUnits.ts';
import { encodeStreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { byteLengthOf, Codec, MAX_PAYLOAD_BYTES, PacketKind } from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { H264Normaliser, type NormalisedUnit } from '../../media/h264/normaliser.ts';
import { ReorderWatch } from '../../media/h264/reorderWatch.ts';
import { isBSlice } from '../../media/h264/slice.ts';
import { H265Normaliser } from '../../media/h265/normaliser.ts';
import { createFormatPacket, createHubPacket } from '../../media/hubPacket.ts';
import { PresentationTimes } from '../../media/presentationTimes.ts';
import type { WrittenPacket } from '../../recording/past/pastWriter.ts';

export type FileCodec = 'h264' | 'h265';

export interface FilePicture {
  readonly codec: FileCodec;
  /** Annex B. */
  readonly bytes: Uint8Array;
  readonly timeUs: number;
  /** Whether something before it is missing. */
  readonly isBehindLoss?: boolean;
}

export interface FileSound {
  readonly codec: typeof Codec.Aac | typeof Codec.G711A | typeof Codec.G711U;
  readonly sampleRate: number;
  readonly channels: number;
  readonly samples: Uint8Array;
  readonly timeUs: number;
}

/** The meaning of the times of a file's pictures: when they are shown, when they are decoded, or unknown. */
export type PictureTimes = 'shown' | 'decoded' | 'unknown';

type Held = { readonly picture: FilePicture } | { readonly sound: FileSound };

/**
 * Pictures looked at before the first is passed on: where parameter sets don't say it, the promise is added to them that nothing is
 * reordered, which must not happen for a stream with B pictures.
 */
const PICTURES_AHEAD = 64;
const BYTES_AHEAD = 4 * 1024 * 1024;
/** Cost of a held item beside its bytes: sound can be cut into pieces of a byte each. */
const HELD_COST = 64;
const UNKNOWN_DATE: WallMs = wallMs(0);

export class StreamBuilder {
  readonly #times: PictureTimes;
  readonly #presentation: PresentationTimes;
  readonly #reorder = new ReorderWatch();
  #held: Held[] | undefined = [];
  #heldPictures = 0;
  #heldBytes = 0;
  #codec: FileCodec | undefined;
  #normaliser: H264Normaliser | H265Normaliser | undefined;
  #format = '';
  #waitsForKey = true;
  /** Whether the current group came without the one before. */
  #isAlone = true;
  #ready: WrittenPacket[] = [];

  constructor(times: PictureTimes) {
    this.#times = times;
    this.#presentation = new PresentationTimes({ areDecodingTimes: times === 'decoded' });
  }

  picture(picture: FilePicture): void {
    this.#hold({ picture }, picture.bytes.byteLength, 1);
  }

  sound(sound: FileSound): void {
    this.#hold({ sound }, sound.samples.byteLength, 0);
  }

  /** Packets that are ready, in decoding order. */
  take(): WrittenPacket[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** Called when the file has ended. */
  end(): WrittenPacket[] {
    this.#release();
    return this.take();
  }

  #hold(held: Held, bytes: number, pictures: number): void {
    if (this.#held === undefined) {
      this.#put(held);
      return;
    }
    this.#held.push(held);
    this.#heldBytes += bytes + HELD_COST;
    this.#heldPictures += pictures;
    if (this.#heldPictures >= PICTURES_AHEAD || this.#heldBytes >= BYTES_AHEAD) this.#release();
  }

  #release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    if (held.some(isBPicture)) this.#reorder.observe(false, true);
    for (const each of held) this.#put(each);
  }

  #put(held: Held): void {
    if ('sound' in held) this.#putSound(held.sound);
    else this.#putPicture(held.picture);
  }

  #putPicture({ codec, bytes, timeUs, isBehindLoss = false }: FilePicture): void {
    if (isBehindLoss) this.#waitsForKey = true;
    const unit = this.#normaliserOf(codec).push(bytes);
    if (unit === undefined || byteLengthOf(unit.parts) > MAX_PAYLOAD_BYTES) {
      // Pictures that refer to it can't be decoded either.
      if (unit !== undefined) this.#waitsForKey = true;
      return;
    }
    if (this.#waitsForKey && !unit.isKey) return;
    const discontinuity = this.#waitsForKey;
    const startsOrder = unit.startsOrder || this.#waitsForKey;
    if (unit.isKey) this.#isAlone = this.#waitsForKey;
    this.#waitsForKey = false;
    const shiftUs = this.#shiftUs({ ...unit, startsOrder }, timeUs);
    if (unit.dependence === 'leading' && this.#isAlone) return;
    const header = {
      kind: PacketKind.Video,
      codec: codec === 'h264' ? Codec.H264 : Codec.H265,
      key: unit.isKey,
      discontinuity,
      dependence: unit.dependence,
      mediaTimeUs: mediaUs(Math.round(timeUs + shiftUs)),
      deviceTimeMs: UNKNOWN_DATE,
    };
    this.#ready.push(createHubPacket(header, ...unit.parts));
  }

  #shiftUs(unit: NormalisedUnit, stampUs: number): number {
    return this.#times === 'shown' ? 0 : this.#presentation.shiftUs({ ...unit, stampUs });
  }

  #normaliserOf(codec: FileCodec): H264Normaliser | H265Normaliser {
    if (this.#normaliser === undefined || this.#codec !== codec) {
      this.#codec = codec;
      this.#normaliser = codec === 'h264' ? new H264Normaliser(this.#reorder) : new H265Normaliser();
      this.#waitsForKey = true;
    }
    return this.#normaliser;
  }

  #putSound({ codec, sampleRate, channels, samples, timeUs }: FileSound): void {
    if (samples.byteLength === 0 || samples.byteLength > MAX_PAYLOAD_BYTES) return;
    const times = { mediaTimeUs: mediaUs(Math.round(timeUs)), deviceTimeMs: UNKNOWN_DATE };
    const common = { key: false, discontinuity: false, ...times };
    const format = `${codec}/${sampleRate}/${channels}`;
    if (format !== this.#format) {
      this.#format = format;
      const event = encodeStreamEvent({ type: 'format', codec, sampleRate, channels });
      this.#ready.push(createFormatPacket({ kind: PacketKind.Event, codec: Codec.None, ...common }, event));
    }
    this.#ready.push(createHubPacket({ kind: PacketKind.Audio, codec, ...common }, samples));
  }
}

function isBPicture(held: Held): boolean {
  if ('sound' in held || held.picture.codec !== 'h264') return false;
  return splitNalUnits(held.picture.bytes).some(({ bytes }) => isBSlice(bytes));
}
