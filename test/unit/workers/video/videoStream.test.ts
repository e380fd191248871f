import { describe, expect, it } from 'vitest';
import { Codec } from '../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../shared/protocol/time.ts';
import type { ToVideoStream, VideoUnit } from '../../../../workers/video/messages.ts';
import { VideoStream } from '../../../../workers/video/videoStream.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { FakeDecoder, FakeFrame, fakeChunk } from './decode/fakeDecoder.ts';
import { annexB, IDR, PPS, SLICE, setNamed } from './decode/parameterSets.ts';

const keyBytes = annexB(setNamed('CIF'), PPS, IDR);
const deltaBytes = annexB(SLICE);
/** Epoch milliseconds at which the worker's clock began. */
const TIME_ORIGIN = 1_700_000_000_000;

/** A canvas that notes what is painted, and each change of its size. */
class FakeCanvas extends EventTarget {
  readonly painted: number[] = [];
  readonly sizes: string[] = [];
  paintError: Error | undefined;
  #width = 300;
  #height = 150;

  get width(): number {
    return this.#width;
  }
  set width(value: number) {
    this.#width = value;
    this.sizes.push(`width ${value}`);
  }
  get height(): number {
    return this.#height;
  }
  set height(value: number) {
    this.#height = value;
    this.sizes.push(`height ${value}`);
  }

  getContext() {
    return {
      drawImage: (frame: FakeFrame) => {
        if (this.paintError !== undefined) throw this.paintError;
        this.painted.push(frame.timestamp / 40_000);
      },
    };
  }
}

const offscreen = (canvas: FakeCanvas) => canvas as unknown as OffscreenCanvas;

function setUp({ hasBursts = true } = {}) {
  const timers = new ManualTimers();
  const decoders: FakeDecoder[] = [];
  const frames: FakeFrame[] = [];
  const log: string[] = [];
  const canvas = new FakeCanvas();
  const port = { onmessage: null as MessagePort['onmessage'], close: () => log.push('port closed') };
  const stream = new VideoStream(
    offscreen(canvas),
    { width: 320, height: 180 },
    {
      ...timers,
      createDecoder: (init) => {
        const decoder = new FakeDecoder(init);
        decoders.push(decoder);
        return decoder;
      },
      isSupported: () => Promise.resolve(true),
      createChunk: fakeChunk,
      timeOrigin: TIME_ORIGIN,
      hasBursts,
      port,
      sink: {
        firstPicture: () => log.push('first picture'),
        pictureSize: ({ width, height }) => log.push(`size ${width}x${height}`),
        unit: () => {},
        decoded: () => {},
        shown: () => {},
        leftOut: ({ mediaTimeUs }) => log.push(`left out ${mediaTimeUs / 40_000}`),
        ahead: () => {},
        quiet: ({ type }) => log.push(`quiet ${type}`),
        fault: ({ kind }) => log.push(`fault ${kind}`),
      },
    },
  );
  const receive = (message: ToVideoStream) =>
    port.onmessage?.call({} as MessagePort, { data: message } as MessageEvent);
  return {
    stream,
    canvas,
    timers,
    log,
    frames,
    decoders,
    start: () => receive({ type: 'start' }),
    /** One message with the units of these frames; those divisible by 50 are key frames. */
    send: (...numbers: readonly number[]) => receive(unitsMessage(numbers, timers.now())),
    /** The same, of which nothing is to be shown. */
    sendUnseen: (...numbers: readonly number[]) => receive(unitsMessage(numbers, timers.now(), numbers)),
    /** A message that came a while ago: the worker was busy. */
    sendLate: (lateMs: number, ...numbers: readonly number[]) => receive(unitsMessage(numbers, timers.now() - lateMs)),
    output: (number: number, size?: { width: number; height: number }) => {
      const frame = new FakeFrame(number * 40_000, size);
      frames.push(frame);
      decoders.at(-1)?.output(frame);
    },
  };
}

function unitsMessage(numbers: readonly number[], receivedMs: number, unseen: readonly number[] = []): ToVideoStream {
  const payloads = numbers.map((number) => (number % 50 === 0 ? keyBytes : deltaBytes));
  const bytes = Uint8Array.from(payloads.flatMap((payload) => [...payload]));
  let byteOffset = 0;
  const units = numbers.map((number, index): VideoUnit => {
    const byteLength = payloads[index]?.length ?? 0;
    const unit = {
      byteOffset,
      byteLength,
      codec: Codec.H264,
      key: number % 50 === 0,
      discontinuity: false,
      unseen: unseen.includes(number),
      mediaTimeUs: mediaUs(number * 40_000),
      deviceTimeMs: wallMs(0),
    };
    byteOffset += byteLength;
    return unit;
  });
  return { type: 'units', receivedAt: TIME_ORIGIN + receivedMs, buffer: bytes.buffer, units };
}

const upTo = (last: number) => Array.from({ length: last + 1 }, (_, number) => number);

describe('VideoStream', () => {
  it('decodes all of a burst and paints its newest picture only', () => {
    const { stream, start, send, output, timers, canvas, decoders, frames } = setUp();
    start();
    send(...upTo(30));
    for (const number of upTo(12)) output(number);
    timers.advance(30);
    for (const number of upTo(30).slice(13)) output(number);
    expect(decoders[0]?.chunks).toHaveLength(31);
    expect(canvas.painted).toEqual([30]);
    stream.close();
    expect(frames.map((frame) => frame.closeCount)).toEqual(upTo(30).map(() => 1));
  });

  it('paints a picture that came out before the burst had settled', () => {
    const { start, send, output, timers, canvas } = setUp();
    start();
    send(0);
    output(0);
    expect(canvas.painted).toEqual([]);
    timers.advance(10);
    expect(canvas.painted).toEqual([0]);
  });

  it('paints a stream without bursts as it comes, but for what is not to be shown', () => {
    const { stream, start, send, sendUnseen, output, canvas, decoders, frames } = setUp({ hasBursts: false });
    start();
    sendUnseen(...upTo(20));
    send(21, 22);
    for (const number of upTo(22)) output(number);
    expect(decoders[0]?.chunks).toHaveLength(23);
    expect(canvas.painted).toEqual([21, 22]);
    stream.close();
    expect(frames.map((frame) => frame.closeCount)).toEqual(upTo(22).map(() => 1));
  });

  it('paints live pictures at once', () => {
    const { start, send, output, timers, canvas } = setUp();
    start();
    send(0);
    timers.advance(10);
    output(0);
    for (const number of [1, 2, 3]) {
      timers.advance(40);
      send(number);
      output(number);
    }
    expect(canvas.painted).toEqual([0, 1, 2, 3]);
  });

  it('paints of late pictures the newest, as long after the one before as they are late, and tells of the others', () => {
    const { start, send, output, timers, canvas, log, frames } = setUp();
    start();
    send(0);
    timers.advance(10);
    output(0);
    for (const number of [1, 2, 3]) {
      timers.advance(40);
      send(number);
    }
    timers.advance(270);
    for (const number of [1, 2, 3]) output(number);
    expect(canvas.painted).toEqual([0, 1]);
    timers.advance(260);
    expect(canvas.painted).toEqual([0, 1]);
    timers.advance(100);
    expect(canvas.painted).toEqual([0, 1, 3]);
    expect(log.filter((line) => line.startsWith('left out'))).toEqual(['left out 2']);
    expect(frames.map((frame) => frame.closeCount)).toEqual([1, 1, 1, 0]);
  });

  it('paints at once a picture that comes in time after late ones, and none of those any more', () => {
    const { start, send, output, timers, canvas } = setUp();
    start();
    send(0);
    timers.advance(10);
    output(0);
    for (const number of [1, 2]) {
      timers.advance(40);
      send(number);
    }
    timers.advance(300);
    for (const number of [1, 2]) output(number);
    timers.advance(40);
    send(3);
    output(3);
    timers.advance(1_000);
    expect(canvas.painted).toEqual([0, 1, 3]);
  });

  it('does not take the time that a message waited in a busy worker for the network being late', () => {
    const { stream, start, send, sendLate, timers } = setUp();
    start();
    send(0);
    // Each came in time; the worker took it up to 90 ms later.
    for (let number = 1; number <= 150; number++) {
      const lateMs = (number % 4) * 30;
      timers.advance(number * 40 + lateMs - timers.now());
      sendLate(lateMs, number);
    }
    expect(stream.delayMs).toBe(0);
  });

  it('sizes the canvas to what is seen, and only when that changes', () => {
    const { stream, start, send, output, timers, canvas } = setUp();
    start();
    send(0);
    timers.advance(10);
    output(0);
    timers.advance(40);
    send(1);
    output(1);
    expect(canvas.sizes).toEqual(['width 320', 'height 180']);
    stream.resize({ width: 160, height: 90 });
    expect(canvas.width).toBe(320);
    timers.advance(40);
    send(2);
    output(2);
    expect(canvas.sizes.slice(2)).toEqual(['width 160', 'height 90']);
  });

  it('reports the first picture of each canvas and each change of the picture size', () => {
    const { stream, start, send, output, timers, log } = setUp();
    start();
    send(0);
    timers.advance(10);
    output(0);
    timers.advance(40);
    send(1);
    output(1);
    stream.replaceCanvas(offscreen(new FakeCanvas()), { width: 320, height: 180 });
    timers.advance(40);
    send(2);
    output(2, { width: 352, height: 288 });
    expect(log).toEqual(['first picture', 'size 640x360', 'first picture', 'size 352x288']);
  });

  it('reports a canvas that cannot be painted once, and goes on with another', () => {
    const { stream, canvas, start, send, output, timers, log, frames } = setUp();
    canvas.paintError = new Error('out of memory');
    start();
    send(0);
    timers.advance(10);
    output(0);
    timers.advance(40);
    send(1);
    output(1);
    expect(log).toEqual(['fault canvas']);
    const next = new FakeCanvas();
    stream.replaceCanvas(offscreen(next), { width: 320, height: 180 });
    timers.advance(40);
    send(2);
    output(2);
    expect(next.painted).toEqual([2]);
    stream.close();
    expect(frames.every((frame) => frame.closeCount === 1)).toBe(true);
  });

  it('reports a canvas that lost its context', () => {
    const { canvas, log } = setUp();
    canvas.dispatchEvent(new Event('contextlost'));
    canvas.dispatchEvent(new Event('contextlost'));
    expect(log).toEqual(['fault canvas']);
  });

  it('closes what it holds, and every picture that still comes', () => {
    const { stream, start, send, output, timers, log, frames, decoders, canvas } = setUp();
    start();
    send(0, 1);
    output(0);
    stream.close();
    stream.close();
    output(1);
    timers.advance(1_000);
    expect(frames.map((frame) => frame.closeCount)).toEqual([1, 1]);
    expect(decoders[0]?.state).toBe('closed');
    expect(canvas.painted).toEqual([]);
    expect(log).toContain('port closed');
    expect(timers.pending).toBe(0);
  });

  it('draws another part at once, from the picture that it kept, and closes that once', () => {
    const { stream, start, send, output, timers, canvas, frames } = setUp();
    start();
    send(0);
    timers.advance(10);
    output(0);
    stream.setView({ scale: 2, centerX: 0.5, centerY: 0.5 });
    expect(canvas.painted).toEqual([0, 0]);
    expect(frames[0]?.closeCount).toBe(0);
    timers.advance(40);
    send(1);
    output(1);
    expect(frames.map((frame) => frame.closeCount)).toEqual([1, 0]);
    stream.close();
    stream.close();
    expect(frames.map((frame) => frame.closeCount)).toEqual([1, 1]);
  });

  it('has nothing to draw again before its first picture', () => {
    const { stream, canvas } = setUp();
    stream.setView({ scale: 2, centerX: 0, centerY: 0 });
    expect([stream.newest, canvas.painted]).toEqual([undefined, []]);
  });
});
