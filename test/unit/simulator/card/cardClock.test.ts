import { describe, expect, it } from 'vitest';
import { CardClock } from '../../../../simulator/card/cardClock.ts';
import type { TerminalQuirks } from '../../../../simulator/quirks.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const HOUR_MS = 3_600_000;
const PROFILE = {
  deviceId: 'A',
  name: 'A',
  number: '1',
  channels: 1,
  edition: '2019',
  plate: 'A',
  lapShare: 0,
} as const;
const clockWith = (clock?: TerminalQuirks['clock']): CardClock =>
  new CardClock({ ...PROFILE, quirks: clock === undefined ? {} : { clock } }, NOON);

describe('a card is dated by its terminal’s clock', () => {
  it.each([
    [undefined, 0],
    ['next-year', 365 * 24 * HOUR_MS],
    [{ aheadSeconds: -90 }, -90_000],
    ['never-set', Date.UTC(2069, 11, 31, 16) - NOON],
  ] as const)('%o', (quirk, aheadMs) => {
    const clock = clockWith(quirk);
    expect(clock.shown(NOON - HOUR_MS)).toBe(NOON - HOUR_MS + aheadMs);
    expect(clock.moment(clock.shown(NOON - HOUR_MS))).toBe(NOON - HOUR_MS);
  });

  it('and what a question leaves open stays open', () => {
    expect(clockWith('next-year').moment(undefined)).toBeUndefined();
  });
});
