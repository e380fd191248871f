// Streams whose groups begin with pictures that are no IDR, from the terminal to a decoder that is not ours.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PacketCursor } from '../../../server/recording/playback/packetCursor.ts';
import { LateEntry } from '../../../shared/protocol/codec/video/lateEntry.ts';
import type { StreamPacket } from '../../../shared/protocol/stream/streamPacket.ts';
import { findFfmpeg } from '../../support/media/ffmpeg.ts';
import { recordPackets } from '../../support/media/recordedDay.ts';
import { exportedClip, outputOf, packetIn, pictureChecksums, relayed } from '../../support/media/relayedClip.ts';
import { makeStripClip } from '../../support/media/stripClip.ts';
import { openRecordingScene } from '../recording/playback/scene.ts';

const found = findFfmpeg();
const FRAMES = 100;
const START = Date.UTC(2026, 2, 1, 12);
const TRACK = { archiveId: 'van-1', channel: 1 };

const picturesOf = (source: string | Uint8Array): Promise<string[]> =>
  pictureChecksums(found?.ffmpegPath ?? '', source);

interface Camera {
  readonly bPictures: number;
  readonly encoder: string;
}

/** What the gateway makes of a camera's pictures, and the pictures in the order of showing. */
async function packetsOf({ bPictures, encoder }: Camera) {
  const size = { width: 384, height: 64, frames: FRAMES, keyFrameInterval: 27 };
  const clip = await makeStripClip(found?.ffmpegPath ?? '', { ...size, bPictures, hasOpenGroups: true, encoder });
  const hubPackets = relayed(clip);
  const pictures = await picturesOf(Buffer.concat(clip.map(({ bytes }) => bytes)));
  return { hubPackets, packets: hubPackets.map(packetIn), pictures };
}

function entriesOf(packets: readonly StreamPacket[]): number[] {
  return packets.flatMap(({ dependence }, at) => (dependence === 'entry' ? [at] : []));
}

const cameras: [string, Camera][] = [
  ['two B pictures', { bPictures: 2, encoder: 'cabac=1' }],
  ['B pictures that refer to each other, without CABAC', { bPictures: 3, encoder: 'cabac=0:ref=4:weightp=2' }],
  ['several slices', { bPictures: 2, encoder: 'cabac=1:slices=3:ref=3' }],
];

describe.skipIf(found === undefined)('a camera with open groups', () => {
  it.each(cameras)('can be joined at each key frame (%s)', async (_, camera) => {
    const { packets, pictures } = await packetsOf(camera);
    expect(pictures).toHaveLength(FRAMES);
    const entries = entriesOf(packets);
    expect(entries).toHaveLength(3);
    for (const at of entries) {
      const late = new LateEntry();
      const units = packets
        .slice(at)
        .flatMap((packet, index) => late.take(packet, packet.payload, index === 0)?.bytes ?? []);
      const leading = packets.slice(at).findIndex((packet, index) => index > 0 && packet.dependence === undefined) - 1;
      expect(leading).toBeGreaterThan(0);
      expect(units).toHaveLength(packets.length - at - leading);
      expect(await picturesOf(Buffer.concat(units))).toEqual(pictures.slice(at + leading));
    }
  });

  it('is relayed whole to who watches already', async () => {
    const { packets, pictures } = await packetsOf({ bPictures: 2, encoder: 'cabac=1' });
    const late = new LateEntry();
    const units = packets.flatMap((packet) => late.take(packet, packet.payload, packet.discontinuity)?.bytes ?? []);
    expect(await picturesOf(Buffer.concat(units))).toEqual(pictures);
  });

  it('is recorded in groups, and exported from any of them on', async () => {
    const { hubPackets, packets, pictures } = await packetsOf({ bPictures: 2, encoder: 'cabac=1' });
    const scene = await openRecordingScene();
    onTestFinished(() => scene.close());
    await recordPackets(scene, TRACK, hubPackets, START);
    const second = entriesOf(packets)[1] ?? 0;
    const secondMs = ((packets[second]?.mediaTimeUs ?? 0) - (packets[0]?.mediaTimeUs ?? 0)) / 1_000;

    const cursor = new PacketCursor(scene.gopReader, TRACK, (START + secondMs + 200) * 1_000);
    const read = await cursor.read();
    const first = read.kind === 'packets' ? read.packets[0] : undefined;
    expect(first).toMatchObject({ isKey: true, dependence: 'entry' });
    expect(Math.abs((first?.timeUs ?? 0) / 1_000 - START - secondMs)).toBeLessThan(40);

    const range = { track: TRACK, fromMs: START + secondMs + 200, toMs: START + 4_000 };
    const { bytes } = await exportedClip(scene.gopReader, range);
    const file = join(scene.folder, 'clip.mp4');
    await writeFile(file, bytes);
    const shown = await picturesOf(file);
    const firstShown = Math.round(secondMs / 40);
    expect(shown).toEqual(pictures.slice(firstShown, firstShown + shown.length));
    expect(shown.length).toBeGreaterThan(40);
    const flags = await outputOf(found?.ffprobePath ?? '', [
      '-v',
      'warning',
      '-select_streams',
      'v',
      '-show_entries',
      'packet=flags',
      '-of',
      'csv=p=0',
      file,
    ]);
    expect(flags.startsWith('K')).toBe(true);
    expect(flags.split('\n').filter((line) => line.startsWith('K')).length).toBeGreaterThan(1);
  });
});
