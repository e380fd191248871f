// Reads MP4 and MOV, fragmented or not.
import type { FileHandle } from 'node:fs/promises';
import {
  CustomSource,
  type EncodedPacket,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MP4,
  QTFF,
} from 'mediabunny';
import { Codec, MAX_PAYLOAD_BYTES } from '../../../shared/protocol/stream/streamPacket.ts';
import type { WrittenPacket } from '../../recording/past/pastWriter.ts';
import { readAt } from './fileChunks.ts';
import { readPictureSets, toAnnexB } from './mp4Pictures.ts';
import { adtsHeader, readAudioConfig } from './mp4Sound.ts';
import { type FileSound, StreamBuilder } from './streamBuilder.ts';

const CACHE_BYTES = 4 * 1024 * 1024;
/** Size of pictures and sound in one part. */
const PART_BYTES = 512 * 1024;
/** Cost of a packet beside its bytes: sound can be cut into samples of a byte each. */
const PACKET_COST = 64;
/** Tables are read in one piece: those of a day of video take a few MB. */
const MAX_READ_BYTES = 64 * 1024 * 1024;

export type Mp4File = Pick<FileHandle, 'stat' | 'read'>;

export async function* readMp4(file: Mp4File): AsyncGenerator<readonly WrittenPacket[]> {
  const { size } = await file.stat();
  const source = new CustomSource({
    getSize: () => size,
    read: (start, end) => {
      // A box can claim to be as long as the whole upload, whose bytes no limit of a thread counts.
      if (end - start > MAX_READ_BYTES) throw new Error(`a part of the file takes ${end - start} bytes`);
      return readAt(file, start, end - start);
    },
    maxCacheSize: CACHE_BYTES,
    prefetchProfile: 'fileSystem',
    // A failing read also fails for whoever waits for it.
    handleUnhandledError: () => undefined,
  });
  const input = new Input({ source, formats: [MP4, QTFF] });
  try {
    yield* readInput(input);
  } finally {
    input.dispose();
  }
}

async function* readInput(input: Input): AsyncGenerator<readonly WrittenPacket[]> {
  const video = await input.getPrimaryVideoTrack();
  const putPicture = video && (await pictureReader(video));
  if (video === null || putPicture === null || putPicture === undefined) return;
  const audio = await input.getPrimaryAudioTrack();
  const readSound = audio && (await soundReader(audio));
  const builder = new StreamBuilder('shown');
  const sounds = audio === null || readSound === null ? undefined : samplesOf(new EncodedPacketSink(audio));
  let sound = await nextOf(sounds);
  let bytes = 0;
  const fillsPart = (packet: EncodedPacket): boolean => {
    bytes += packet.byteLength + PACKET_COST;
    if (bytes < PART_BYTES) return false;
    bytes = 0;
    return true;
  };
  try {
    for await (const picture of samplesOf(new EncodedPacketSink(video))) {
      // All of the sound can come before the second picture.
      for (; sound !== undefined && sound.packet.timestamp <= picture.packet.timestamp; sound = await nextOf(sounds)) {
        if (readSound !== null) builder.sound(readSound(sound.packet));
        if (fillsPart(sound.packet)) yield builder.take();
      }
      putPicture(builder, picture);
      if (fillsPart(picture.packet)) yield builder.take();
    }
  } catch {
    // The end of the file is missing, or damaged.
  }
  yield builder.end();
}

interface Sample {
  readonly packet: EncodedPacket;
  /** Whether a packet before it was left out. */
  readonly isBehindLoss: boolean;
}

const METADATA = { metadataOnly: true } as const;

/**
 * One at a time, and each is looked up before its bytes are read: `sink.packets()` reads a second ahead, however large the samples are.
 */
async function* samplesOf(sink: EncodedPacketSink): AsyncGenerator<Sample> {
  let isBehindLoss = false;
  for (let last: EncodedPacket | undefined; ; ) {
    const announced: EncodedPacket | null = await nextPacket(sink, last, METADATA);
    if (announced === null) return;
    const isTooLong = announced.byteLength > MAX_PAYLOAD_BYTES;
    const packet = isTooLong ? undefined : await nextPacket(sink, last);
    if (packet === null) return;
    if (packet !== undefined) yield { packet, isBehindLoss };
    isBehindLoss = isTooLong;
    last = announced;
  }
}

function nextPacket(sink: EncodedPacketSink, last: EncodedPacket | undefined, options?: typeof METADATA) {
  return last === undefined ? sink.getFirstPacket(options) : sink.getNextPacket(last, options);
}

async function nextOf(samples: AsyncGenerator<Sample> | undefined): Promise<Sample | undefined> {
  try {
    const next = await samples?.next();
    return next === undefined || next.done === true ? undefined : next.value;
  } catch {
    // Damaged sound costs only the sound.
    return undefined;
  }
}

type PutPicture = (builder: StreamBuilder, picture: Sample) => void;

async function pictureReader(track: InputVideoTrack): Promise<PutPicture | null> {
  const name = await track.getCodec();
  const codec = name === 'avc' ? 'h264' : name === 'hevc' ? 'h265' : undefined;
  if (codec === undefined) return null;
  const config = await track.getDecoderConfig();
  const sets = readPictureSets(codec, bytesOf(config?.description));
  let isFirst = true;
  return (builder, { packet, isBehindLoss }) => {
    const unit = sets === undefined ? packet.data : toAnnexB(packet.data, sets.lengthBytes);
    const bytes = isFirst && sets !== undefined ? Buffer.concat([sets.annexB, unit]) : unit;
    isFirst = false;
    builder.picture({ codec, bytes, timeUs: packet.timestamp * 1e6, isBehindLoss });
  };
}

async function soundReader(track: InputAudioTrack): Promise<((packet: EncodedPacket) => FileSound) | null> {
  const name = await track.getCodec();
  const config = await track.getDecoderConfig();
  if (config === null) return null;
  const { sampleRate, numberOfChannels: channels } = config;
  if (name === 'alaw' || name === 'ulaw') {
    const codec = name === 'alaw' ? Codec.G711A : Codec.G711U;
    return ({ data, timestamp }) => ({ codec, sampleRate, channels, samples: data, timeUs: timestamp * 1e6 });
  }
  const description = bytesOf(config.description);
  const said = name === 'aac' && description !== undefined ? readAudioConfig(description) : undefined;
  if (said === undefined) return null;
  return ({ data, timestamp }) => ({
    codec: Codec.Aac,
    sampleRate: said.sampleRate,
    channels: said.channels,
    samples: Buffer.concat([adtsHeader(said, data.byteLength), data]),
    timeUs: timestamp * 1e6,
  });
}

function bytesOf(source: ArrayBufferLike | ArrayBufferView | undefined): Uint8Array | undefined {
  if (source === undefined) return undefined;
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
}
