import { expect, it } from 'vitest';
import {
  type BoundedValue,
  knownColumn,
  knownValue,
  UNKNOWN_NUMBER,
} from '../../../../../shared/protocol/positions/knownValues.ts';

it.each<[BoundedValue, readonly number[], readonly number[]]>([
  ['speedKmh', [0, 130.5, 300], [6_553.5, 3_276.7, 300.1, -1, Number.NaN]],
  ['headingDeg', [0, 359, 360], [400, 65_535, -1]],
  ['altitudeM', [-430, 0, 8_848], [-1, 32_767, -32_768, 9_001]],
  ['mileageKm', [0, 999_999.9], [429_496_729.5, 214_748_364.7]],
  ['fuelLiters', [0, 800, 3_200], [6_553.5, 3_276.7]],
  ['cabinCelsius', [-60, 0, 125], [32_767, -32_767]],
  ['signal', [0, 31, 99, 100], [101, 255]],
])('%s is known within what can be', (name, known, unknown) => {
  expect(known.map((value) => knownValue(name, value))).toEqual(known);
  expect(unknown.map((value) => knownValue(name, value))).toEqual(unknown.map(() => undefined));
});

it('the number for what is not known is no value of those that it stands for', () => {
  for (const name of ['speedKmh', 'headingDeg', 'altitudeM'] as const)
    expect(knownValue(name, UNKNOWN_NUMBER)).toBeUndefined();
});

it('a column of known values is not copied', () => {
  const speeds = Float64Array.of(1, 2);
  expect(knownColumn('speedKmh', speeds)).toBe(speeds);
  expect(knownColumn('statusBits', Float64Array.of(9_999))).toEqual(Float64Array.of(9_999));
  expect([...knownColumn('speedKmh', Float64Array.of(1, 6_553.5))]).toEqual([1, Number.NaN]);
});
