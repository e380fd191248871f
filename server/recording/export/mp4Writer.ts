// Writes one channel's packets as a fragmented MP4 file, piece by piece as they come.
import {
  AppendOnlyStreamTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import {
  BoxSplitter,
  decodingDelay,
  delayByEditList,
  delayPictures,
  describeMovie,
  firstDecodeTime,
  fragmentIndex,
  type RandomAccessPoint,
  setSequenceNumber,
} from './boxes.ts';
import type { VideoConfig } from './videoConfig.ts';

export interface SoundConfig {
  readonly codec: 'opus' | 'aac';
  readonly sampleRate: number;
  readonly channels: number;
  /** The decoder's set-up: an Opus identification header, or an AAC AudioSpecificConfig. */
  readonly description: Uint8Array<ArrayBuffer>;
}

export interface Mp4Options {
  readonly video: VideoConfig;
  readonly sound: SoundConfig | undefined;
  /** When the film begins, and how long it will be. */
  readonly startMs: number;
  readonly durationMs: number;
  /** Takes the file's bytes in order; a promise that it does not settle holds up the writing. */
  readonly write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
}

export interface Sample {
  readonly data: Uint8Array;
  /** From the film's start. */
  readonly timeS: number;
  readonly durationS: number;
}

/**
 * The library keeps a record of every sample it has written. A new library object every few minutes bounds that; times
 * are absolute in each, so the parts fit together once the later ones' heads are left out.
 */
const PART_S = 300;
const FRAGMENT_S = 2;

interface Part {
  readonly output: Output;
  readonly video: EncodedVideoPacketSource;
  readonly sound: EncodedAudioPacketSource | undefined;
  readonly fromS: number;
}

export class Mp4Writer {
  readonly #options: Mp4Options;
  readonly #points: RandomAccessPoint[] = [];
  #part: Part | undefined;
  #offset = 0;
  #fragments = 0;
  /** The `moov` waits for the first fragment, which tells whether pictures are decoded in another order. */
  #head: Uint8Array<ArrayBuffer> | undefined;
  #hasHead = false;
  /** In the video track's units. */
  #delay = 0;

  constructor(options: Mp4Options) {
    this.#options = options;
  }

  /** Pictures in decoding order, Annex B; the first is a key frame. */
  async addPicture(sample: Sample, isKey: boolean): Promise<void> {
    if (isKey && this.#part !== undefined && sample.timeS - this.#part.fromS >= PART_S) await this.#endPart();
    this.#part ??= await this.#beginPart(sample);
    const type = isKey ? 'key' : 'delta';
    await this.#part.video.add(new EncodedPacket(sample.data, type, sample.timeS, sample.durationS), this.#videoMeta());
  }

  /** Sound in order. What comes before the first picture is left out. */
  async addSound({ data, timeS, durationS }: Sample): Promise<void> {
    const { sound } = this.#options;
    if (sound === undefined || this.#part?.sound === undefined) return;
    const { codec, sampleRate, channels: numberOfChannels, description } = sound;
    const decoderConfig = { codec: codec === 'opus' ? 'opus' : 'mp4a.40.2', sampleRate, numberOfChannels, description };
    await this.#part.sound.add(new EncodedPacket(data, 'key', timeS, durationS), { decoderConfig });
  }

  /** Writes what is left. */
  async finish(): Promise<void> {
    await this.#endPart();
    const index = fragmentIndex(VIDEO_TRACK_ID, this.#points);
    if (this.#points.length > 0) await this.#write(index);
  }

  #videoMeta(): EncodedVideoChunkMetadata {
    const { codec, width, height } = this.#options.video;
    return { decoderConfig: { codec, codedWidth: width, codedHeight: height } };
  }

  async #beginPart(first: Sample): Promise<Part> {
    const splitter = new BoxSplitter();
    const writable = new WritableStream<Uint8Array>({
      write: async (bytes) => {
        // The library uses its buffers again.
        for (const box of splitter.push(bytes.slice())) await this.#pass(box.type, box.bytes);
      },
    });
    const format = new Mp4OutputFormat({ fastStart: 'fragmented', minimumFragmentDuration: FRAGMENT_S });
    const output = new Output({ format, target: new AppendOnlyStreamTarget(writable) });
    const video = new EncodedVideoPacketSource(this.#options.video.family);
    output.addVideoTrack(video);
    const sound = this.#options.sound && new EncodedAudioPacketSource(this.#options.sound.codec);
    if (sound !== undefined) output.addAudioTrack(sound);
    output.setMetadataTags({ date: new Date(this.#options.startMs) });
    await output.start();
    return { output, video, sound, fromS: first.timeS };
  }

  async #endPart(): Promise<void> {
    await this.#part?.output.finalize();
    this.#part = undefined;
    this.#hasHead = true;
  }

  async #pass(type: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    switch (type) {
      case 'ftyp':
        return this.#hasHead ? undefined : this.#write(bytes);
      case 'moov':
        if (!this.#hasHead) this.#head = bytes;
        return;
      case 'moof':
        return this.#passFragment(bytes);
      case 'mfra':
        return; // speaks of one part alone
      default:
        return this.#write(bytes);
    }
  }

  async #passFragment(moof: Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.#head !== undefined) {
      this.#delay = decodingDelay(moof, VIDEO_TRACK_ID);
      const { startMs, durationMs } = this.#options;
      const described = describeMovie(this.#head, startMs, durationMs);
      this.#head = undefined;
      await this.#write(this.#delay > 0 ? delayByEditList(described, VIDEO_TRACK_ID, this.#delay) : described);
    }
    if (this.#delay > 0) delayPictures(moof, VIDEO_TRACK_ID, this.#delay);
    setSequenceNumber(moof, ++this.#fragments);
    this.#points.push({ time: firstDecodeTime(moof), moofOffset: this.#offset });
    return this.#write(moof);
  }

  #write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#offset += bytes.byteLength;
    return this.#options.write(bytes);
  }
}

const VIDEO_TRACK_ID = 1;
