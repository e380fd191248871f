import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readAacConfig, splitAdts } from '../../../../server/recording/export/adts.ts';
import { Mp4Writer } from '../../../../server/recording/export/mp4/mp4Writer.ts';
import { createSoundTrack } from '../../../../server/recording/export/soundTrack.ts';
import { readVideoTrack } from '../../../../server/recording/export/videoConfig.ts';
import { Codec } from '../../../../shared/protocol/stream/streamPacket.ts';
import { FRAME_MS } from '../../../../simulator/clip/clipFormat.ts';
import { loadDemoClip } from '../../../../simulator/clip/loadClip.ts';
import { findFfmpeg } from '../../../support/media/ffmpeg.ts';
import { clipFrame } from '../../../support/media/recordedDay.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';

const ffmpeg = findFfmpeg();
const SECONDS = 6;

/** A tone as AAC in ADTS, cut into its frames with their headers. */
function adtsFrames(sampleRate: number, channels: number): Uint8Array[] {
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=${sampleRate}:duration=${SECONDS}`];
  const args = ['-v', 'error', ...tone, '-ac', String(channels), '-c:a', 'aac', '-f', 'adts', '-'];
  const bytes = new Uint8Array(execFileSync(ffmpeg?.ffmpegPath ?? '', args));
  const frames: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [frame] = splitAdts(bytes.subarray(at));
    if (frame === undefined) throw new Error('no frame');
    const end = frame.byteOffset - bytes.byteOffset + frame.byteLength;
    frames.push(bytes.subarray(at, end));
    at = end;
  }
  return frames;
}

describe.skipIf(ffmpeg === undefined)('AAC that was recorded, in an exported mp4', () => {
  test.each([
    [8_000, 1],
    [8_000, 2],
    [44_100, 1],
    [44_100, 2],
  ])('of %d samples a second on %d channels is copied, and what is missing is silent', async (sampleRate, channels) => {
    const frames = adtsFrames(sampleRate, channels);
    const [first] = frames;
    if (first === undefined) throw new Error('no sound');
    expect(readAacConfig(first)).toMatchObject({ sampleRate, channels });
    const sound = createSoundTrack({ codec: Codec.Aac, bytes: first }, { sampleRate, channels });
    const clip = await loadDemoClip('road');
    const video = readVideoTrack(Codec.H264, clipFrame(clip, 0).bytes);
    if (sound === undefined || video === undefined) throw new Error('not read');
    const pieces: Uint8Array[] = [];
    const writer = new Mp4Writer({ video, sound: sound.config, startMs: 0, durationMs: SECONDS * 1000 });
    const frameS = 1024 / sampleRate;
    let next = 0;
    for (let picture = 0; picture < SECONDS * 25; picture++) {
      const timeS = (picture * FRAME_MS) / 1000;
      const { bytes, isKey } = clipFrame(clip, picture);
      writer.addPicture({ bytes: new Uint8Array(bytes), timeUs: picture * FRAME_MS * 1000, isKey });
      for (; next * frameS <= timeS && next < frames.length; next++) {
        // Two seconds of the sound were not recorded.
        if (next * frameS > 2 && next * frameS < 4) continue;
        const timeUs = next * frameS * 1e6;
        for (const frame of sound.push({ codec: Codec.Aac, bytes: frames[next] ?? first, timeUs })) {
          writer.addSound(frame);
        }
      }
      for (const frame of sound.fill(timeS - 1)) writer.addSound(frame);
      pieces.push(writer.take() ?? new Uint8Array());
    }
    writer.finish();
    pieces.push(writer.take() ?? new Uint8Array());

    const folder = await createTempFolder();
    onTestFinished(folder.remove);
    const mp4 = join(folder.path, 'mp4.mp4');
    await writeFile(mp4, Buffer.concat(pieces));
    const args = ['-v', 'warning', '-i', mp4, '-map', '0:a', '-ac', '1', '-ar', '8000', '-f', 's16le', '-'];
    const { stdout, stderr } = await promisify(execFile)(ffmpeg?.ffmpegPath ?? '', args, {
      encoding: 'buffer',
      maxBuffer: 16 * 1024 * 1024,
    });
    expect(String(stderr)).toBe('');
    const loudness = (second: number): number => {
      let peak = 0;
      for (let at = second * 8_000; at < (second + 0.2) * 8_000; at++) {
        peak = Math.max(peak, Math.abs(stdout.readInt16LE(Math.floor(at) * 2)));
      }
      return peak;
    };
    for (const second of [0.5, 1.5, 4.5, 5.3]) expect(loudness(second)).toBeGreaterThan(1_000);
    for (const second of [2.5, 3, 3.5]) expect(loudness(second)).toBeLessThan(50);
  });
});
