// Sound of all kinds through a mp4 and back by ffmpeg: not a bit may be another.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FRAME_MS } from '../../../../server/demo/clip/clipFormat.ts';
import { type Clip, loadDemoClip } from '../../../../server/demo/clip/loadClip.ts';
import { Mp4Writer } from '../../../../server/recording/export/mp4/mp4Writer.ts';
import { createSoundTrack } from '../../../../server/recording/export/soundTrack.ts';
import { readVideoTrack } from '../../../../server/recording/export/videoConfig.ts';
import { A_LAW, MU_LAW } from '../../../../shared/protocol/codec/sound/g711.ts';
import { Codec } from '../../../../shared/protocol/stream/streamPacket.ts';
import { anySound } from '../../../support/media/anySound.ts';
import { decodeSound, firstDifference } from '../../../support/media/decodedSound.ts';
import { findFfmpeg } from '../../../support/media/ffmpeg.ts';
import { clipFrame } from '../../../support/media/recordedDay.ts';
import { createTempFolder, type TempFolder } from '../../../support/tempFolder.ts';

const ffmpeg = findFfmpeg();
/** Each is a process of its own. */
const RUNS = 6;
const CHUNK_SAMPLES = 320;

describe.skipIf(ffmpeg === undefined)('sound in an exported mp4', { timeout: 60_000 }, () => {
  let folder: TempFolder;
  let clip: Clip;

  beforeAll(async () => {
    folder = await createTempFolder();
    clip = await loadDemoClip('road');
  });
  afterAll(() => folder.remove());

  /** A mp4 with so much sound, in pieces as terminals send it. */
  async function clipOf(
    codec: number,
    bytes: Uint8Array,
    format: { rate: number; sampleBytes: number },
  ): Promise<string> {
    const { rate, sampleBytes } = format;
    const sound = createSoundTrack({ codec, bytes }, { sampleRate: rate, channels: 1 });
    const video = readVideoTrack(Codec.H264, clipFrame(clip, 0).bytes);
    if (sound === undefined || video === undefined) throw new Error('not read');
    const seconds = bytes.length / sampleBytes / rate;
    const writer = new Mp4Writer({ video, sound: sound.config, startMs: 0, durationMs: seconds * 1000 });
    for (let picture = 0; picture === 0 || picture * FRAME_MS < seconds * 1000; picture++) {
      const { bytes, isKey } = clipFrame(clip, picture);
      writer.addPicture({ bytes: new Uint8Array(bytes), timeUs: picture * FRAME_MS * 1000, isKey });
    }
    const chunk = CHUNK_SAMPLES * sampleBytes;
    for (let at = 0; at < bytes.length; at += chunk) {
      const timeUs = Math.floor(((at / sampleBytes) * 1e6) / rate);
      for (const frame of sound.push({ codec, bytes: bytes.subarray(at, at + chunk), timeUs })) writer.addSound(frame);
    }
    for (const frame of sound.finish()) writer.addSound(frame);
    writer.finish();
    const mp4 = join(folder.path, 'mp4.mp4');
    await writeFile(mp4, writer.take() ?? new Uint8Array());
    return mp4;
  }

  test.each([8_000, 11_025, 16_000, 22_050, 44_100, 48_000])(
    'comes back as it was, whatever it was, at %d samples a second',
    async (rate) => {
      await fc.assert(
        fc.asyncProperty(anySound(12_000), async (samples) => {
          const bytes = new Uint8Array(samples.buffer);
          const mp4 = await clipOf(Codec.Pcm16, bytes, { rate, sampleBytes: 2 });
          expect(firstDifference(await decodeSound(ffmpeg?.ffmpegPath ?? '', mp4), samples)).toBe(undefined);
        }),
        { numRuns: RUNS },
      );
    },
  );

  test.each([
    ['A-law', Codec.G711A, A_LAW],
    ['µ-law', Codec.G711U, MU_LAW],
  ])('of %s is that of its table', async (_, codec, table) => {
    const bytes = Uint8Array.from({ length: 20_000 }, (_, at) => (at * 7 + (at >> 8)) & 0xff);
    const mp4 = await clipOf(codec, bytes, { rate: 8_000, sampleBytes: 1 });
    const expected = Int16Array.from(bytes, (code) => table[code] ?? 0);
    expect(firstDifference(await decodeSound(ffmpeg?.ffmpegPath ?? '', mp4), expected)).toBe(undefined);
  });
});
