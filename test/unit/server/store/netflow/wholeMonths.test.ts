import { expect, it } from 'vitest';
import { wholeMonths } from '../../../../../server/store/netflow/wholeMonths.ts';

it.each([
  [20_261_101, 20_261_130, [202_611, 202_611], []],
  [20_261_101, 20_261_129, undefined, [[20_261_101, 20_261_129]]],
  [20_261_102, 20_261_130, undefined, [[20_261_102, 20_261_130]]],
  [20_261_130, 20_261_201, undefined, [[20_261_130, 20_261_201]]],
  [20_261_124, 20_261_124, undefined, [[20_261_124, 20_261_124]]],
  [20_251_201, 20_261_130, [202_512, 202_611], []],
  // A leap year's February ends a day later.
  [20_280_201, 20_280_228, undefined, [[20_280_201, 20_280_228]]],
  [20_280_201, 20_280_229, [202_802, 202_802], []],
])('days from %i to %i are months %j and days %j', (first, last, months, days) => {
  expect(wholeMonths(first, last)).toEqual({ months, days });
});

it('leaves days at both ends of whole months, over the end of a year', () => {
  const { months, days } = wholeMonths(20_251_215, 20_260_210);
  expect(months).toEqual([202_601, 202_601]);
  const isInside = (day: number) => days.some(([first, last]) => day >= first && day <= last);
  expect(
    [20_251_214, 20_251_215, 20_251_231, 20_260_101, 20_260_131, 20_260_201, 20_260_210, 20_260_211].map(isInside),
  ).toEqual([false, true, true, false, false, true, true, false]);
});

it('is nothing of no days', () => {
  expect(wholeMonths(20_261_124, 20_261_123)).toEqual({ months: undefined, days: [] });
});
