// Reads MPEG program streams of recorders: H.264 and H.265 with G.711 or AAC.
import type { FileHandle } from 'node:fs/promises';
import { Codec } from '../../../shared/protocol/stream/streamPacket.ts';
import type { WrittenPacket } from '../../recording/past/pastWriter.ts';
import { type AccessUnit, AccessUnits } from './accessUnits.ts';
import { AdtsFrames } from './adtsFrames.ts';
import { fileChunks } from './fileChunks.ts';
import { type ElementaryPart, PackParser } from './packParser.ts';
import { recognise } from './recognise.ts';
import { type FileCodec, StreamBuilder } from './streamBuilder.ts';
import { type TimedUnit, UnitSplitter } from './unitSplitter.ts';

/** ISO/IEC 13818-1, table 2-34; the types of G.711 are those of recorders of GB/T 28181. */
const StreamType = { Adts: 0x0f, H264: 0x1b, H265: 0x24, G711A: 0x90, G711U: 0x91 } as const;
const FIRST_PICTURE_ID = 0xe0;
const DEFAULT_PICTURE_US = 40_000;
/** A longer step is a gap. */
const MAX_STEP_US = 1_000_000;

export async function* readProgramStream(file: FileHandle, offset: number): AsyncGenerator<readonly WrittenPacket[]> {
  const parser = new PackParser();
  const program = new Program();
  for await (const chunk of fileChunks(file, offset)) yield program.take(parser.push(chunk));
  yield program.take(parser.end());
  yield program.end();
}

class Program {
  readonly #splitter = new UnitSplitter();
  readonly #adts = new AdtsFrames();
  readonly #clock = new PtsClock();
  /** Created for the first picture: without stamps, the pictures come in decoding order. */
  #builder: StreamBuilder | undefined;
  #pictureId: number | undefined;
  #soundId: number | undefined;
  #codec: FileCodec | undefined;
  #pictures: AccessUnits | undefined;
  #stampUs: number | undefined;
  /** Number of pictures since the last stamp. */
  #unstamped = 0;
  #stepUs = DEFAULT_PICTURE_US;
  #soundUs: number | undefined;

  take(parts: readonly ElementaryPart[]): WrittenPacket[] {
    for (const part of parts) {
      if (part.streamId >= FIRST_PICTURE_ID) this.#takePictures(part);
      else this.#takeSound(part);
    }
    return this.#builder?.take() ?? [];
  }

  end(): WrittenPacket[] {
    this.#putUnits(this.#splitter.end());
    const last = this.#pictures?.end();
    if (last !== undefined) this.#put(last);
    return this.#builder?.end() ?? [];
  }

  #takePictures({ streamId, streamType, pts, bytes, isBehindLoss }: ElementaryPart): void {
    this.#pictureId ??= streamId;
    if (streamId !== this.#pictureId) return;
    if (isBehindLoss) this.#splitter.lose();
    this.#codec ??= codecOf(streamType, bytes);
    if (this.#codec === undefined) return;
    this.#pictures ??= new AccessUnits(this.#codec);
    this.#putUnits(this.#splitter.push(bytes, pts === undefined ? undefined : this.#clock.toUs(pts)));
  }

  #putUnits(units: readonly TimedUnit[]): void {
    for (const unit of units) {
      const picture = this.#pictures?.push(unit);
      if (picture !== undefined) this.#put(picture);
    }
  }

  #put({ bytes, timeUs, isBehindLoss }: AccessUnit): void {
    this.#builder ??= new StreamBuilder(timeUs === undefined ? 'decoded' : 'unknown');
    const atUs = this.#timeOf(timeUs);
    if (this.#codec !== undefined) this.#builder.picture({ codec: this.#codec, bytes, timeUs: atUs, isBehindLoss });
  }

  /** Only the first picture that begins in a packet has a stamp. */
  #timeOf(stampUs: number | undefined): number {
    const lastUs = this.#stampUs;
    this.#unstamped++;
    if (stampUs === undefined) return (lastUs ?? 0) + this.#unstamped * this.#stepUs;
    const stepUs = lastUs === undefined ? 0 : (stampUs - lastUs) / this.#unstamped;
    this.#unstamped = 0;
    if (stepUs > 0 && stepUs < MAX_STEP_US) this.#stepUs = stepUs;
    this.#stampUs = stampUs;
    return stampUs;
  }

  #takeSound({ streamId, streamType, pts, bytes }: ElementaryPart): void {
    this.#soundId ??= streamId;
    if (streamId !== this.#soundId) return;
    if (pts !== undefined) this.#soundUs = this.#clock.toUs(pts);
    const timeUs = this.#soundUs;
    if (timeUs === undefined) return;
    if (streamType === StreamType.Adts) {
      for (const frame of this.#adts.push(bytes)) {
        this.#builder?.sound({ codec: Codec.Aac, ...frame, timeUs: this.#soundUs ?? timeUs });
        this.#soundUs = (this.#soundUs ?? timeUs) + frame.durationUs;
      }
      return;
    }
    if (streamType !== StreamType.G711A && streamType !== StreamType.G711U) return;
    const codec = streamType === StreamType.G711A ? Codec.G711A : Codec.G711U;
    this.#builder?.sound({ codec, sampleRate: 8_000, channels: 1, samples: bytes, timeUs });
    this.#soundUs = timeUs + (bytes.byteLength * 1e6) / 8_000;
  }
}

/** Codec by the map; without a map by the look of the first packet. */
function codecOf(streamType: number | undefined, bytes: Uint8Array): FileCodec | undefined {
  if (streamType === StreamType.H264) return 'h264';
  if (streamType === StreamType.H265) return 'h265';
  const kind = recognise(bytes)?.kind;
  return kind === 'h264' || kind === 'h265' ? kind : undefined;
}

const PTS_RANGE = 2 ** 33;

/** Stamps start over every 26 hours. */
class PtsClock {
  #lastPts: number | undefined;
  #base = 0;

  toUs(pts: number): number {
    const last = this.#lastPts ?? pts;
    if (pts - last < -PTS_RANGE / 2) this.#base += PTS_RANGE;
    else if (pts - last > PTS_RANGE / 2) this.#base -= PTS_RANGE;
    this.#lastPts = pts;
    return ((this.#base + pts) * 1e6) / 90_000;
  }
}
