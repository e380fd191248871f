// An hour of one channel as MP4, against `ffmpeg -c copy` of the same pictures.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { FRAME_MS, FRAMES_PER_SECOND } from '../../../server/demo/clip/clipFormat.ts';
import { loadDemoClip } from '../../../server/demo/clip/loadClip.ts';
import { exportChannel, planExport } from '../../../server/recording/export/exportChannel.ts';
import { openRecordingScene } from '../../server/recording/playback/scene.ts';
import { clipFrame, recordChannel } from '../../support/recordedDay.ts';
import { median, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';

const SECONDS = 3_600;
const ROUNDS = 3;
const START = Date.UTC(2026, 2, 1, 14);
const END = START + SECONDS * 1000;

export async function benchExport(ffmpegPath: string): Promise<Row[]> {
  const scene = await openRecordingScene();
  try {
    const clip = await loadDemoClip('road');
    const spans = [{ fromMs: START, toMs: END }];
    await recordChannel(scene, { deviceId: 'bench', channel: 1, clip, spans });
    await recordChannel(scene, { deviceId: 'bench', channel: 2, clip, spans, withSound: true });
    const raw = join(scene.folder, 'bench.h264');
    await writePictures(raw, (frame) => clipFrame(clip, frame).bytes);
    const times: Record<'silent' | 'sound' | 'ffmpeg', number[]> = { silent: [], sound: [], ffmpeg: [] };
    const film = join(scene.folder, 'film.mp4');
    // In turn, so that a machine that slows down slows all.
    for (let round = 0; round < ROUNDS; round++) {
      times.silent.push(await timed(() => exported(1, film)));
      times.sound.push(await timed(() => exported(2, film)));
      times.ffmpeg.push(await timed(() => copied(ffmpegPath, raw, film)));
    }
    const bare = median(times.ffmpeg);
    return [
      row('fleetglass', median(times.silent), bare),
      row('fleetglass, sound to Opus', median(times.sound), bare),
      row('ffmpeg -c copy', bare, bare),
    ];
  } finally {
    await scene.close();
  }

  async function exported(channel: number, film: string): Promise<void> {
    const range = { track: { deviceId: 'bench', channel }, fromMs: START, toMs: END };
    const [plan] = await planExport(scene.library, range);
    if (plan === undefined) throw new Error('nothing is recorded');
    const file = createWriteStream(film);
    const write = async (bytes: Uint8Array): Promise<void> => {
      if (!file.write(bytes)) await once(file, 'drain');
    };
    await exportChannel(scene.library, plan, { write, signal: new AbortController().signal, onProgress: () => {} });
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

async function writePictures(path: string, pictureOf: (frame: number) => Uint8Array): Promise<void> {
  const file = createWriteStream(path);
  for (let frame = START / FRAME_MS; frame < END / FRAME_MS; frame++) {
    if (!file.write(pictureOf(frame))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

async function copied(ffmpegPath: string, raw: string, film: string): Promise<void> {
  const args = ['-v', 'error', '-y', '-framerate', String(FRAMES_PER_SECOND), '-i', raw, '-c', 'copy', film];
  const [exitCode] = await once(spawn(ffmpegPath, args, { stdio: 'inherit' }), 'close');
  if (exitCode !== 0) throw new Error(`ffmpeg ended with ${String(exitCode)}`);
}
