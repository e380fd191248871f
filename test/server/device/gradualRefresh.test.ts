// Streams with gradual refresh, which have one IDR picture, from the terminal to a decoder that is not ours.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GopCache } from '../../../server/media/gopCache.ts';
import { type HubPacket, withDiscontinuity } from '../../../server/media/hubPacket.ts';
import { PacketCursor } from '../../../server/recording/playback/packetCursor.ts';
import type { RecordedPacket } from '../../../server/recording/playback/recordedPacket.ts';
import { LateEntry } from '../../../shared/protocol/codec/video/lateEntry.ts';
import { recoveryFramesIn } from '../../../shared/protocol/codec/video/recoveryPoint.ts';
import type { StreamPacket } from '../../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { findFfmpeg } from '../../support/media/ffmpeg.ts';
import { recordPackets } from '../../support/media/recordedDay.ts';
import { exportedClip, outputOf, packetIn, pictureChecksums, relayed } from '../../support/media/relayedClip.ts';
import { makeStripClip } from '../../support/media/stripClip.ts';
import { openRecordingScene, type RecordingScene } from '../recording/playback/scene.ts';

const found = findFfmpeg();
const START = Date.UTC(2026, 2, 1, 12);
const TRACK = { archiveId: 'van-1', channel: 1 };
const FRAMES = 230;
const INTERVAL = 50;
/** The picture is 24 blocks wide. One is refreshed at each picture, in which the encoder counts B pictures too. */
const RECOVERY = 22;
const FRAME_MS = 40;

const picturesOf = (source: string | Uint8Array): Promise<string[]> =>
  pictureChecksums(found?.ffmpegPath ?? '', source);

interface Camera {
  readonly bPictures?: number;
  readonly encoder?: string;
  readonly frames?: number;
}

async function packetsOf({ bPictures = 0, encoder = 'cabac=1', frames = FRAMES }: Camera = {}) {
  const size = { width: 384, height: 96, frames, keyFrameInterval: INTERVAL };
  const clip = await makeStripClip(found?.ffmpegPath ?? '', { ...size, bPictures, hasIntraRefresh: true, encoder });
  const hubPackets = relayed(clip);
  const pictures = await picturesOf(Buffer.concat(clip.map(({ bytes }) => bytes)));
  return { hubPackets, packets: hubPackets.map(packetIn), pictures };
}

/** The input of a decoder that begins with the first of the packets, and how many of its last pictures are shown. */
function joined(packets: readonly StreamPacket[]) {
  const late = new LateEntry();
  const units: Uint8Array[] = [];
  let shown = 0;
  for (const [index, packet] of packets.entries()) {
    const prepared = late.take(packet, packet.payload, index === 0);
    if (prepared === undefined) continue;
    units.push(...prepared.standIns, prepared.bytes);
    if (!prepared.unseen) shown++;
  }
  return { bytes: Buffer.concat(units), shown };
}

/** When each picture of a file is shown, in milliseconds. */
async function timesOf(file: string): Promise<number[]> {
  const from = ['-v', 'warning', '-select_streams', 'v', '-show_entries', 'frame=pts_time', '-of', 'csv=p=0', file];
  const text = await outputOf(found?.ffprobePath ?? '', from);
  return text.split('\n').flatMap((line) => (line === '' ? [] : [1_000 * Number.parseFloat(line)]));
}

const entriesOf = (packets: readonly StreamPacket[]): number[] =>
  packets.flatMap(({ dependence }, at) => (dependence === 'recovering' ? [at] : []));

async function recorded(packets: readonly HubPacket[]): Promise<RecordingScene> {
  const scene = await openRecordingScene();
  onTestFinished(() => scene.close());
  await recordPackets(scene, TRACK, packets, START);
  return scene;
}

/** Pictures from a moment on, as a player decodes them that seeks there: what it shows of them, by their number in the stream. */
async function playedFrom(scene: RecordingScene, atMs: number, pictures: readonly string[]): Promise<number[]> {
  const cursor = new PacketCursor(scene.gopReader, TRACK, (START + atMs) * 1_000);
  const packets: RecordedPacket[] = [];
  for (let read = await cursor.read(); read.kind === 'packets'; read = await cursor.read())
    packets.push(...read.packets);
  const { bytes, shown } = joined(packets.map(packetIn));
  const decoded = await picturesOf(bytes);
  const seen = decoded.slice(decoded.length - shown);
  expect(seen).toEqual(pictures.slice(pictures.length - shown));
  return seen.map((_, at) => pictures.length - shown + at);
}

const cameras: [string, Camera, number][] = [
  ['CABAC', {}, RECOVERY],
  ['several slices, without CABAC', { encoder: 'cabac=0:slices=3' }, RECOVERY],
  ['weighted references', { encoder: 'cabac=1:weightp=2:subme=6' }, RECOVERY],
  ['B pictures', { bPictures: 2 }, 3 * (RECOVERY + 2)],
];

describe.skipIf(found === undefined)('a camera with gradual refresh', () => {
  it.each(cameras)('can be joined at each of its recovery points (%s)', async (_, camera, hidden) => {
    const { packets, pictures } = await packetsOf(camera);
    expect(pictures).toHaveLength(FRAMES);
    const entries = entriesOf(packets);
    expect(entries).toHaveLength(4);
    const frames = recoveryFramesIn(packets[entries[0] ?? 0]?.payload ?? new Uint8Array());
    expect(frames).toBe(RECOVERY + (camera.bPictures ?? 0));
    for (const at of entries.slice(0, 3)) {
      const { bytes, shown } = joined(packets.slice(at));
      expect(Math.abs(FRAMES - at - hidden - shown)).toBeLessThanOrEqual(camera.bPictures ?? 0);
      const decoded = await picturesOf(bytes);
      expect(decoded.slice(decoded.length - shown)).toEqual(pictures.slice(FRAMES - shown));
    }
  });

  it.each(cameras)('is relayed whole to who watches already (%s)', async (_, camera) => {
    const { packets, pictures } = await packetsOf(camera);
    const { bytes, shown } = joined(packets);
    expect(shown).toBe(FRAMES);
    expect(bytes).toEqual(Buffer.concat(packets.map(({ payload }) => payload)));
    expect(await picturesOf(bytes)).toEqual(pictures);
  });

  it('gives a late viewer the present picture at once, whenever it comes', async () => {
    const { hubPackets, pictures } = await packetsOf();
    const cache = new GopCache();
    const waits: number[] = [];
    for (const [at, packet] of hubPackets.entries()) {
      cache.add(packet);
      const { bytes, shown } = joined(cache.packets().map(packetIn));
      if (shown === 0) waits.push(at);
      if (at % 31 !== 30) continue;
      const decoded = await picturesOf(bytes);
      expect(decoded.at(-1)).toBe(pictures[at]);
    }
    expect(waits).toEqual([]);
    // No more is kept than a decoder needs for that.
    expect(cache.packets()).toHaveLength(FRAMES - 200);
  });

  it('goes on behind a loss as soon as pictures are right', async () => {
    const { packets, pictures } = await packetsOf();
    const [, second = 0] = entriesOf(packets);
    const late = new LateEntry();
    const kept = [...packets.slice(0, 60), ...packets.slice(second)];
    const shown = kept.flatMap((packet, at) => {
      const prepared = late.take(packet, packet.payload, at === 0 || at === 60);
      return prepared?.unseen === false ? [at < 60 ? at : second + at - 60] : [];
    });
    const expected = pictures.map((_, at) => at).filter((at) => at < 60 || at >= second + RECOVERY);
    expect(shown).toEqual(expected);
  });

  it('is recorded in groups that are played on end without a change', async () => {
    const { hubPackets, packets, pictures } = await packetsOf();
    const scene = await recorded(hubPackets);
    expect(await playedFrom(scene, 0, pictures)).toHaveLength(FRAMES);
    const at = await scene.gopReader.latestAt(TRACK, wallMs(START + 4_500));
    expect(at?.number).toBe(2);
    // This is a frame more than the message says, for which the last picture is shown.
    expect(at?.group.recoveryMs).toBe((RECOVERY + 1) * FRAME_MS);
    expect(entriesOf(packets)).toEqual([50, 100, 150, 200]);
  });

  it.each([
    ['behind the recovery point', 50 + RECOVERY + 5, 50 + RECOVERY],
    ['before it', 100 + RECOVERY - 5, 50 + RECOVERY],
    ['at the entry itself', 150, 100 + RECOVERY],
  ])('is right at the moment that is sought (%s)', async (_, frame, first) => {
    const { hubPackets, pictures } = await packetsOf();
    const scene = await recorded(hubPackets);
    const [shown] = await playedFrom(scene, frame * FRAME_MS + 20, pictures);
    expect(shown).toBe(first);
  });

  it('is right as early as it can be where the recording begins with a recovery point', async () => {
    const { hubPackets, packets, pictures } = await packetsOf();
    const [first = 0] = entriesOf(packets);
    const scene = await recorded(hubPackets.slice(first));
    const shown = await playedFrom(scene, 5 * FRAME_MS, pictures);
    expect(shown[0]).toBe(first + RECOVERY);
  });

  it('plays fast with all of its pictures, for its key frames show nothing alone', async () => {
    const { hubPackets, packets } = await packetsOf();
    const scene = await recorded(hubPackets);
    const cursor = new PacketCursor(scene.gopReader, TRACK, (START + 3_500) * 1_000, 'key-frames');
    let count = 0;
    for (let read = await cursor.read(); read.kind === 'packets'; read = await cursor.read())
      count += read.packets.length;
    expect(count).toBe(packets.length - 50);
  });

  it('is exported with the pictures from before a loss and those behind it that are right', async () => {
    const { hubPackets, packets, pictures } = await packetsOf();
    const [, second = 0] = entriesOf(packets);
    const [lost] = hubPackets.slice(second).map(withDiscontinuity);
    const kept = [...hubPackets.slice(0, 80), ...(lost === undefined ? [] : [lost]), ...hubPackets.slice(second + 1)];
    const scene = await recorded(kept);
    const { bytes } = await exportedClip(scene.gopReader, {
      track: TRACK,
      fromMs: START,
      toMs: START + FRAMES * FRAME_MS,
    });
    const file = join(scene.folder, 'clip.mp4');
    await writeFile(file, bytes);
    const shown = await picturesOf(file);
    expect(shown.slice(0, 80)).toEqual(pictures.slice(0, 80));
    expect(shown.slice(second + RECOVERY - FRAMES)).toEqual(pictures.slice(second + RECOVERY));
    // The pictures between flash by within a millisecond of the first one that is right.
    const [first = 0] = (await timesOf(file)).filter((time) => time > 80 * FRAME_MS);
    expect(Math.abs(first - (second + RECOVERY) * FRAME_MS)).toBeLessThan(2);
  });

  it.each([
    ['behind the recovery point', {}, 100 + RECOVERY + 5],
    ['before it', {}, 100 + RECOVERY - 5],
    ['with B pictures', { bPictures: 2 }, 180],
  ])('is exported so that the first picture is right (%s)', async (_, camera, frame) => {
    const { hubPackets, pictures } = await packetsOf(camera);
    const scene = await recorded(hubPackets);
    const range = { track: TRACK, fromMs: START + frame * FRAME_MS, toMs: START + FRAMES * FRAME_MS };
    const { bytes, startMs } = await exportedClip(scene.gopReader, range);
    expect(startMs).toBeLessThanOrEqual(range.fromMs);
    const file = join(scene.folder, 'clip.mp4');
    await writeFile(file, bytes);
    const shown = await picturesOf(file);
    expect(shown).toEqual(pictures.slice(Math.round((startMs - START) / FRAME_MS)));
    const times = await timesOf(file);
    expect(Math.abs(times[0] ?? 1_000)).toBeLessThan(2);
    expect(Math.abs((times.at(-1) ?? 0) - (shown.length - 1) * FRAME_MS)).toBeLessThan(2);
  });
});
