import { PassThrough, type Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  NOTHING_SEEN,
  SLOW_LIMIT,
  STALL_LIMIT,
  stalledBy,
  type Taking,
  takingAfter,
  watchStalls,
} from '../../../../../server/recording/export/stallWatch.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';

const PIECE = Buffer.alloc(64 * 1024);

describe('a download that is watched', () => {
  let timers: ManualTimers;
  let stalls: number;
  let isWaitedFor: boolean;
  let mp4s: PassThrough;
  let body: Readable;
  beforeEach(() => {
    timers = new ManualTimers();
    stalls = 0;
    isWaitedFor = true;
    mp4s = new PassThrough();
    body = watchStalls(mp4s, {
      runAfter: timers.runAfter,
      isWaitedFor: () => isWaitedFor,
      onStalled: () => stalls++,
    });
  });

  const closing = (stream: Readable) => new Promise((resolve) => stream.once('close', resolve));
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('has stalled when nothing of what is there is taken for a minute, and is told of once', async () => {
    for (let piece = 0; piece < 10; piece++) mp4s.write(PIECE);
    await turn();
    timers.advance(STALL_LIMIT.max * 1_000);
    expect(stalls).toBe(0);
    timers.advance(10_000);
    expect(stalls).toBe(1);
    timers.advance(600_000);
    expect(stalls).toBe(1);
  });

  it('goes on as long as a piece is taken now and then, unless somebody waits for it', async () => {
    isWaitedFor = false;
    for (let piece = 0; piece < 40; piece++) mp4s.write(PIECE);
    await turn();
    for (let round = 0; round < 20; round++) {
      timers.advance(50_000);
      expect((body.read() as Buffer | null)?.byteLength).toBeGreaterThan(0);
      await turn();
    }
    expect(stalls).toBe(0);
    isWaitedFor = true;
    timers.advance(10_000);
    expect(stalls).toBe(1);
  });

  it('has not stalled while there is nothing to take', async () => {
    timers.advance(600_000);
    mp4s.write(PIECE);
    await turn();
    body.read();
    await turn();
    timers.advance(600_000);
    expect(stalls).toBe(0);
  });

  it('has stalled with its last pieces, too', async () => {
    mp4s.end(PIECE);
    await turn();
    timers.advance(STALL_LIMIT.max * 1_000 + 10_000);
    expect(stalls).toBe(1);
  });

  it('ends with its source, and is watched no longer', async () => {
    // Nobody listens for its error: who takes the body may have left, or not have come.
    mp4s.destroy(new Error('the disk is gone'));
    await closing(body);
    expect(body.errored?.message).toBe('the disk is gone');
    expect(timers.pending).toBe(0);
  });

  it('ends its source when it is left', async () => {
    body.destroy();
    await closing(mp4s);
    expect(mp4s.destroyed).toBe(true);
  });
});

describe('how a download is taken', () => {
  const PIECE_BYTES = 512 * 1024;
  /** Ten minutes of looks, ten seconds apart, at somebody who takes a piece in so many seconds. */
  const takenBy = (secondsPerPiece: number): Taking => {
    let taking = NOTHING_SEEN;
    for (let seconds = 10; seconds <= 600; seconds += 10) {
      const pieces = Math.floor(seconds / secondsPerPiece) - Math.floor((seconds - 10) / secondsPerPiece);
      taking = takingAfter(taking, pieces * PIECE_BYTES);
    }
    return taking;
  };
  const secondsAt = (bitsPerSecond: number): number => (PIECE_BYTES * 8) / bitsPerSecond;

  it.each([
    ['a phone with 256 kbit/s', secondsAt(256_000), undefined],
    ['a poor line with 160 kbit/s', secondsAt(160_000), undefined],
    ['a piece each half minute', 30, undefined],
    ['a piece each 40 seconds', 40, SLOW_LIMIT],
    ['a piece a minute', 60, SLOW_LIMIT],
  ])('is judged while others wait: %s', (_who, secondsPerPiece, limit) => {
    expect(stalledBy(takenBy(secondsPerPiece), true)).toBe(limit);
    expect(stalledBy(takenBy(secondsPerPiece), false)).toBeUndefined();
  });

  it('is not judged by a shorter time, nor by the times when there was nothing to take', () => {
    let taking = NOTHING_SEEN;
    for (let look = 0; look < 23; look++) taking = takingAfter(taking, 1);
    for (let look = 0; look < 100; look++) taking = takingAfter(taking, undefined);
    expect(stalledBy(taking, true)).toBeUndefined();
    expect(stalledBy(takingAfter(taking, 1), true)).toBe(SLOW_LIMIT);
  });

  it('is a stall after a minute of nothing, whether others wait or not', () => {
    let taking = takingAfter(NOTHING_SEEN, PIECE_BYTES);
    for (let look = 0; look < 6; look++) taking = takingAfter(taking, 0);
    expect(stalledBy(taking, false)).toBe(STALL_LIMIT);
  });
});
