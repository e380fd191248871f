import { describe, expect, it } from 'vitest';
import type { DirtyDay } from '../../../../../server/store/tracks/tracks.ts';
import { DirtyDays } from '../../../../../server/tracks/engine/dirtyDays.ts';

/** A store that keeps what it is told until it is told to fail. */
function scene() {
  const written: (readonly DirtyDay[])[] = [];
  const cleared: [number, readonly number[]][] = [];
  const state = { fails: false };
  const days = new DirtyDays({
    markDirty: async (marked) => {
      if (state.fails) throw new Error('the disk is full');
      written.push(marked);
    },
    clearDirty: async (incarnation, localDays) => void cleared.push([incarnation, localDays]),
  });
  return { days, written, cleared, state };
}

describe('days that are worked out anew', () => {
  it('are written in one statement, each with the earliest of its moments', async () => {
    const { days, written } = scene();
    await Promise.all([
      days.mark(1, { localDay: 5, fromMs: 500 }),
      days.mark(1, { localDay: 5, fromMs: 300 }),
      days.mark(1, { localDay: 4, fromMs: 100 }),
      days.mark(2, { localDay: 5, fromMs: 400 }),
    ]);
    expect(written).toEqual([
      [
        { incarnation: 1, localDay: 5, fromMs: 300 },
        { incarnation: 1, localDay: 4, fromMs: 100 },
        { incarnation: 2, localDay: 5, fromMs: 400 },
      ],
    ]);
    expect(days.count).toBe(3);
    expect(days.take(1)).toEqual([
      { localDay: 4, fromMs: 100 },
      { localDay: 5, fromMs: 300 },
    ]);
    expect(days.take(1)).toEqual([]);
    expect(days.count).toBe(1);
  });

  it('are not written again for a later moment of the day', async () => {
    const { days, written } = scene();
    await days.mark(1, { localDay: 5, fromMs: 300 });
    await days.mark(1, { localDay: 5, fromMs: 400 });
    expect(written).toHaveLength(1);
    await days.mark(1, { localDay: 5, fromMs: 200 });
    expect(written[1]).toEqual([{ incarnation: 1, localDay: 5, fromMs: 200 }]);
  });

  it('count as kept only when they are: after a failure the next mark is written', async () => {
    const { days, written, state } = scene();
    state.fails = true;
    await expect(days.mark(1, { localDay: 5, fromMs: 300 })).rejects.toThrow('the disk is full');
    state.fails = false;
    await days.mark(1, { localDay: 5, fromMs: 400 });
    expect(written).toEqual([[{ incarnation: 1, localDay: 5, fromMs: 400 }]]);
    await days.settled();
  });

  it('stay when they are marked while they are worked out', async () => {
    const { days, cleared } = scene();
    await days.mark(1, { localDay: 4, fromMs: 100 });
    await days.mark(1, { localDay: 5, fromMs: 300 });
    const taken = days.take(1);
    await days.mark(1, { localDay: 5, fromMs: 350 });
    await days.done(1, taken);
    expect(cleared).toEqual([[1, [4]]]);
    expect(days.take(1)).toEqual([{ localDay: 5, fromMs: 350 }]);
  });

  it('of an earlier run are known and not written, and those of a device that has gone are forgotten', async () => {
    const { days, written } = scene();
    days.resume({ incarnation: 1, localDay: 5, fromMs: 300 });
    await days.mark(1, { localDay: 5, fromMs: 400 });
    expect(written).toEqual([]);
    days.forget(1);
    expect(days.count).toBe(0);
  });
});
