import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alphabetOf, cutSms, smsSize, splitSms } from '../../../../../shared/protocol/notify/smsSegments.ts';

describe('segments of a text message', () => {
  it.each([
    ['', 'gsm7', 0, 0, 160],
    ['a', 'gsm7', 1, 1, 159],
    ['a'.repeat(160), 'gsm7', 160, 1, 0],
    ['a'.repeat(161), 'gsm7', 161, 2, 145],
    ['a'.repeat(306), 'gsm7', 306, 2, 0],
    ['a'.repeat(307), 'gsm7', 307, 3, 152],
    ['€', 'gsm7', 2, 1, 158],
    ['['.repeat(80), 'gsm7', 160, 1, 0],
    ['車', 'ucs2', 1, 1, 69],
    ['車'.repeat(70), 'ucs2', 70, 1, 0],
    ['車'.repeat(71), 'ucs2', 71, 2, 63],
    [`${'a'.repeat(69)}車`, 'ucs2', 70, 1, 0],
    ['`', 'ucs2', 1, 1, 69],
    ['😀', 'ucs2', 2, 1, 68],
  ])('%j', (text, alphabet, units, segments, unitsLeft) => {
    expect(smsSize(text)).toEqual({ alphabet, units, segments, unitsLeft });
  });

  it('never split a character: one of two units moves to the next segment', () => {
    const text = `${'a'.repeat(152)}€${'b'.repeat(20)}`;
    expect(splitSms(text)).toEqual(['a'.repeat(152), `€${'b'.repeat(20)}`]);
    const emoji = `${'車'.repeat(66)}😀${'車'.repeat(10)}`;
    expect(splitSms(emoji)).toEqual(['車'.repeat(66), `😀${'車'.repeat(10)}`]);
  });

  it('hold the whole text in order, each within its bound', () => {
    const character = fc.oneof(fc.constantFrom('a', 'é', '€', '{', '\n'), fc.constantFrom('車', '😀', 'ー'));
    const text = fc.array(character, { maxLength: 400 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (given) => {
        const segments = splitSms(given);
        expect(segments.join('')).toBe(given);
        const { alphabet, segments: count } = smsSize(given);
        expect(segments).toHaveLength(count);
        const most = alphabet === 'gsm7' ? [160, 153] : [70, 67];
        for (const segment of segments) {
          const units =
            alphabet === 'ucs2'
              ? segment.length
              : [...segment].reduce((sum, each) => sum + ('€{'.includes(each) ? 2 : 1), 0);
          expect(units).toBeLessThanOrEqual(segments.length > 1 ? (most[1] ?? 0) : (most[0] ?? 0));
          expect(segment).not.toMatch(/^[\udc00-\udfff]/);
        }
      }),
    );
  });

  it('are cut at whole segments', () => {
    const long = 'a'.repeat(2_000);
    expect(cutSms(long, 10)).toBe('a'.repeat(1_530));
    expect(cutSms('short', 10)).toBe('short');
    expect(alphabetOf(cutSms(`車${long}`, 2))).toBe('ucs2');
    expect(smsSize(cutSms(`車${long}`, 2)).segments).toBe(2);
  });
});
