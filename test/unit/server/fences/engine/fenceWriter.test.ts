import { describe, expect, it } from 'vitest';
import { FenceWriter, MOVEMENTS_LIMIT } from '../../../../../server/fences/engine/fenceWriter.ts';
import type { FenceMovement } from '../../../../../server/store/fences/fenceMovements.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';

const leave = (fence: number): FenceMovement => ({ kind: 'forget', fence, incarnation: 1 });

function startWriter(write: (movements: readonly FenceMovement[]) => Promise<void>) {
  const timers = new ManualTimers();
  const faults: Error[] = [];
  const limits: string[] = [];
  const writer = new FenceWriter({
    store: { write },
    runAfter: timers.runAfter,
    onFault: (error) => faults.push(error),
    onLimit: ({ name }) => limits.push(name),
  });
  return { writer, timers, faults, limits };
}

/** Lets promises that have settled go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('what devices did to geofences', () => {
  it('is written together, in its order', async () => {
    const written: (readonly FenceMovement[])[] = [];
    const { writer, timers } = startWriter(async (movements) => void written.push(movements));
    for (const fence of [1, 2, 3]) writer.add(leave(fence));
    timers.advance(500);
    await settle();
    expect(written).toEqual([[leave(1), leave(2), leave(3)]]);
    expect(writer.waitingCount).toBe(0);
  });

  it('is written later where the database is away, and nothing is lost', async () => {
    let isAway = true;
    const written: FenceMovement[] = [];
    const { writer, timers, faults } = startWriter(async (movements) => {
      if (isAway) throw new Error('away');
      written.push(...movements);
    });
    writer.add(leave(1));
    timers.advance(500);
    await settle();
    writer.add(leave(2));
    expect(faults).toHaveLength(1);
    isAway = false;
    timers.advance(5_000);
    await settle();
    expect(written).toEqual([leave(1), leave(2)]);
  });

  it('leaves out the oldest beyond the limit', async () => {
    const { writer, limits } = startWriter(() => Promise.reject(new Error('away')));
    for (let at = 0; at <= MOVEMENTS_LIMIT.max; at++) writer.add(leave(at));
    expect(writer.waitingCount).toBe(MOVEMENTS_LIMIT.max);
    expect(limits).toEqual([MOVEMENTS_LIMIT.name]);
  });

  it('is written when the gateway ends', async () => {
    const written: FenceMovement[] = [];
    const { writer } = startWriter(async (movements) => void written.push(...movements));
    writer.add(leave(1));
    await writer.close();
    expect(written).toEqual([leave(1)]);
  });
});
