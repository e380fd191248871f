// MP4 and MOV, fragmented or not.
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
import { Codec } from '../../../shared/protocol/stream/streamPacket.ts';
import type { WrittenPacket } from '../../recording/past/pastWriter.ts';
import { readAt } from './fileChunks.ts';
import { readPictureSets, toAnnexB } from './mp4Pictures.ts';
import { adtsHeader, readAudioConfig } from './mp4Sound.ts';
import { type FileSound, StreamBuilder } from './streamBuilder.ts';

const CACHE_BYTES = 4 * 1024 * 1024;
/** Of pictures, in one part. */
const PART_BYTES = 512 * 1024;

export async function* readMp4(file: FileHandle): AsyncGenerator<readonly WrittenPacket[]> {
  const { size } = await file.stat();
  const source = new CustomSource({
    getSize: () => size,
    read: (start, end) => readAt(file, start, end - start),
    maxCacheSize: CACHE_BYTES,
    prefetchProfile: 'fileSystem',
    // A read that fails also fails for whoever waits for it.
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
  const sounds = audio === null || readSound === null ? undefined : new EncodedPacketSink(audio).packets();
  let sound = await nextOf(sounds);
  let bytes = 0;
  try {
    for await (const picture of new EncodedPacketSink(video).packets()) {
      for (; sound !== undefined && sound.timestamp <= picture.timestamp; sound = await nextOf(sounds)) {
        if (readSound !== null) builder.sound(readSound(sound));
      }
      putPicture(builder, picture);
      bytes += picture.byteLength;
      if (bytes < PART_BYTES) continue;
      bytes = 0;
      yield builder.take();
    }
  } catch {
    // Its end is missing, or damaged.
  }
  yield builder.end();
}

async function nextOf(packets: AsyncGenerator<EncodedPacket> | undefined): Promise<EncodedPacket | undefined> {
  try {
    const next = await packets?.next();
    return next === undefined || next.done === true ? undefined : next.value;
  } catch {
    // Damaged sound costs the sound alone.
    return undefined;
  }
}

type PutPicture = (builder: StreamBuilder, packet: EncodedPacket) => void;

async function pictureReader(track: InputVideoTrack): Promise<PutPicture | null> {
  const name = await track.getCodec();
  const codec = name === 'avc' ? 'h264' : name === 'hevc' ? 'h265' : undefined;
  if (codec === undefined) return null;
  const config = await track.getDecoderConfig();
  const sets = readPictureSets(codec, bytesOf(config?.description));
  let isFirst = true;
  return (builder, packet) => {
    const unit = sets === undefined ? packet.data : toAnnexB(packet.data, sets.lengthBytes);
    const bytes = isFirst && sets !== undefined ? Buffer.concat([sets.annexB, unit]) : unit;
    isFirst = false;
    builder.picture({ codec, bytes, timeUs: packet.timestamp * 1e6 });
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
