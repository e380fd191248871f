import { expect, it } from 'vitest';
import type { RemoteFeed } from '../../../../../server/device/playback/remoteSource.ts';
import { createHubPacket, type HubPacket, timesOf } from '../../../../../server/media/hubPacket.ts';
import { RemoteSession } from '../../../../../server/stream/remote/remoteSession.ts';
import { Codec, PacketKind } from '../../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../../support/fakes/noFaults.ts';
import { settled } from '../../device/jt808/fakeTerminal.ts';

const START = Date.UTC(2026, 10, 20, 14);
const INTERVAL_MS = 40;
const KEY_INTERVAL_MS = 2_000;

function pictureAt(positionMs: number, dependence?: 'recovering'): HubPacket {
  const key = positionMs % KEY_INTERVAL_MS === 0;
  const times = { mediaTimeUs: mediaUs(positionMs * 1_000), deviceTimeMs: wallMs(START + positionMs) };
  const header = {
    kind: PacketKind.Video,
    codec: Codec.H264,
    key,
    discontinuity: false,
    ...(key && { dependence }),
    ...times,
  };
  return createHubPacket(header, new Uint8Array(10));
}

const never = (): Promise<boolean> => new Promise(() => undefined);
const SILENT = { play: never, pause: never, fastForward: never, seek: never };

/** A session that plays from a minute on; the terminal never answers an order, unless `orders` says how. */
function setUp(orders: Pick<RemoteFeed, keyof typeof SILENT> = SILENT) {
  const timers = new ManualTimers();
  const feed: RemoteFeed = { recordedEnd: undefined, hold: () => undefined, close: () => undefined, ...orders };
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
  return { session, shown, takePictures, timers };
}

/** A terminal that obeys, and notes its orders. */
function obedient(canBeFast = true) {
  const orders: string[] = [];
  const obey = async (order: string, hasObeyed = true): Promise<boolean> => {
    orders.push(order);
    return hasObeyed;
  };
  return {
    orders,
    feed: {
      play: () => obey('play'),
      pause: () => obey('pause'),
      fastForward: (speed: number) => obey(`fast ${speed}`, canBeFast),
      seek: (position: number) => obey(`seek ${position - START}`),
    },
  };
}

/** Plays to 61 s, and then gets key frames of 30 s at once, as fast terminals send them. */
function playFast(session: RemoteSession, takePictures: (fromMs: number, toMs: number) => void, speed: number): void {
  takePictures(60_000, 61_000);
  session.handle({ type: 'speed', speed });
  for (let at = 62_000; at <= 92_000; at += KEY_INTERVAL_MS) session.listener.packet(pictureAt(at));
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
  // These pictures are still of the old place, which lies so near that its key frames could be those of the new one.
  takePictures(way.from, way.from + 1_640);
  expect(shown.length).toBe(before);
  takePictures(way.keyAt, way.keyAt + 1_000);
  expect(shown[before]).toBe(way.keyAt);
});

it.each([
  [16, 1, ['fast 16', 'play', 'seek 64000']],
  [8, 0.5, ['fast 8', 'play', 'seek 64000']],
  [16, 2, ['fast 16', 'fast 2', 'seek 64000']],
])('from %f to %f times goes on at once with all pictures from the one shown', async (fast, speed, expected) => {
  const { feed, orders } = obedient();
  const { session, shown, takePictures, timers } = setUp(feed);
  playFast(session, takePictures, fast);
  // The time from the last picture at normal speed to the second key frame passes.
  timers.advance(3_100 / fast);
  expect(shown.at(-1)).toBe(64_000);
  session.handle({ type: 'speed', speed });
  await settled();
  expect(orders).toEqual(expected);
  takePictures(64_000, 66_000);
  const after = shown.slice(shown.lastIndexOf(64_000));
  expect(after.length).toBeGreaterThanOrEqual((0.9 * 2_000 * Math.min(1, speed)) / INTERVAL_MS);
  expect(after.slice(0, 3)).toEqual([64_000, 64_040, 64_080]);
});

it('at 16 times shows key frames, and all pictures where key frames show nothing alone', () => {
  const { session, shown, timers } = setUp();
  session.handle({ type: 'speed', speed: 16 });
  const playAll = (fromMs: number, dependence?: 'recovering'): number => {
    const before = shown.length;
    for (let at = fromMs; at < fromMs + 2 * KEY_INTERVAL_MS; at += INTERVAL_MS) {
      session.listener.packet(pictureAt(at, dependence));
    }
    timers.advance(1_000);
    return shown.length - before;
  };
  expect(playAll(60_000)).toBe(2);
  expect(playAll(64_000, 'recovering')).toBe((2 * KEY_INTERVAL_MS) / INTERVAL_MS);
});

it('that was fast, is paused and resumed at normal speed, goes on with all pictures from the one shown', async () => {
  const { feed, orders } = obedient();
  const { session, shown, takePictures, timers } = setUp(feed);
  playFast(session, takePictures, 16);
  timers.advance(200);
  session.handle({ type: 'pause' });
  session.handle({ type: 'speed', speed: 1 });
  await settled();
  expect(orders).toEqual(['fast 16', 'pause']);
  session.handle({ type: 'resume' });
  await settled();
  expect(orders.slice(2)).toEqual(['play', 'seek 64000']);
  takePictures(64_000, 64_400);
  expect(shown.slice(-3)).toEqual([64_280, 64_320, 64_360]);
});

it('that the terminal refuses to speed up goes on with all pictures at the speed before', async () => {
  const { feed, orders } = obedient(false);
  const { session, takePictures } = setUp(feed);
  playFast(session, takePictures, 16);
  await settled();
  expect(orders).toEqual(['fast 16', 'seek 60000']);
});

it.each([
  [16, 8],
  [4, 1],
])('from %i to %i times keeps what it has: nothing was left out for the new speed', async (fast, speed) => {
  const { feed, orders } = obedient();
  const { session, takePictures } = setUp(feed);
  playFast(session, takePictures, fast);
  session.handle({ type: 'speed', speed });
  await settled();
  expect(orders.filter((order) => order.startsWith('seek'))).toEqual([]);
});
