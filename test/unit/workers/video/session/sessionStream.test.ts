// A stream of a playback session, from the port to the canvas, with the decoder and the clock in the test's hand.
import { describe, expect, it } from 'vitest';
import type { QuietEvent } from '../../../../../shared/protocol/stream/streamMessages.ts';
import { Codec } from '../../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../../shared/protocol/time.ts';
import type { VideoUnit } from '../../../../../workers/video/messages.ts';
import { PlaybackClock } from '../../../../../workers/video/session/playbackClock.ts';
import { VideoStream } from '../../../../../workers/video/videoStream.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { FakeDecoder, FakeFrame, fakeChunk } from '../decode/fakeDecoder.ts';
import { annexB, IDR, PPS, SLICE, setNamed } from '../decode/parameterSets.ts';
import { closedGroups, ORDERS } from '../decode/pictureOrders.ts';

const keyBytes = annexB(setNamed('CIF'), PPS, IDR);
const deltaBytes = annexB(SLICE);
const FRAME_MS = 40;
const GROUP = 25;

interface SetUp {
  /** Gives a picture for each unit as soon as it is in. */
  readonly decodes?: boolean;
}

function setUp({ decodes = true }: SetUp = {}) {
  const timers = new ManualTimers();
  const clock = new PlaybackClock();
  const decoders: FakeDecoder[] = [];
  const frames: FakeFrame[] = [];
  /** `frame@moment` of every picture painted. */
  const painted: string[] = [];
  const quiet: QuietEvent[] = [];
  const ahead: number[] = [];
  const context = { drawImage: (frame: FakeFrame) => painted.push(`${frame.timestamp / 40_000}@${timers.now()}`) };
  const canvas = Object.assign(new EventTarget(), { width: 0, height: 0, getContext: () => context });
  const port = { onmessage: null as MessagePort['onmessage'], close: () => {} };
  const stream = new VideoStream(
    canvas as unknown as OffscreenCanvas,
    { width: 320, height: 180 },
    {
      ...timers,
      createDecoder: (init) => {
        const decoder = new FakeDecoder(init);
        decoders.push(decoder);
        return decoder;
      },
      isSupported: () => Promise.resolve(true),
      createChunk: (init) => {
        if (decodes) queueMicrotask(() => give(init.timestamp / 40_000));
        return fakeChunk(init);
      },
      timeOrigin: 0,
      hasBursts: true,
      port,
      sink: {
        firstPicture: () => {},
        pictureSize: () => {},
        unit: () => {},
        decoded: () => {},
        shown: () => {},
        leftOut: () => {},
        quiet: (event) => quiet.push(event),
        ahead: (positionMs) => ahead.push(positionMs / FRAME_MS),
        fault: () => {},
      },
      sessionClock: clock,
    },
  );
  const handle = (data: unknown) => port.onmessage?.call({} as MessagePort, { data } as MessageEvent);
  /** No other message waits. */
  const receive = async (data: unknown) => {
    handle(data);
    timers.advance(0);
    await Promise.resolve();
  };
  /** The decoder gives the picture of that number. */
  const give = (frame: number) => {
    const picture = new FakeFrame(frame * 40_000);
    frames.push(picture);
    decoders.at(-1)?.output(picture);
  };
  return {
    stream,
    clock,
    painted,
    quiet,
    ahead,
    frames,
    give,
    decoders,
    receive,
    tell: (frame: number, { speed = 1, isPaused = false } = {}) =>
      receive({ type: 'clock', positionMs: frame * FRAME_MS, speed, paused: isPaused }),
    /** Frames from one to another; key frames come every 25. */
    send: (from: number, to: number, discontinuity = false) => receive(unitsMessage(from, to, discontinuity)),
    /** The same, a message each, all of which wait when the first is handled. */
    sendTogether: (from: number, to: number) => {
      for (let frame = from; frame <= to; frame++) handle(unitsMessage(frame, frame, frame === from));
    },
    /** Time passes; pictures come out of the decoder meanwhile. */
    pass: async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 5) {
        timers.advance(Math.min(5, ms - passed));
        await Promise.resolve();
      }
    },
  };
}

function unitsMessage(from: number, to: number, discontinuity: boolean) {
  const units = Array.from({ length: to - from + 1 }, (_, index) => unitOf(from + index, discontinuity && index === 0));
  const { buffer } = new Uint8Array([...keyBytes, ...deltaBytes]);
  return { type: 'units', buffer, units };
}

function unitOf(frame: number, discontinuity: boolean): VideoUnit {
  const key = frame % GROUP === 0;
  const place = key
    ? { byteOffset: 0, byteLength: keyBytes.length }
    : { byteOffset: keyBytes.length, byteLength: deltaBytes.length };
  return { ...place, ...frameTimes(frame), codec: Codec.H264, key, discontinuity, unseen: false };
}

const frameTimes = (frame: number) => ({ mediaTimeUs: mediaUs(frame * 40_000), deviceTimeMs: wallMs(0) });

describe('a stream of a playback session', () => {
  it('shows each picture at its moment, however early it came', async () => {
    const { tell, send, pass, painted } = setUp();
    await tell(0);
    await send(0, 10, true);
    await pass(200);
    expect(painted).toEqual(['0@0', '1@40', '2@80', '3@120', '4@160', '5@200']);
  });

  it('stands still when paused, and shows no picture of what lies behind the position', async () => {
    const { tell, send, pass, painted } = setUp();
    await tell(0);
    await send(0, 10, true);
    await pass(80);
    await tell(2, { isPaused: true });
    await pass(2_000);
    expect(painted).toEqual(['0@0', '1@40', '2@80']);
    await tell(2);
    await pass(40);
    expect(painted.at(-1)).toBe('3@2120');
  });

  it('tells what it shows where the session came to a stand before it', async () => {
    const { tell, send, pass, painted, ahead } = setUp();
    await tell(0);
    await send(0, 10, true);
    await pass(120);
    await tell(2, { isPaused: true });
    expect(painted.at(-1)).toBe('3@120');
    expect(ahead).toEqual([3]);
    // What it is told from then on is where the viewer goes.
    await tell(1, { isPaused: true });
    expect(ahead).toEqual([3]);
  });

  it('does not take a picture from before a jump for one that is ahead', async () => {
    const { tell, send, pass, ahead } = setUp({ decodes: false });
    await tell(1_000);
    await send(1_000, 1_010, true);
    await pass(40);
    await tell(500);
    await send(500, 505, true);
    await tell(501, { isPaused: true });
    expect(ahead).toEqual([]);
  });

  it('shows of a group only the picture that was asked for, and what follows it', async () => {
    const { tell, send, pass, painted } = setUp();
    await tell(20);
    await send(0, 30, true);
    await pass(80);
    expect(painted).toEqual(['20@0', '21@40', '22@80']);
  });

  it('shows on a paused seek exactly the newest picture up to the position, which is the last one sent', async () => {
    const { stream, tell, send, pass, painted, frames } = setUp();
    await tell(20.5, { isPaused: true });
    await send(0, 12, true);
    await send(13, 20);
    await pass(200);
    expect(painted.map((entry) => entry.split('@')[0])).toEqual(['20']);
    // The one on the screen is kept: it may be drawn again.
    expect(frames.filter((frame) => frame.closeCount === 0)).toHaveLength(1);
    stream.close();
    expect(frames.every((frame) => frame.closeCount === 1)).toBe(true);
  });

  it('knows by the silence that follows where pictures are far apart', async () => {
    const { tell, send, pass, painted } = setUp();
    await tell(70, { isPaused: true });
    await send(50, 52, true);
    await pass(20);
    expect(painted).toEqual([]);
    await pass(40);
    expect(painted.map((entry) => entry.split('@')[0])).toEqual(['52']);
  });

  it('drops what it held when it jumps, pictures that still come out of the decoder included', async () => {
    const { tell, send, pass, painted, give, frames } = setUp({ decodes: false });
    await tell(0);
    await send(0, 10, true);
    give(0);
    await tell(1_000);
    await send(1_000, 1_010, true);
    give(1);
    give(1_000);
    await pass(0);
    expect(painted).toEqual(['0@0', '1000@0']);
    expect(frames[1]?.closeCount).toBe(1);
  });

  it('steps forward to pictures that it holds already', async () => {
    const { tell, send, pass, painted } = setUp();
    await tell(0);
    await send(0, 10, true);
    await pass(40);
    await tell(1, { isPaused: true });
    await tell(2, { isPaused: true });
    await pass(5);
    expect(painted.at(-1)).toMatch(/^2@/);
  });

  it('goes on at the newest key frame that is due when the machine was too slow', async () => {
    const { tell, send, decoders, pass } = setUp({ decodes: false });
    await tell(0);
    await send(0, 60, true);
    await tell(51);
    await pass(5);
    const decoded = decoders[0]?.chunks.map((chunk) => chunk.timestamp / 40_000) ?? [];
    expect(decoded.slice(decoded.indexOf(50))).toEqual(expect.arrayContaining([50, 51]));
    expect(decoded).not.toContain(40);
  });

  it('looks at all the messages that wait before it decodes: a slow machine does not show picture after picture late', async () => {
    const { tell, sendTogether, decoders, pass, painted } = setUp();
    await tell(51);
    sendTogether(0, 60);
    await pass(40);
    expect(decoders[0]?.chunks[0]?.timestamp).toBe(50 * 40_000);
    expect(painted.map((entry) => entry.split('@')[0])).toEqual(['51', '52']);
  });

  it('shows no more pictures than a screen does when it plays fast', async () => {
    const { tell, send, pass, painted } = setUp();
    await tell(0, { speed: 4 });
    await send(0, 100, true);
    await pass(200);
    expect(painted.length).toBeLessThanOrEqual(15);
    expect(painted.length).toBeGreaterThan(10);
    expect(painted.at(-1)).toMatch(/^(19|20)@/);
  });

  it('tells of a gap when the pictures before it have been shown, and of none that a seek has left behind', async () => {
    const { tell, send, receive, pass, quiet } = setUp();
    const gap = { type: 'gap', untilMs: 90_000 } as const;
    await tell(0);
    await send(0, 3, true);
    await receive(gap);
    await pass(100);
    expect(quiet).toEqual([]);
    await pass(60);
    expect(quiet).toEqual([gap]);
    await receive({ type: 'ended' });
    await tell(1_000);
    await send(1_000, 1_003, true);
    await pass(60);
    expect(quiet).toEqual([gap, { type: 'ended' }]);
  });

  it('tells of a gap behind pictures that a busy machine decodes late', async () => {
    const { tell, send, receive, pass, give, quiet, painted } = setUp({ decodes: false });
    await tell(0);
    await send(0, 1, true);
    await receive({ type: 'gap', untilMs: 90_000 });
    await pass(1_500);
    expect(quiet).toEqual([]);
    give(0);
    give(1);
    await pass(5);
    expect(painted.at(-1)).toMatch(/^1@/);
    expect(quiet).toHaveLength(1);
  });

  it.each([
    ['has nothing more to give', (decoder: FakeDecoder) => decoder.endFlush()],
    ['fails', (decoder: FakeDecoder) => decoder.fail('EncodingError')],
  ])('tells of a gap when the decoder %s', async (_what, finish) => {
    const { tell, send, receive, pass, give, quiet, decoders } = setUp({ decodes: false });
    await tell(0);
    await send(0, 1, true);
    give(0);
    await receive({ type: 'gap', untilMs: 90_000 });
    await pass(300);
    expect(quiet).toEqual([]);
    for (const decoder of decoders) finish(decoder);
    await pass(10);
    expect(quiet).toHaveLength(1);
  });

  it('takes from the decoder what it holds back, and decodes the group anew for what follows', async () => {
    const { tell, send, pass, painted, give, decoders } = setUp({ decodes: false });
    await tell(0, { isPaused: true });
    await send(0, 0, true);
    await pass(90);
    expect(decoders[0]?.flushes).toBe(0);
    await pass(40);
    expect(decoders[0]?.flushes).toBe(1);
    give(0);
    await tell(1, { isPaused: true });
    await send(1, 1);
    // What was given to it now would be among what still comes out.
    expect(decoders[0]?.chunks).toHaveLength(1);
    decoders[0]?.endFlush();
    await pass(20);
    expect(decoders[0]?.chunks.map((chunk) => chunk.timestamp / 40_000)).toEqual([0, 0, 1]);
    give(0);
    give(1);
    await pass(5);
    expect(painted.map((entry) => entry.split('@')[0])).toEqual(['0', '1']);
  });

  it('leaves the decoder what it holds back where the next pictures are only late, and not where they are far apart', async () => {
    const late = setUp({ decodes: false });
    await late.tell(0);
    await late.send(0, 3, true);
    await late.pass(1_000);
    expect(late.decoders[0]?.flushes).toBe(0);
    const sparse = setUp({ decodes: false });
    await sparse.tell(25);
    await sparse.send(25, 25, true);
    await sparse.send(50, 50);
    await sparse.pass(1_200);
    expect(sparse.decoders[0]?.flushes).toBe(1);
  });

  it('is not taken in by a picture that comes out of the decoder behind a jump back to before it', async () => {
    const { tell, send, pass, painted, give, decoders } = setUp({ decodes: false });
    await tell(2, { isPaused: true });
    await send(0, 0, true);
    // Decoding order: a reference before the pictures that are shown earlier.
    await send(3, 3);
    await send(1, 2);
    for (const frame of [0, 1, 2]) give(frame);
    await pass(5);
    // Frame 3 is still in the decoder.
    await tell(1, { isPaused: true });
    await send(0, 0, true);
    expect(decoders.map(({ resets, state }) => `${resets} ${state}`)).toEqual(['1 configured']);
    await send(3, 3);
    await send(1, 1);
    for (const frame of [0, 1]) give(frame);
    await pass(5);
    expect(painted.map((entry) => entry.split('@')[0])).toEqual(['2', '1']);
  });

  it('shows a picture that is decoded after a reference behind it was taken from the decoder', async () => {
    const { tell, send, pass, painted, give, decoders } = setUp({ decodes: false });
    await tell(1, { isPaused: true });
    await send(0, 0, true);
    await send(3, 3);
    await send(1, 1);
    await pass(130);
    expect(decoders[0]?.flushes).toBe(1);
    for (const frame of [0, 1, 3]) give(frame);
    decoders[0]?.endFlush();
    await pass(5);
    await tell(2, { isPaused: true });
    await send(2, 2);
    for (const frame of [0, 1, 2, 3]) give(frame);
    await pass(5);
    expect(painted.map((entry) => entry.split('@')[0])).toEqual(['1', '2']);
  });

  it.each(ORDERS)(
    '%s: shows each picture at its moment, in whatever order they are decoded',
    async (_name, order, depth) => {
      const { tell, receive, pass, painted, give, decoders } = setUp({ decodes: false });
      const sent = closedGroups(order, Math.ceil(60 / (3 * order.length)));
      const bytes = new Uint8Array([...keyBytes, ...deltaBytes]);
      const units = sent.map(({ number, key }, index) => ({
        ...unitOf(key ? 0 : 1, index === 0),
        ...frameTimes(number),
      }));
      await tell(0);
      await receive({ type: 'units', buffer: bytes.buffer, units });
      const held: number[] = [];
      let taken = 0;
      for (let step = 0; step < 400; step++) {
        await pass(5);
        const chunks = decoders[0]?.chunks ?? [];
        for (; taken < chunks.length; taken++) {
          held.push((chunks[taken]?.timestamp ?? 0) / 40_000);
          held.sort((left, right) => left - right);
          if (held.length > depth) give(held.shift() ?? 0);
        }
      }
      const shown = painted.map((entry) => entry.split('@').map(Number));
      expect(shown.map(([number]) => number)).toEqual(shown.map((_, index) => index));
      expect(shown.length).toBeGreaterThan(45);
      const lateness = shown.slice(1).map(([number = 0, atMs = 0]) => atMs - number * FRAME_MS);
      expect(Math.max(...lateness)).toBeLessThanOrEqual(5);
    },
  );

  it('goes on in the middle of a group when the device sets its clock', async () => {
    const { tell, send, receive, pass, painted } = setUp();
    await tell(0);
    await send(0, 10, true);
    await receive({ type: 'units', buffer: deltaBytes.buffer, units: [{ ...unitOf(11, true), byteOffset: 0 }] });
    await send(12, 20);
    await pass(800);
    expect(painted.map((entry) => entry.split('@')[0])).toEqual(Array.from({ length: 21 }, (_, frame) => `${frame}`));
  });

  it('closes every picture when it ends', async () => {
    const { stream, tell, send, frames } = setUp();
    await tell(0);
    await send(0, 4, true);
    stream.close();
    stream.close();
    expect(frames.length).toBeGreaterThan(0);
    expect(frames.every((frame) => frame.closeCount === 1)).toBe(true);
  });
});
