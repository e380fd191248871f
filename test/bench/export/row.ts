// An hour of one channel as MP4, against `ffmpeg -c copy` of the same pictures, and of the same sound too.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { exportChannel, planExport } from '../../../server/recording/export/exportChannel.ts';
import { FRAME_MS, FRAMES_PER_SECOND } from '../../../simulator/clip/clipFormat.ts';
import { loadDemoClip } from '../../../simulator/clip/loadClip.ts';
import { SAMPLE_RATE_HZ, toneChunk } from '../../../simulator/clip/tone.ts';
import { openRecordingScene } from '../../server/recording/playback/scene.ts';
import { clipFrame, recordChannel } from '../../support/media/recordedDay.ts';
import { median, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';

type Writer = 'silent' | 'sound' | 'ffmpeg' | 'ffmpegSound';

const SECONDS = 3_600;
const ROUNDS = 3;
const START = Date.UTC(2026, 2, 1, 14);
const END = START + SECONDS * 1000;

export async function benchExport(ffmpegPath: string): Promise<Row[]> {
  const scene = await openRecordingScene();
  try {
    const clip = await loadDemoClip('road');
    const spans = [{ fromMs: START, toMs: END }];
    await recordChannel(scene, { archiveId: 'bench', channel: 1, clip, spans });
    await recordChannel(scene, { archiveId: 'bench', channel: 2, clip, spans, withSound: true });
    const raw = join(scene.folder, 'bench.h264');
    const rawSound = join(scene.folder, 'bench.alaw');
    await writeFrames(raw, (frame) => clipFrame(clip, frame).bytes);
    await writeFrames(rawSound, (frame) => toneChunk(frame * FRAME_MS));
    const pictures = ['-framerate', String(FRAMES_PER_SECOND), '-i', raw, '-c:v', 'copy'];
    const sound = ['-f', 'alaw', '-ar', String(SAMPLE_RATE_HZ), '-ac', '1', '-i', rawSound];
    const toAac = ['-c:a', 'aac'];
    const times = { silent: [], sound: [], ffmpeg: [], ffmpegSound: [] } as Record<Writer, number[]>;
    const mp4 = join(scene.folder, 'mp4.mp4');
    // In turn, so that a machine that slows down slows all.
    for (let round = 0; round < ROUNDS; round++) {
      times.silent.push(await timed(() => exported(1, mp4)));
      times.sound.push(await timed(() => exported(2, mp4)));
      times.ffmpeg.push(await timed(() => ffmpeg(ffmpegPath, [...pictures, mp4])));
      times.ffmpegSound.push(await timed(() => ffmpeg(ffmpegPath, [...sound, ...pictures, ...toAac, mp4])));
    }
    const bare = median(times.ffmpeg);
    return [
      row('fleetglass', median(times.silent), bare),
      row('fleetglass, sound to AAC', median(times.sound), bare),
      row('ffmpeg -c copy', bare, bare),
      row('ffmpeg -c:v copy -c:a aac', median(times.ffmpegSound), bare),
    ];
  } finally {
    await scene.close();
  }

  async function exported(channel: number, mp4: string): Promise<void> {
    const range = { track: { archiveId: 'bench', channel }, fromMs: START, toMs: END };
    const [plan] = await planExport(scene.gopReader, range);
    if (plan === undefined) throw new Error('nothing is recorded');
    const file = createWriteStream(mp4);
    const write = async (bytes: Uint8Array): Promise<void> => {
      if (!file.write(bytes)) await once(file, 'drain');
    };
    await exportChannel(scene.gopReader, plan, { write, signal: new AbortController().signal, onProgress: () => {} });
    file.end();
    await once(file, 'finish');
  }
}

function row(writer: string, ms: number, bareMs: number): Row {
  const rate = (SECONDS * 1000) / ms;
  return { writer, 'video s a second': Math.round(rate), 'ratio to ffmpeg': rounded(bareMs / ms, 2) };
}

async function timed(run: () => Promise<void>): Promise<number> {
  const atMs = performance.now();
  await run();
  return performance.now() - atMs;
}

async function writeFrames(path: string, bytesOf: (frame: number) => Uint8Array): Promise<void> {
  const file = createWriteStream(path);
  for (let frame = START / FRAME_MS; frame < END / FRAME_MS; frame++) {
    if (!file.write(bytesOf(frame))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

async function ffmpeg(path: string, args: readonly string[]): Promise<void> {
  const [exitCode] = await once(spawn(path, ['-v', 'error', '-y', ...args], { stdio: 'inherit' }), 'close');
  if (exitCode !== 0) throw new Error(`ffmpeg ended with ${String(exitCode)}`);
}
