import { describe, expect, it } from 'vitest';
import { pauseAfterPart } from '../../../../../server/fleet/positions/packingPace.ts';

const HOUR_MS = 3_600_000;

describe('the pause of the packing', () => {
  it.each([
    { what: 'nine times the part: a tenth is taken', partMs: 30, roundHours: 0, pauseMs: 270 },
    { what: 'the same up to six hours', partMs: 30, roundHours: 6, pauseMs: 270 },
    { what: 'half way to a day, three tenths', partMs: 60, roundHours: 15, pauseMs: 140 },
    { what: 'as long as the part from a day on', partMs: 150, roundHours: 24, pauseMs: 150 },
    { what: 'and no less later', partMs: 150, roundHours: 240, pauseMs: 150 },
    { what: 'never shorter than the others need', partMs: 1, roundHours: 0, pauseMs: 100 },
    { what: 'nor after a clock that was set back', partMs: -5_000, roundHours: -1, pauseMs: 100 },
    { what: 'never longer than two seconds', partMs: 60_000, roundHours: 0, pauseMs: 2_000 },
  ])('$what', ({ partMs, roundHours, pauseMs }) => {
    expect(pauseAfterPart({ partMs, roundMs: roundHours * HOUR_MS })).toBe(pauseMs);
  });

  it('keeps up with ten thousand vehicles that report each ten seconds', () => {
    const [partMs, partSize] = [50, 500];
    const perSecond = (roundHours: number): number =>
      (1_000 * partSize) / (partMs + pauseAfterPart({ partMs, roundMs: roundHours * HOUR_MS }));
    expect(perSecond(0)).toBeGreaterThanOrEqual(1_000);
    expect(perSecond(24)).toBeGreaterThan(3_000);
  });
});
