import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  alarmBitsOf,
  bitsOfMask,
  MASK_NAMES,
  maskOfBits,
} from '../../../../pages/innerpage/eventconfig/limits/alarmBits.ts';
import {
  checkLimits,
  differs,
  draftOfLimits,
  LIMIT_NUMBERS,
  limitsToSend,
} from '../../../../pages/innerpage/eventconfig/limits/limitsForm.ts';
import { AlarmLimits } from '../../../../shared/protocol/api/eventConfig.ts';

const REPORTED = { maxSpeedKmh: 90, drivingSeconds: 14_400, maskedAlarms: 0x8000_0002 };

describe('masks', () => {
  test('are lists of named bits, and bits without a name stay as they were', () => {
    const word = fc.integer({ min: 0, max: 0xffff_ffff });
    fc.assert(
      fc.property(fc.constantFrom(...MASK_NAMES), word, word, (name, before, other) => {
        expect(maskOfBits(name, bitsOfMask(name, before), before)).toBe(before);
        const changed = maskOfBits(name, bitsOfMask(name, other), before);
        expect(bitsOfMask(name, changed)).toEqual(bitsOfMask(name, other));
        expect(changed).toBeGreaterThanOrEqual(0);
        expect(changed).toBeLessThanOrEqual(0xffff_ffff);
      }),
    );
  });

  test('name a bit twice where the editions differ', () => {
    const bits = new Map(alarmBitsOf('keyAlarms').map(({ bit, types }) => [bit, types]));
    expect(bits.get(1)).toEqual(['speeding']);
    expect(bits.get(3)).toEqual(['dangerous-driving', 'danger-warning']);
    expect(bits.get(31)).toEqual(['unauthorized-door']);
    expect(bits.has(10)).toBe(true);
    expect(alarmBitsOf('maskedVideoAlarms')).toHaveLength(7);
  });
});

describe('the limits of a device', () => {
  test('are shown as they were set, else as the terminal has them', () => {
    const draft = draftOfLimits({ wanted: { maxSpeedKmh: 80 }, reported: REPORTED });
    expect(draft).toMatchObject({ maxSpeedKmh: 80, drivingSeconds: 240, restSeconds: null, maskedAlarms: ['1', '31'] });
  });

  test('are sent where they were changed, or set before', () => {
    const before = { wanted: { maxSpeedKmh: 80 }, reported: REPORTED };
    const draft = draftOfLimits(before);
    expect(limitsToSend(before, draft)).toEqual({ maxSpeedKmh: 80 });
    const changed = { ...draft, restSeconds: 20, maskedAlarms: ['1', '2'] };
    expect(limitsToSend(before, changed)).toEqual({ maxSpeedKmh: 80, restSeconds: 1_200, maskedAlarms: 6 });
    expect(limitsToSend(before, { ...draft, maxSpeedKmh: null })).toEqual({ maxSpeedKmh: null });
    expect(limitsToSend(before, { ...draft, drivingSeconds: null })).toEqual({ maxSpeedKmh: 80 });
    expect(limitsToSend({ wanted: null, reported: null }, draftOfLimits({ wanted: null, reported: null }))).toEqual({});
  });

  test('are checked by the bounds of the contract', () => {
    for (const [name, { unit, maximum }] of Object.entries(LIMIT_NUMBERS)) {
      const property: object = AlarmLimits.properties[name as keyof typeof LIMIT_NUMBERS];
      expect(property, name).toMatchObject({ minimum: 0, maximum: unit === 'min' ? maximum * 60 : maximum });
    }
    const draft = { ...draftOfLimits({ wanted: null, reported: null }), maxSpeedKmh: 251, parkedSeconds: 0.5 };
    const problems = checkLimits(draft, (maximum) => `0 to ${maximum}`);
    expect([problems.maxSpeedKmh, problems.parkedSeconds]).toEqual(['0 to 250', undefined]);
    expect(checkLimits({ ...draft, maxSpeedKmh: Number.NaN }, String).maxSpeedKmh).toBe('250');
  });

  test('differ where the terminal says something else', () => {
    const limits = { wanted: { maxSpeedKmh: 80, drivingSeconds: 14_400, restSeconds: 60 }, reported: REPORTED };
    const names = ['maxSpeedKmh', 'drivingSeconds', 'restSeconds', 'maskedAlarms'] as const;
    expect(names.map((name) => differs(limits, name))).toEqual([true, false, false, false]);
  });
});
