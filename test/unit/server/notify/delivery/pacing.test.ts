import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paceWaitMs } from '../../../../../server/notify/delivery/pacing.ts';

describe('paceWaitMs', () => {
  it('does not hold up a sender without a limit, nor a first message', () => {
    expect(paceWaitMs({ perMinute: 0, lastBeginMs: 1_000, nowMs: 1_000 })).toBe(0);
    expect(paceWaitMs({ perMinute: 1, lastBeginMs: undefined, nowMs: 1_000 })).toBe(0);
  });

  it('spreads messages evenly', () => {
    expect(paceWaitMs({ perMinute: 6, lastBeginMs: 1_000, nowMs: 4_000 })).toBe(7_000);
    expect(paceWaitMs({ perMinute: 6, lastBeginMs: 1_000, nowMs: 11_000 })).toBe(0);
  });

  it('does not wait until a clock that was set back is there again', () => {
    expect(paceWaitMs({ perMinute: 6, lastBeginMs: 9_000_000, nowMs: 0 })).toBe(0);
  });

  it('begins no more in any minute than the sender may send', () => {
    const pace = fc.record({
      perMinute: fc.integer({ min: 1, max: 600 }),
      hesitationMs: fc.integer({ min: 0, max: 300 }),
    });
    fc.assert(
      fc.property(pace, ({ perMinute, hesitationMs }) => {
        const begins: number[] = [];
        for (let nowMs = 0; begins.length < perMinute + 20; nowMs += hesitationMs) {
          nowMs += paceWaitMs({ perMinute, lastBeginMs: begins.at(-1), nowMs });
          begins.push(nowMs);
        }
        for (const [at, beginMs] of begins.entries()) {
          const soonest = begins[at + perMinute];
          if (soonest !== undefined) expect(soonest - beginMs).toBeGreaterThanOrEqual(60_000);
        }
      }),
    );
  });
});
