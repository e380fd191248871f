import { describe, expect, it } from 'vitest';
import { clockOf, minuteOf } from '../../../../../shared/ui/schedule/clock.ts';

describe('hours', () => {
  it.each([
    ['00:00', 0],
    ['07:30', 450],
    ['24:00', 1440],
  ])('are read and written: %s', (text, minute) => {
    expect(minuteOf(text)).toBe(minute);
    expect(clockOf(minute)).toBe(text);
  });

  it.each(['7:30', '24:01', '12:60', '', 'noon'])('are not read from %j', (text) => {
    expect(minuteOf(text)).toBeUndefined();
  });
});
