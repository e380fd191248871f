// What the gateway makes of a camera's pictures, and what ffmpeg makes of them: a decoder that is not ours.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { PayloadType } from '../../../server/device/jt1078/codec/payloadTypes.ts';
import { Packetiser } from '../../../server/device/jt1078/packetiser.ts';
import type { HubPacket } from '../../../server/media/hubPacket.ts';
import { exportChannel, planExport } from '../../../server/recording/export/exportChannel.ts';
import type { GopReader } from '../../../server/recording/playback/gopReader.ts';
import { readPacket, type StreamPacket } from '../../../shared/protocol/stream/streamPacket.ts';
import type { ClipPicture } from '../fakes/fakeStream.ts';

/** What the program says; it must not warn of anything. */
export async function outputOf(
  path: string,
  args: readonly string[],
  input: Uint8Array = new Uint8Array(),
): Promise<string> {
  const child = spawn(path, args);
  let [text, warnings] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    warnings += chunk.toString();
  });
  child.stdin.end(input);
  await once(child, 'close');
  expect(warnings).toBe('');
  return text;
}

/** A checksum of each picture of a file, or of a stream of H.264, in the order of showing. */
export async function pictureChecksums(ffmpegPath: string, source: string | Uint8Array): Promise<string[]> {
  const isFile = typeof source === 'string';
  const from = isFile ? ['-i', source] : ['-f', 'h264', '-i', '-'];
  const args = ['-v', 'warning', ...from, '-fps_mode', 'passthrough', '-f', 'framemd5', '-'];
  const text = await outputOf(ffmpegPath, args, isFile ? undefined : source);
  return text
    .split('\n')
    .flatMap((line) => (line.startsWith('#') || line === '' ? [] : [line.split(',').at(-1)?.trim() ?? '']));
}

/** The packets that viewers get of a camera with 25 pictures a second. */
export function relayed(clip: readonly ClipPicture[]): HubPacket[] {
  const packetiser = new Packetiser();
  return clip.flatMap(({ bytes, shownAt = 0 }, at) => {
    const common = { kind: 'frame', channel: 1, media: 'video', dataType: 1, lost: false } as const;
    const timestampMs = 1_000 + shownAt * 40;
    return packetiser.push({ ...common, payloadType: PayloadType.H264, timestampMs, bytes }, 1_000 + at * 40);
  });
}

export function packetIn({ bytes }: Pick<HubPacket, 'bytes'>): StreamPacket {
  const read = readPacket(bytes);
  if (read.kind !== 'packet') throw new Error(read.kind);
  return read.packet;
}

/** The first clip of a range, and when it begins. */
export async function exportedClip(gopReader: GopReader, range: Parameters<typeof planExport>[1]) {
  const [plan] = await planExport(gopReader, range);
  if (plan === undefined) throw new Error('nothing is recorded');
  const pieces: Uint8Array[] = [];
  const write = async (bytes: Uint8Array): Promise<void> => void pieces.push(bytes.slice());
  await exportChannel(gopReader, plan, { write, signal: new AbortController().signal, onProgress: () => {} });
  return { bytes: new Uint8Array(Buffer.concat(pieces)), startMs: plan.startMs };
}
