// Files as recorders keep them, made of the demo's clips: raw, as JT/T 1078 packets, and by ffmpeg in other containers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DataType } from '../../../server/device/jt1078/codec/packet.ts';
import { PayloadType } from '../../../server/device/jt1078/codec/payloadTypes.ts';
import { CLIPS, type ClipName } from '../../../simulator/clip/clipList.ts';
import { loadDemoClip } from '../../../simulator/clip/loadClip.ts';
import { MediaFraming } from '../../../simulator/mediaFraming.ts';

export const FRAME_MS = 40;

export function clipFile(name: ClipName): string {
  return fileURLToPath(new URL(`../../../simulator/clips/${CLIPS[name].file}`, import.meta.url));
}

/** The first pictures of a clip, as a terminal keeps them in packets from a moment of its clock on. */
export async function writeMediaPackets(
  path: string,
  name: ClipName,
  { fromMs = 0, frames = 500 } = {},
): Promise<void> {
  const clip = await loadDemoClip(name);
  const framing = new MediaFraming('013800138000', 1);
  const payloadType = clip.codec === 'H264' ? PayloadType.H264 : PayloadType.H265;
  const packets = clip.frames.slice(0, frames).flatMap(({ bytes, isKey, isB, shownAt }) => {
    const dataType = isKey ? DataType.I : isB ? DataType.B : DataType.P;
    return framing.packets({ dataType, payloadType, timestampMs: fromMs + shownAt * FRAME_MS, bytes });
  });
  await writeFile(path, Buffer.concat(packets));
}

/** The pictures without times. */
export async function writeRaw(path: string, name: ClipName, frames = 500): Promise<void> {
  const clip = await loadDemoClip(name);
  await writeFile(path, Buffer.concat(clip.frames.slice(0, frames).map(({ bytes }) => bytes)));
}

/** By another program: `arguments` say into what. */
export async function writeByFfmpeg(ffmpegPath: string, input: string, output: readonly string[]): Promise<void> {
  const rate = input.endsWith('.h264') || input.endsWith('.h265') ? ['-framerate', '25'] : [];
  const sound = ['-f', 'lavfi', '-i', 'sine=440:sample_rate=8000'];
  const options = ['-v', 'error', '-y', ...rate, '-i', input, ...sound, '-t', '20', '-c:v', 'copy', ...output];
  const ffmpeg = spawn(ffmpegPath, options, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [exitCode] = await once(ffmpeg, 'close');
  if (exitCode !== 0) throw new Error(`ffmpeg ended with ${String(exitCode)}`);
}

/** The first part of a file. */
export async function writeTruncated(path: string, from: string, share: number): Promise<void> {
  const bytes = await readFile(from);
  await writeFile(path, bytes.subarray(0, Math.floor(bytes.length * share)));
}
