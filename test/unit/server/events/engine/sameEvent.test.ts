import { describe, expect, it } from 'vitest';
import { isSameEvent, type KnownEvent } from '../../../../../server/events/engine/sameEvent.ts';

const event = (beginS: number, change: Partial<KnownEvent> = {}): KnownEvent => ({
  unit: 0,
  area: 0,
  beginAtMs: beginS * 1_000,
  endAtMs: 0,
  lastSeenAtMs: beginS * 1_000,
  isLate: true,
  alarmMark: '',
  ...change,
});

describe('a late event', () => {
  const ended = { endAtMs: 1_060_000 };
  it.each<[string, KnownEvent, KnownEvent, boolean]>([
    ['that was late before', event(1_000), event(1_000, ended), true],
    ['from the middle of one', event(1_030), event(1_000, ended), true],
    ['after the end of a late one', event(1_061), event(1_000, ended), false],
    ['within a minute of the end of one that was live', event(1_100), event(1_000, { ...ended, isLate: false }), true],
    ['long after one that was live', event(1_121), event(1_000, { ...ended, isLate: false }), false],
    ['within a minute before one that was live', event(941), event(1_000, { isLate: false }), true],
    ['while one lasts, as far as that was heard', event(1_090), event(1_000, { lastSeenAtMs: 1_090_000 }), true],
    ['of another channel', event(1_000, { unit: 2 }), event(1_000, ended), false],
    ['of another area', event(1_000, { area: 2 }), event(1_000, ended), false],
    ['with the same mark', event(5_000, { alarmMark: 'ab' }), event(1_000, { ...ended, alarmMark: 'ab' }), true],
    [
      'with the same mark on another channel',
      event(5_000, { alarmMark: 'ab', unit: 1 }),
      event(1_000, { alarmMark: 'ab' }),
      false,
    ],
  ])('%s', (_, late, known, isSame) => {
    expect(isSameEvent(late, known)).toBe(isSame);
  });
});
