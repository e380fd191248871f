import { describe, expect, test } from 'vitest';
import { lengthOfSound, TONES } from '../../../../../shared/ui/events/soundTones.ts';

const sounds = Object.entries(TONES);

describe('the sounds of events', () => {
  test.each(sounds)('%s is heard at once, tone after tone, and soon over', (_name, tones) => {
    expect(tones[0]?.atS).toBe(0);
    for (const [index, { atS, lengthS }] of tones.entries()) {
      expect(lengthS).toBeGreaterThan(0.1);
      // A little less is the rounding of sums.
      expect((tones[index + 1]?.atS ?? Infinity) - (atS + lengthS)).toBeGreaterThan(-1e-9);
    }
  });

  test.each(sounds)('%s can be heard by a small loudspeaker', (_name, tones) => {
    for (const { fromHz, toHz } of tones) {
      for (const hz of [fromHz, toHz]) {
        expect(hz).toBeGreaterThan(400);
        expect(hz).toBeLessThan(2_000);
      }
    }
  });

  test('are the longer the more urgent they are', () => {
    expect(lengthOfSound('alert')).toBeLessThan(lengthOfSound('alarm'));
    expect(lengthOfSound('alarm')).toBeLessThan(lengthOfSound('siren'));
    expect(lengthOfSound('siren')).toBeCloseTo(1.6);
  });
});
