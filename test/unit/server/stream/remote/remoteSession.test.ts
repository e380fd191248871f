import { expect, it } from 'vitest';
import type { RemoteFeed } from '../../../../../server/device/playback/remoteSource.ts';
import { createHubPacket, type HubPacket, timesOf } from '../../../../../server/media/hubPacket.ts';
import { RemoteSession } from '../../../../../server/stream/remote/remoteSession.ts';
import { Codec, PacketKind } from '../../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../../support/fakes/noFaults.ts';

const START = Date.UTC(2026, 10, 20, 14);
const INTERVAL_MS = 40;
const KEY_INTERVAL_MS = 2_000;

function pictureAt(positionMs: number): HubPacket {
  const key = positionMs % KEY_INTERVAL_MS === 0;
  const times = { mediaTimeUs: mediaUs(positionMs * 1_000), deviceTimeMs: wallMs(START + positionMs) };
  const header = { kind: PacketKind.Video, codec: Codec.H264, key, discontinuity: false, ...times };
  return createHubPacket(header, new Uint8Array(10));
}

/** Playing from a minute on; the terminal never answers an order. */
function setUp() {
  const timers = new ManualTimers();
  const never = (): Promise<boolean> => new Promise(() => undefined);
  const silent = { play: never, pause: never, fastForward: never, seek: never };
  const feed: RemoteFeed = { recordedEnd: undefined, hold: () => undefined, close: () => undefined, ...silent };
  const range = { start: wallMs(START + 60_000), end: wallMs(START + 120_000) };
  const session = new RemoteSession(
    { deviceId: 'BUS1', channel: 1, quality: 'main', ...range },
    { now: timers.now, runAfter: timers.runAfter, onOver: () => undefined, onFault: noFaults },
  );
  session.start(feed);
  const shown: number[] = [];
  const send = (packet: HubPacket): void => {
    if (packet.isVideo) shown.push(timesOf(packet).deviceTimeMs - START);
  };
  session.attach({ wantsAudio: false, send, isBlocked: () => false, over: () => undefined });
  const takePictures = (fromMs: number, toMs: number): void => {
    for (let at = fromMs; at < toMs; at += INTERVAL_MS) {
      session.listener.packet(pictureAt(at));
      timers.advance(INTERVAL_MS);
    }
  };
  return { session, shown, takePictures };
}

/** Media and answers come over two connections, and the stream's own clock bridges a few seconds without a word. */
it.each([
  ['ahead', { from: 60_400, target: 64_520, keyAt: 64_000 }],
  ['back', { from: 62_400, target: 61_000, keyAt: 60_000 }],
])('a short way %s begins at the key frame there, read before the answer to the order', (_, way) => {
  const { session, shown, takePictures } = setUp();
  takePictures(60_000, way.from);
  const before = shown.length;
  session.handle({ type: 'seek', positionMs: wallMs(START + way.target) });
  // Of the old place still, which lies so near that its key frames could be those of the new one.
  takePictures(way.from, way.from + 1_640);
  expect(shown.length).toBe(before);
  takePictures(way.keyAt, way.keyAt + 1_000);
  expect(shown[before]).toBe(way.keyAt);
});
