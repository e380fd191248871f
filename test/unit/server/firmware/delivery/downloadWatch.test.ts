import { describe, expect, it } from 'vitest';
import {
  type DownloadEnd,
  DownloadWatch,
  END_REACHED_MS,
  STALLED_MS,
} from '../../../../../server/firmware/delivery/downloadWatch.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';

function openWatch() {
  const timers = new ManualTimers();
  const aborting = new AbortController();
  const progress: number[] = [];
  const watch = new DownloadWatch({
    bytes: 1_000,
    signal: aborting.signal,
    runAfter: timers.runAfter,
    onProgress: (bytes) => void progress.push(bytes),
  });
  let end: DownloadEnd | undefined;
  const settling = watch.result.then((settled) => {
    end = settled;
  });
  const endNow = async (): Promise<DownloadEnd | undefined> => {
    await Promise.race([settling, Promise.resolve()]);
    return end;
  };
  return { timers, aborting, progress, watch, endNow };
}

describe('DownloadWatch', () => {
  it('is complete once every byte was sent, in whatever order', async () => {
    const { watch, progress, timers, endNow } = openWatch();
    expect(watch.hasBegun).toBe(false);
    for (const [offset, bytes] of [
      [500, 500],
      [0, 300],
      [0, 300],
    ] as const) {
      watch.note(offset, bytes);
    }
    expect(await endNow()).toBeUndefined();
    watch.note(300, 200);
    expect(await endNow()).toBe('complete');
    expect(progress).toEqual([1_000, 300, 300, 500]);
    expect(timers.pending).toBe(0);
  });

  it('is complete for a terminal that goes on where an earlier attempt ended', async () => {
    const { watch, timers, endNow } = openWatch();
    watch.note(800, 200);
    timers.advance(END_REACHED_MS - 1);
    expect(await endNow()).toBeUndefined();
    timers.advance(1);
    expect(await endNow()).toBe('complete');
  });

  it('has failed after a quarter of an hour without a byte', async () => {
    const { watch, timers, endNow } = openWatch();
    timers.advance(STALLED_MS - 1);
    watch.note(0, 100);
    timers.advance(STALLED_MS - 1);
    expect(await endNow()).toBeUndefined();
    timers.advance(1);
    expect(await endNow()).toBe('stalled');
  });

  it('ends at once when nobody wants it any more, and hears of nothing after that', async () => {
    const { watch, aborting, timers, progress, endNow } = openWatch();
    aborting.abort();
    watch.note(0, 1_000);
    expect(await endNow()).toBe('aborted');
    expect([timers.pending, progress]).toEqual([0, []]);
  });
});
