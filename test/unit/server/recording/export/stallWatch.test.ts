import { PassThrough, type Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { STALL_LIMIT, watchStalls } from '../../../../../server/recording/export/stallWatch.ts';
import { ManualTimers } from '../../../../support/manualTimers.ts';

const PIECE = Buffer.alloc(64 * 1024);

describe('a download that is watched', () => {
  let timers: ManualTimers;
  let stalls: number;
  let films: PassThrough;
  let body: Readable;
  beforeEach(() => {
    timers = new ManualTimers();
    stalls = 0;
    films = new PassThrough();
    body = watchStalls(films, { after: timers.after, onStalled: () => stalls++ });
  });

  const closing = (stream: Readable) => new Promise((resolve) => stream.once('close', resolve));
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('has stalled when nothing of what is there is taken for a minute, and is told of once', async () => {
    for (let piece = 0; piece < 10; piece++) films.write(PIECE);
    await turn();
    timers.advance(STALL_LIMIT.max * 1_000);
    expect(stalls).toBe(0);
    timers.advance(10_000);
    expect(stalls).toBe(1);
    timers.advance(600_000);
    expect(stalls).toBe(1);
  });

  it('goes on as long as a piece is taken now and then', async () => {
    for (let piece = 0; piece < 40; piece++) films.write(PIECE);
    await turn();
    for (let round = 0; round < 20; round++) {
      timers.advance(50_000);
      expect((body.read() as Buffer | null)?.byteLength).toBeGreaterThan(0);
      await turn();
    }
    expect(stalls).toBe(0);
  });

  it('has not stalled while there is nothing to take', async () => {
    timers.advance(600_000);
    films.write(PIECE);
    await turn();
    body.read();
    await turn();
    timers.advance(600_000);
    expect(stalls).toBe(0);
  });

  it('has stalled with its last pieces, too', async () => {
    films.end(PIECE);
    await turn();
    timers.advance(STALL_LIMIT.max * 1_000 + 10_000);
    expect(stalls).toBe(1);
  });

  it('ends with its source, and is watched no longer', async () => {
    // Nobody listens for its error: who takes the body may have left, or not have come.
    films.destroy(new Error('the disk is gone'));
    await closing(body);
    expect(body.errored?.message).toBe('the disk is gone');
    expect(timers.pending).toBe(0);
  });

  it('ends its source when it is left', async () => {
    body.destroy();
    await closing(films);
    expect(films.destroyed).toBe(true);
  });
});
