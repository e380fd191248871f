import { describe, expect, it } from 'vitest';
import { PACE_MS, Pace } from '../../../../../server/fleet/updates/pace.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';

function start() {
  const timers = new ManualTimers();
  const told: number[] = [];
  const pace = new Pace({ now: timers.now, runAfter: timers.runAfter, tell: () => told.push(timers.now()) });
  return { timers, told, pace };
}

describe('a pace', () => {
  it('tells at once after a quiet time, and then at most once a second', () => {
    const { timers, told, pace } = start();
    const from = timers.now();
    for (let at = 0; at < 35; at++) {
      pace.soon();
      timers.advance(100);
    }
    timers.advance(PACE_MS);
    expect(told.map((at) => at - from)).toEqual([0, 1_000, 2_000, 3_000, 4_000]);
    timers.advance(PACE_MS);
    pace.soon();
    timers.advance(0);
    expect(told).toHaveLength(6);
  });

  it('tells nothing any more once it is closed', () => {
    const { timers, told, pace } = start();
    pace.soon();
    pace.close();
    pace.soon();
    timers.advance(PACE_MS);
    expect(told).toEqual([]);
  });
});
