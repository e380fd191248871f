import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AAC_FRAME_SAMPLES } from '../../../../server/recording/export/adts.ts';
import { exportChannel, planExport } from '../../../../server/recording/export/exportChannel.ts';
import { FRAME_MS, frameAt, LOOP_FRAMES } from '../../../../simulator/clip/clipFormat.ts';
import type { ClipName } from '../../../../simulator/clip/clipList.ts';
import { type Clip, loadDemoClips } from '../../../../simulator/clip/loadClip.ts';
import { burntInFrames } from '../../../support/browser/burntInFrames.ts';
import { decodeSound, fidelityDb, peakOf } from '../../../support/media/decodedSound.ts';
import { findFfmpeg } from '../../../support/media/ffmpeg.ts';
import { recordChannel, recordedTone } from '../../../support/media/recordedDay.ts';
import { makeStripClip } from '../../../support/media/stripClip.ts';
import { createTempFolder, type TempFolder } from '../../../support/tempFolder.ts';
import { openRecordingScene, type RecordingScene } from '../playback/scene.ts';

const run = promisify(execFile);
const DEVICE = 'van-1';
const START = Date.UTC(2026, 2, 1, 23, 58, 20);
const GAP_FROM = START + 60_000;
const GAP_TO = START + 80_000;
const END = START + 140_000;
/** Delay of the sound's encoder, at 8 kHz. */
const DELAY_SAMPLES = 576;
/** The loss of the sound is at least this far below it. */
const MIN_FIDELITY_DB = 25;

interface Probe {
  readonly format: { readonly duration: string; readonly tags: Readonly<Record<string, string>> };
  readonly streams: readonly {
    readonly codec_name: string;
    readonly codec_type: string;
    readonly width?: number;
    readonly nb_read_packets: string;
    readonly tags?: Readonly<Record<string, string>>;
  }[];
  readonly packets: readonly { readonly codec_type: string; readonly pts_time: string; readonly dts_time: string }[];
}

const ffmpeg = findFfmpeg();

// The mp4 is judged by a reader and a decoder that are not ours.
describe.skipIf(ffmpeg === undefined)('an exported mp4', () => {
  let scene: RecordingScene;
  let folder: TempFolder;
  let clips: Readonly<Record<ClipName, Clip>>;

  beforeAll(async () => {
    scene = await openRecordingScene();
    folder = await createTempFolder();
    clips = await loadDemoClips();
    const whole = [{ fromMs: START, toMs: END }];
    const holed = [
      { fromMs: START, toMs: GAP_FROM },
      { fromMs: GAP_TO, toMs: END },
    ];
    const base = { archiveId: DEVICE };
    await recordChannel(scene, { ...base, channel: 1, clip: clips.road, spans: holed, withSound: true });
    await recordChannel(scene, { ...base, channel: 3, clip: clips.cabin, spans: whole });
    await recordChannel(scene, { ...base, channel: 4, clip: clips.side, spans: whole });
  });
  afterAll(async () => {
    await scene.close();
    await folder.remove();
  });

  async function exported(channel: number, fromMs: number, toMs: number): Promise<string> {
    const [plan] = await planExport(scene.gopReader, { track: { archiveId: DEVICE, channel }, fromMs, toMs });
    if (plan === undefined) throw new Error('nothing is recorded');
    const pieces: Uint8Array[] = [];
    const write = async (bytes: Uint8Array): Promise<void> => void pieces.push(bytes.slice());
    const signal = new AbortController().signal;
    const shares: number[] = [];
    await exportChannel(scene.gopReader, plan, { write, signal, onProgress: (share) => shares.push(share) });
    expect(shares.at(-1)).toBe(1);
    expect(shares.every((share, index) => share >= (shares[index - 1] ?? 0))).toBe(true);
    const file = join(folder.path, `${channel}-${fromMs}-${toMs}.mp4`);
    await writeFile(file, Buffer.concat(pieces));
    return file;
  }

  async function probe(file: string): Promise<Probe> {
    const what = ['-count_packets', '-show_streams', '-show_format', '-show_packets', '-of', 'json'];
    const { stdout, stderr } = await run(ffmpeg?.ffprobePath ?? '', ['-v', 'warning', ...what, file], {
      maxBuffer: 64 * 1024 * 1024,
    });
    expect(stderr).toBe('');
    return JSON.parse(stdout) as Probe;
  }

  const videoTimes = ({ packets }: Probe): number[] =>
    packets.filter((each) => each.codec_type === 'video').map((each) => Math.round(Number(each.pts_time) * 1000));

  test('holds every picture at its moment, over a hole and midnight, and says how long it is', async () => {
    const mp4 = await probe(await exported(1, START, END));
    const frames = (END - START - (GAP_TO - GAP_FROM)) / FRAME_MS;
    const [video, sound] = mp4.streams;
    expect(video).toMatchObject({ codec_name: 'h264', width: 640, nb_read_packets: String(frames) });
    expect(Number(mp4.format.duration)).toBeCloseTo((END - START) / 1000, 1);
    const expected = Array.from({ length: (END - START) / FRAME_MS }, (_, index) => index * FRAME_MS).filter(
      (at) => START + at < GAP_FROM || START + at >= GAP_TO,
    );
    expect(videoTimes(mp4)).toEqual(expected);
    const format = { codec_name: 'aac', profile: 'LC', codec_type: 'audio', sample_rate: '8000', channels: 1 };
    expect(sound).toMatchObject({ ...format, start_time: '0.000000' });
    expect(Number(sound?.nb_read_packets)).toBe(Math.ceil((8 * (END - START) + DELAY_SAMPLES) / AAC_FRAME_SAMPLES));
  });

  test('says when it was taken', async () => {
    const mp4 = await probe(await exported(1, START + 3_000, START + 9_000));
    expect(mp4.streams[0]?.tags?.creation_time).toBe(
      new Date(START + 2_000 - ((START + 2_000) % 1000)).toISOString().replace('000Z', '000000Z'),
    );
  });

  test('begins at the key frame before its range and ends with its last picture', async () => {
    const mp4 = await probe(await exported(1, START + 3_100, START + 9_000));
    const startMs = START + 2_000;
    expect(videoTimes(mp4)).toEqual(Array.from({ length: 7_000 / FRAME_MS }, (_, index) => index * FRAME_MS));
    expect(startMs % 2_000).toBe(0);
  });

  test.each([1, 3, 4])('decodes to the pictures that were taken, on channel %d', async (channel) => {
    const fromMs = START + 10_000;
    const frames = await burntInFrames(ffmpeg?.ffmpegPath ?? '', await exported(channel, fromMs, fromMs + 20_000));
    const first = frameAt(fromMs);
    expect(frames).toEqual(Array.from({ length: 500 }, (_, index) => (first + index) % LOOP_FRAMES));
  });

  test('keeps pictures that are shown in another order in time, with decoding times that rise', async () => {
    const mp4 = await probe(await exported(3, START, START + 30_000));
    const times = videoTimes(mp4);
    expect([...times].sort((a, b) => a - b)).toEqual(Array.from({ length: 750 }, (_, index) => index * FRAME_MS));
    expect(times).not.toEqual([...times].sort((a, b) => a - b));
    const dts = mp4.packets.map((each) => Number(each.dts_time));
    expect(dts.every((at, index) => index === 0 || at > (dts[index - 1] ?? 0))).toBe(true);
    expect(mp4.packets.every((each) => Number(each.pts_time) >= Number(each.dts_time))).toBe(true);
  });

  test('holds H.265 as it came', async () => {
    const mp4 = await probe(await exported(4, START, START + 20_000));
    expect(mp4.streams[0]).toMatchObject({ codec_name: 'hevc', width: 640, nb_read_packets: '500' });
  });

  test('has the sound that was recorded at its moment, and silence where none was', async () => {
    for (const fromMs of [START, START + 50_000]) {
      const heard = await decodeSound(ffmpeg?.ffmpegPath ?? '', await exported(1, fromMs, END));
      const recorded = recordedTone(fromMs, END, { fromMs: GAP_FROM, toMs: GAP_TO });
      expect(heard.length).toBeGreaterThanOrEqual(recorded.length);
      expect(heard.length).toBeLessThan(recorded.length + AAC_FRAME_SAMPLES);
      expect(fidelityDb(heard, recorded)).toBeGreaterThan(MIN_FIDELITY_DB);
      const silence = peakOf(heard, 8 * (GAP_FROM + 100 - fromMs), 8 * (GAP_TO - 100 - fromMs));
      expect(silence.size).toBeLessThan(2);
    }
  });

  test('goes on over a change of the picture’s size', async () => {
    const pictures = await makeStripClip(ffmpeg?.ffmpegPath ?? '', {
      width: 480,
      height: 272,
      frames: 50,
      keyFrameInterval: 50,
    });
    const small: Clip = {
      ...clips.road,
      frames: Array.from({ length: LOOP_FRAMES }, (_, at) => {
        const picture = pictures[at % 50];
        if (picture === undefined) throw new Error('the clip is short');
        return { bytes: picture.bytes, isKey: picture.isKey, isB: false, shownAt: at };
      }),
    };
    const spans = [
      { fromMs: START, toMs: START + 10_000 },
      { fromMs: START + 10_000, toMs: START + 20_000, clip: small },
      { fromMs: START + 20_000, toMs: START + 30_000 },
    ];
    await recordChannel(scene, { archiveId: DEVICE, channel: 7, clip: clips.road, spans });
    const file = await exported(7, START, START + 30_000);
    expect(videoTimes(await probe(file))).toHaveLength(750);
    const args = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'frame=width', '-of', 'csv=p=0', file];
    const { stdout } = await run(ffmpeg?.ffprobePath ?? '', args);
    const widths = stdout.trim().split('\n').map(Number.parseFloat);
    expect(widths.filter((width) => width === 480)).toHaveLength(250);
    expect(widths.filter((width) => width === 640)).toHaveLength(500);
  });

  test('is two where the camera was set to another codec', async () => {
    const spans = [
      { fromMs: START, toMs: START + 10_000 },
      { fromMs: START + 10_000, toMs: START + 20_000, clip: clips.side },
    ];
    await recordChannel(scene, { archiveId: DEVICE, channel: 8, clip: clips.road, spans });
    const range = { track: { archiveId: DEVICE, channel: 8 }, fromMs: START, toMs: START + 20_000 };
    const plans = await planExport(scene.gopReader, range);
    expect(plans.map(({ startMs, endMs }) => [startMs - START, endMs - START])).toEqual([
      [0, 10_000],
      [10_000, 20_000],
    ]);
    expect((await probe(await exported(8, START, START + 20_000))).streams[0]).toMatchObject({
      codec_name: 'h264',
      nb_read_packets: '250',
    });
  });

  test('is none where nothing is recorded', async () => {
    const range = { track: { archiveId: DEVICE, channel: 1 }, fromMs: GAP_FROM + 1_000, toMs: GAP_TO - 1_000 };
    expect(await planExport(scene.gopReader, range)).toEqual([]);
  });

  test('stops at once when it is not wanted any more', async () => {
    const [plan] = await planExport(scene.gopReader, {
      track: { archiveId: DEVICE, channel: 1 },
      fromMs: START,
      toMs: END,
    });
    if (plan === undefined) throw new Error('nothing is recorded');
    const stop = new AbortController();
    let written = 0;
    const write = async (bytes: Uint8Array): Promise<void> => {
      written += bytes.byteLength;
      stop.abort(new Error('enough'));
    };
    const output = { write, signal: stop.signal, onProgress: () => {} };
    await expect(exportChannel(scene.gopReader, plan, output)).rejects.toThrow('enough');
    expect(written).toBeLessThan(1_000_000);
  });
});
