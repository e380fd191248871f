// Sound of all kinds through a mp4 and back by ffmpeg: what is heard is what was recorded, when it was recorded.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AAC_FRAME_SAMPLES } from '../../../../server/recording/export/adts.ts';
import { Mp4Writer } from '../../../../server/recording/export/mp4/mp4Writer.ts';
import { createSoundTrack } from '../../../../server/recording/export/soundTrack.ts';
import { readVideoTrack } from '../../../../server/recording/export/videoConfig.ts';
import { A_LAW, MU_LAW } from '../../../../shared/protocol/codec/sound/g711.ts';
import { decodeImaAdpcm } from '../../../../shared/protocol/codec/sound/imaAdpcm.ts';
import { Codec } from '../../../../shared/protocol/stream/streamPacket.ts';
import { FRAME_MS } from '../../../../simulator/clip/clipFormat.ts';
import { type Clip, loadDemoClip } from '../../../../simulator/clip/loadClip.ts';
import { anySound } from '../../../support/media/anySound.ts';
import { decodeSound, fidelityDb, peakOf } from '../../../support/media/decodedSound.ts';
import { findFfmpeg } from '../../../support/media/ffmpeg.ts';
import { clipFrame } from '../../../support/media/recordedDay.ts';
import { createTempFolder, type TempFolder } from '../../../support/tempFolder.ts';

const ffmpeg = findFfmpeg();
/** Number of runs, each of which is a process of its own. */
const RUNS = 6;
const CHUNK_SAMPLES = 320;
const MIN_FIDELITY_DB = 24;
/** Delay of the encoder, at 8 kHz. */
const DELAY_SAMPLES = 576;
const RATES = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];

interface Format {
  readonly rate: number;
  readonly chunkBytes: number;
}

describe.skipIf(ffmpeg === undefined)('sound in an exported mp4', { timeout: 60_000 }, () => {
  let folder: TempFolder;
  let clip: Clip;

  beforeAll(async () => {
    folder = await createTempFolder();
    clip = await loadDemoClip('road');
  });
  afterAll(() => folder.remove());

  /** An mp4 with this sound, in chunks of `CHUNK_SAMPLES` as terminals send it. */
  async function clipOf(codec: number, bytes: Uint8Array, { rate, chunkBytes }: Format): Promise<string> {
    const sound = createSoundTrack({ codec, bytes }, { sampleRate: rate, channels: 1 });
    const video = readVideoTrack(Codec.H264, clipFrame(clip, 0).bytes);
    if (sound === undefined || video === undefined) throw new Error('not read');
    const seconds = ((bytes.length / chunkBytes) * CHUNK_SAMPLES) / rate;
    const writer = new Mp4Writer({ video, sound: sound.config, startMs: 0, durationMs: seconds * 1000 });
    for (let picture = 0; picture === 0 || picture * FRAME_MS < seconds * 1000; picture++) {
      const { bytes, isKey } = clipFrame(clip, picture);
      writer.addPicture({ bytes: new Uint8Array(bytes), timeUs: picture * FRAME_MS * 1000, isKey });
    }
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      const timeUs = Math.floor(((at / chunkBytes) * CHUNK_SAMPLES * 1e6) / rate);
      const chunk = bytes.subarray(at, at + chunkBytes);
      for (const frame of sound.push({ codec, bytes: chunk, timeUs })) writer.addSound(frame);
    }
    for (const frame of sound.finish()) writer.addSound(frame);
    writer.finish();
    const mp4 = join(folder.path, 'mp4.mp4');
    await writeFile(mp4, writer.take() ?? new Uint8Array());
    return mp4;
  }

  const pcmClip = (samples: Int16Array, rate: number): Promise<string> =>
    clipOf(Codec.Pcm16, new Uint8Array(samples.slice().buffer), { rate, chunkBytes: 2 * CHUNK_SAMPLES });

  async function decoded(mp4: string): Promise<Int16Array> {
    return await decodeSound(ffmpeg?.ffmpegPath ?? '', mp4);
  }

  test.each([8_000, 16_000, 44_100])('is what was recorded, whatever it was, at %d samples a second', async (rate) => {
    await fc.assert(
      fc.asyncProperty(anySound(12_000), async (samples) => {
        const heard = await decoded(await pcmClip(samples, rate));
        expect(heard.length).toBeGreaterThanOrEqual(samples.length);
        expect(fidelityDb(heard, samples)).toBeGreaterThan(MIN_FIDELITY_DB);
      }),
      { numRuns: RUNS },
    );
  });

  test.each(RATES)(
    'has a click at its moment, and nothing of it a window before, at %d samples a second',
    async (rate) => {
      const samples = new Int16Array(2 * rate);
      const clicks = [0, 0.01, 0.5, 0.777, 1.25, 1.999].map((second) => Math.round(second * rate));
      for (const at of clicks) samples[at] = 20_000;
      const heard = await decoded(await pcmClip(samples, rate));
      const reach = Math.floor(rate * 0.005);
      for (const at of clicks) {
        const peak = peakOf(heard, Math.max(0, at - reach), at + reach);
        expect(peak.at).toBe(at);
        expect(peak.size).toBeGreaterThan(15_000);
      }
      expect(peakOf(heard, Math.round(0.1 * rate), Math.round(0.4 * rate)).size).toBeLessThan(50);
    },
  );

  test('is heard as nothing where it is one quiet click', async () => {
    const click = Int16Array.of(0, 124);
    expect(fidelityDb(await decoded(await pcmClip(click, 44_100)), click)).toBe(Number.POSITIVE_INFINITY);
  });

  test.each([
    ['A-law', Codec.G711A, (bytes: Uint8Array) => Int16Array.from(bytes, (code) => A_LAW[code] ?? 0), 320],
    ['µ-law', Codec.G711U, (bytes: Uint8Array) => Int16Array.from(bytes, (code) => MU_LAW[code] ?? 0), 320],
    ['ADPCM', Codec.ImaAdpcm, adpcmSamples, 4 + 160],
  ])('of %s is that of its codec', async (_, codec, samplesOf, chunkBytes) => {
    const bytes = Uint8Array.from({ length: 40 * chunkBytes }, (_, at) => (at * 7 + (at >> 8)) & 0xff);
    // Each chunk of ADPCM begins with the state: a sample and a step.
    if (codec === Codec.ImaAdpcm) for (let at = 0; at < bytes.length; at += chunkBytes) bytes.set([0, 0, 20, 0], at);
    const heard = await decoded(await clipOf(codec, bytes, { rate: 8_000, chunkBytes }));
    expect(fidelityDb(heard, samplesOf(bytes, chunkBytes))).toBeGreaterThan(MIN_FIDELITY_DB);
  });

  test('is AAC-LC that begins with its pictures and lasts as long as it was recorded', async () => {
    const samples = Int16Array.from({ length: 30_001 }, (_, at) => 5_000 * Math.sin(at / 10));
    const entries = 'stream=codec_name,profile,sample_rate,channels,start_time,duration:packet=pts';
    const args = ['-v', 'warning', '-select_streams', 'a', '-show_entries', entries, '-of', 'json'];
    const { stdout, stderr } = await promisify(execFile)(ffmpeg?.ffprobePath ?? '', [
      ...args,
      await pcmClip(samples, 8_000),
    ]);
    expect(stderr).toBe('');
    const { streams, packets } = JSON.parse(stdout) as { streams: object[]; packets: { pts: number }[] };
    const times = { start_time: '0.000000', duration: '3.750125' };
    expect(streams).toEqual([{ codec_name: 'aac', profile: 'LC', sample_rate: '8000', channels: 1, ...times }]);
    expect(packets[0]?.pts).toBe(-DELAY_SAMPLES);
    expect(packets).toHaveLength(Math.ceil((samples.length + DELAY_SAMPLES) / AAC_FRAME_SAMPLES));
  });
});

function adpcmSamples(bytes: Uint8Array, chunkBytes: number): Int16Array {
  const samples: number[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    for (const sample of decodeImaAdpcm(bytes.subarray(at, at + chunkBytes))) samples.push(sample * 32_768);
  }
  return Int16Array.from(samples);
}
