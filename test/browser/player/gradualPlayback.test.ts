// A recording of a camera with gradual refresh, played by a session of the server's own in the built page.
import { expect, it, onTestFinished } from 'vitest';
import { TokenBucket } from '../../../server/limits/tokenBucket.ts';
import { PlaybackSession } from '../../../server/recording/playback/playbackSession.ts';
import { encodeStreamEvent, parseViewerMessage } from '../../../shared/protocol/stream/streamMessages.ts';
import { Codec, encodePacket, PacketKind } from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';
import { openRecordingScene } from '../../server/recording/playback/scene.ts';
import { readFrameNumber } from '../../support/browser/stripReader.ts';
import { success } from '../../support/fakes/fakeStream.ts';
import { findFfmpeg } from '../../support/media/ffmpeg.ts';
import { recordPackets } from '../../support/media/recordedDay.ts';
import { relayed } from '../../support/media/relayedClip.ts';
import { makeStripClip } from '../../support/media/stripClip.ts';
import { waitFor } from '../../support/waitFor.ts';
import { newPage, setScene, startGateway, waitForPictures } from './scene.ts';

const scene = setScene();
const ffmpeg = findFfmpeg();
const FRAME_MS = 40;
const START = Date.UTC(2026, 10, 20, 14, 3, 5);
/** The moment that the page opens at is ten pictures behind the entry at picture 100. */
const RECORDED_FROM = START - 110 * FRAME_MS;
/** The entry before that is picture 50, and it takes 28 pictures until they are right. */
const RECOVERED_FROM = RECORDED_FROM + 78 * FRAME_MS;
const WIDTH = 480;

async function recordedSession(): Promise<PlaybackSession> {
  const size = { width: WIDTH, height: 272, frames: 600, keyFrameInterval: 50 };
  const clip = await makeStripClip(ffmpeg?.ffmpegPath ?? '', { ...size, hasIntraRefresh: true });
  const recordings = await openRecordingScene();
  onTestFinished(() => recordings.close());
  await recordPackets(recordings, { archiveId: 'DEV1', channel: 1 }, relayed(clip), RECORDED_FROM);
  const deps = {
    gopReader: recordings.gopReader,
    now: () => performance.now(),
    wallNow: () => Date.now(),
    runAfter: (delayMs: number, run: () => void) => {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    onFault: (error: Error) => {
      throw error;
    },
  };
  const linkMoves = new TokenBucket({ burst: 100, perSecond: 100 }, deps.now());
  const session = new PlaybackSession(deps, { startMs: START, linkMoves });
  onTestFinished(() => session.close());
  return session;
}

it.skipIf(ffmpeg === undefined)(
  'shows the moment that is sought, also where pictures are being refreshed',
  async () => {
    const session = await recordedSession();
    const gateway = await startGateway({ device: { chn: 1, installchs: '1', livechs: '0' } });
    const ranges = [{ fromMs: RECORDED_FROM, toMs: RECORDED_FROM + 600 * FRAME_MS }];
    gateway.answers.set('/api/playback/local/ranges', success({ channels: [{ channel: 1, ranges }] }));
    gateway.onViewer = ({ socket }) => {
      const header = { kind: PacketKind.Event, codec: Codec.None, key: false, discontinuity: false };
      const membership = session.join({
        track: { archiveId: 'DEV1', channel: 1 },
        wantsAudio: false,
        sink: {
          send: (packets) => {
            for (const packet of packets) socket.send(packet);
          },
          sendGap: () => {},
          queuedBytes: () => 0,
        },
        sendEvent: (event) =>
          socket.send(
            encodePacket({ ...header, mediaTimeUs: mediaUs(0), deviceTimeMs: wallMs(0) }, encodeStreamEvent(event)),
          ),
      });
      socket.on('message', (data) => {
        const message = parseViewerMessage(String(data));
        if (message !== undefined) membership.handle(message);
      });
      socket.on('close', () => membership.leave());
    };
    const page = await newPage(scene.browser(), { timezoneId: 'UTC', viewport: { width: 1280, height: 760 } });
    await page.goto(`${gateway.origin}/playback/DEV1@1/0/2026-11-20T14:03:05Z/ann/secret1?trace=1`);
    const frame = () => readFrameNumber(page, { pictureWidth: WIDTH });
    const [opening] = await waitForPictures(page, 1);
    // Nothing is shown before the pictures are right. How near to the moment the first one is depends on the machine: playback goes on
    // meanwhile, and pictures before the moment are shown where decoding takes longer than a second. The moments below are exact.
    expect((opening?.mediaTimeUs ?? 0) / 1_000).toBeGreaterThanOrEqual(RECOVERED_FROM);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    const expected = () => Math.floor((session.positionMs - RECORDED_FROM) / FRAME_MS);
    await waitFor('the picture of the pause', async () => (await frame()) === expected());
    // Back, over a recovery point, and on again.
    for (const [key, step] of [
      [',', -1],
      [',', -1],
      ['.', 1],
    ] as const) {
      const before = expected();
      await page.keyboard.press(key);
      await waitFor(`step ${key}`, async () => (await frame()) === before + step && expected() === before + step);
    }
    await page.keyboard.press(' ');
    const stood = expected();
    await waitFor('play', frame, (number) => (number ?? 0) > stood + 30);
  },
);
