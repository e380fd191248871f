import { describe, expect, it } from 'vitest';
import {
  ALARM_LIMIT_IDS,
  hasLimits,
  itemsOfLimits,
  limitsOfItems,
} from '../../../../../server/device/limits/alarmLimitItems.ts';

const ALL = {
  maskedAlarms: 0xffff_fffe,
  keyAlarms: 3,
  maskedVideoAlarms: 0x10,
  maxSpeedKmh: 90,
  speedingSeconds: 10,
  drivingSeconds: 14_400,
  dailyDrivingSeconds: 36_000,
  restSeconds: 1_200,
  parkedSeconds: 86_400,
};
const hex = (value: Uint8Array): string => Buffer.from(value).toString('hex');

describe('alarm limits as parameters', () => {
  it('have the ids and the 32 bits of the standard', () => {
    expect(itemsOfLimits(ALL).map(({ id, value }) => [id, hex(value)])).toEqual([
      [0x50, 'fffffffe'],
      [0x54, '00000003'],
      [0x7a, '00000010'],
      [0x55, '0000005a'],
      [0x56, '0000000a'],
      [0x57, '00003840'],
      [0x58, '00008ca0'],
      [0x59, '000004b0'],
      [0x5a, '00015180'],
    ]);
    expect(ALARM_LIMIT_IDS).toEqual(itemsOfLimits(ALL).map(({ id }) => id));
  });

  it('are read back as they were written, and only where they were', () => {
    expect(limitsOfItems(itemsOfLimits(ALL), '2013')).toEqual(ALL);
    expect(limitsOfItems(itemsOfLimits({ maxSpeedKmh: 0 }), '2019')).toEqual({ maxSpeedKmh: 0 });
    expect(
      limitsOfItems(
        [
          { id: 0x55, value: Uint8Array.of(1) },
          { id: 0x77, value: Uint8Array.of(0) },
        ],
        '2019',
      ),
    ).toEqual({});
  });

  it.each([
    ['the same', { maxSpeedKmh: 90 }, { maxSpeedKmh: 90 }, true],
    ['more', { maxSpeedKmh: 90, restSeconds: 5 }, { maxSpeedKmh: 90 }, true],
    ['something else', { maxSpeedKmh: 80 }, { maxSpeedKmh: 90 }, false],
    ['less', {}, { maxSpeedKmh: 90 }, false],
  ])('hold where the terminal says %s', (_, reported, wanted, hold) => {
    expect(hasLimits(reported, wanted)).toBe(hold);
  });
});
