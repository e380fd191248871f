// Streams with gradual refresh, in the browser's own decoder and in the built page.
import { describe, expect, it } from 'vitest';
import { H264Normaliser } from '../../../server/media/h264/normaliser.ts';
import { LateEntry } from '../../../shared/protocol/codec/video/lateEntry.ts';
import { splitNalUnits } from '../../../shared/protocol/codec/video/nalUnits.ts';
import { avcCodecName, parseSps } from '../../../shared/protocol/codec/video/sps.ts';
import { Codec } from '../../../shared/protocol/stream/streamPacket.ts';
import type { ClipPicture } from '../../support/fakes/fakeStream.ts';
import { findFfmpeg } from '../../support/media/ffmpeg.ts';
import { makeStripClip } from '../../support/media/stripClip.ts';
import { frameNumbers, newPage, setScene, startGateway, waitForPictures } from './scene.ts';

const scene = setScene();
const ffmpeg = findFfmpeg();
const INTERVAL = 50;
/** The picture is 30 blocks wide, of which one is refreshed at each picture. */
const RECOVERY = 28;

type Relayed = Required<Pick<ClipPicture, 'bytes' | 'isKey' | 'shownAt'>> & ClipPicture;

/** The pictures as the gateway relays them. */
async function relayedPictures(frames: number): Promise<Relayed[]> {
  const size = { width: 480, height: 272, frames, keyFrameInterval: INTERVAL };
  const clip = await makeStripClip(ffmpeg?.ffmpegPath ?? '', { ...size, hasIntraRefresh: true, encoder: 'cabac=1' });
  const normaliser = new H264Normaliser();
  return clip.flatMap(({ bytes, shownAt = 0 }) => {
    const unit = normaliser.push(bytes);
    return unit === undefined
      ? []
      : [{ bytes: Buffer.concat(unit.parts), isKey: unit.isKey, dependence: unit.dependence, shownAt }];
  });
}

interface Chunk {
  readonly type: 'key' | 'delta';
  readonly timestamp: number;
  readonly base64: string;
}

/** The input of a decoder that begins with the first picture, and the times of what is shown. */
function prepared(pictures: readonly Relayed[]) {
  const late = new LateEntry();
  const shown: number[] = [];
  const chunks = pictures.flatMap(({ bytes, isKey: key, dependence, shownAt }, at): Chunk[] => {
    const mediaTimeUs = shownAt * 40_000;
    const unit = late.take({ codec: Codec.H264, key, dependence, mediaTimeUs }, bytes, at === 0);
    if (unit === undefined) return [];
    if (!unit.unseen) shown.push(mediaTimeUs);
    return [...unit.standIns, unit.bytes].map((data, index, all) => ({
      type: key && index === 0 ? 'key' : 'delta',
      timestamp: mediaTimeUs - (all.length - 1 - index),
      base64: Buffer.from(data).toString('base64'),
    }));
  });
  return { chunks, shown };
}

describe.skipIf(ffmpeg === undefined)('pictures that are refreshed column by column', () => {
  it('are the same, once they are right, in a decoder that begins at any recovery point', async () => {
    const pictures = await relayedPictures(160);
    const gateway = await startGateway();
    const page = await newPage(scene.browser());
    await page.goto(`${gateway.origin}/live/DEV1/ann/secret1`, { waitUntil: 'commit' });
    const sps = splitNalUnits(pictures[0]?.bytes ?? new Uint8Array()).map(({ bytes }) => parseSps(bytes));
    const [codec = ''] = sps.flatMap((set) => (set === undefined ? [] : [avcCodecName(set)]));

    /** A checksum of each picture by its time. */
    const decoded = async (chunks: readonly Chunk[]): Promise<Map<number, string>> =>
      new Map(
        await page.evaluate(
          async ({ chunks, codec }) => {
            const sums: Promise<[number, string]>[] = [];
            const sumOf = async (frame: VideoFrame): Promise<[number, string]> => {
              const bytes = new Uint8Array(frame.allocationSize());
              await frame.copyTo(bytes);
              const { timestamp } = frame;
              frame.close();
              return [timestamp, new Uint8Array(await crypto.subtle.digest('SHA-1', bytes)).join()];
            };
            const decoder = new VideoDecoder({ output: (frame) => void sums.push(sumOf(frame)), error: reportError });
            decoder.configure({ codec, optimizeForLatency: true });
            for (const { base64, ...chunk } of chunks) {
              const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
              decoder.decode(new EncodedVideoChunk({ ...chunk, data }));
            }
            await decoder.flush();
            return Promise.all(sums);
          },
          { chunks, codec },
        ),
      );

    const whole = await decoded(prepared(pictures).chunks);
    expect(whole.size).toBe(160);
    for (const at of [INTERVAL, 2 * INTERVAL]) {
      const { chunks, shown } = prepared(pictures.slice(at));
      expect(shown[0]).toBe((at + RECOVERY) * 40_000);
      expect(shown).toHaveLength(160 - at - RECOVERY);
      const late = await decoded(chunks);
      expect(shown.map((time) => late.get(time))).toEqual(shown.map((time) => whole.get(time)));
      // The last picture before that differs: nothing is hidden for no reason.
      const before = (shown[0] ?? 0) - 40_000;
      expect(late.get(before)).not.toBe(whole.get(before));
    }
  });

  it('are shown to who comes late from where they are right, and across the next recovery points without a hole', async () => {
    const pictures = await relayedPictures(300);
    const gateway = await startGateway();
    gateway.onViewer = (opened) => opened.play(pictures.slice(INTERVAL));
    const page = await newPage(scene.browser());
    await page.goto(`${gateway.origin}/live/DEV1/ann/secret1?trace=1`, { waitUntil: 'commit' });
    const frames = frameNumbers(await waitForPictures(page, 2 * INTERVAL));
    expect(frames[0]).toBeGreaterThanOrEqual(INTERVAL + RECOVERY);
    const later = frames.slice(RECOVERY);
    expect(later).toEqual(later.map((_, index) => (later[0] ?? 0) + index));
  });
});
