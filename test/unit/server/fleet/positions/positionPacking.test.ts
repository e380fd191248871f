import { describe, expect, it } from 'vitest';
import { PositionPacking } from '../../../../../server/fleet/positions/positionPacking.ts';
import type { PackingDates } from '../../../../../server/store/fleet/positionPacking.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { waitFor } from '../../../../support/waitFor.ts';

const HOUR_MS = 3_600_000;

/** Pauses are as short as can be; the next round is one that the test does not wait for. */
function runSoon(delayMs: number, run: () => void): () => void {
  if (delayMs >= HOUR_MS) return () => undefined;
  const timer = setImmediate(run);
  return () => clearImmediate(timer);
}

function scene(devices: Map<number, number>, soon = false) {
  const timers = new ManualTimers();
  timers.advance(100 * HOUR_MS);
  const faults: string[] = [];
  const asked: PackingDates[] = [];
  const packing = new PositionPacking({
    packing: {
      due: async (after, limit, dates) => {
        asked.push(dates);
        const due = [...devices].filter(([incarnation, left]) => incarnation > after && left !== 0);
        return due.slice(0, limit).map(([incarnation]) => incarnation);
      },
      packFirst: async (incarnation, limit, { fromMs }) => {
        const left = devices.get(incarnation) ?? 0;
        if (left < 0) throw new Error('unreadable');
        const positions = Math.min(limit, left);
        devices.set(incarnation, left - positions);
        return { positions, blocks: positions > 0 ? 1 : 0, nextFromMs: positions > 0 ? fromMs : undefined };
      },
    },
    now: timers.now,
    runAfter: soon ? runSoon : timers.runAfter,
    onFault: ({ message }) => void faults.push(message),
  });
  return { timers, faults, asked, packing };
}

describe('the packing of positions', () => {
  it('packs what is older than two days, once six hours of it have gathered', async () => {
    const { timers, asked, packing } = scene(new Map([[7, 1_200]]));
    await waitFor('all are packed', () => {
      timers.advance(10_000);
      return packing.packedPositions === 1_200;
    });
    expect(asked[0]).toEqual({
      nowMs: 100 * HOUR_MS + 10_000,
      beforeMs: (100 - 54) * HOUR_MS + 10_000,
      futureMs: 124 * HOUR_MS + 10_000,
    });
    expect(packing.writtenBlocks).toBe(3);
    await packing.close();
  });

  it('goes on to other devices when one fails, and to those of the next page', async () => {
    const devices = new Map(Array.from({ length: 700 }, (_, at) => [at + 1, at === 3 ? -1 : 1] as const));
    const { faults, packing } = scene(devices, true);
    await waitFor('the others are packed', () => packing.packedPositions === 699);
    expect(packing.failures).toBe(1);
    expect(faults).toEqual(['positions of device number 4 could not be packed']);
    await packing.close();
  });

  it('stops after the part under way', async () => {
    const { timers, packing } = scene(new Map([[7, 100_000]]));
    await waitFor('it has begun', () => {
      timers.advance(2_000);
      return packing.packedPositions > 0;
    });
    await packing.close();
    expect(packing.packedPositions).toBeLessThan(100_000);
  });
});
