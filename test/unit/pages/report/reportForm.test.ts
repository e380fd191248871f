import { describe, expect, it } from 'vitest';
import {
  checkReport,
  draftOfParameters,
  newReport,
  parametersOfDraft,
} from '../../../../pages/innerpage/report/form/reportForm.ts';

const TEXTS = {
  noMoment: 'no moment',
  endFirst: 'end first',
  tooLong: 'too long',
  range: (minimum: number, maximum: number) => `${minimum} to ${maximum}`,
};
const DAY_MS = 86_400_000;

describe('the form of a report', () => {
  const draft = newReport('trips', 'Asia/Taipei');

  it('asks for yesterday of all devices at first', () => {
    expect(parametersOfDraft(draft, ['devices'])).toMatchObject({ period: 'yesterday', fromMs: 0, devices: [] });
    expect(checkReport(draft, TEXTS)).toEqual({ leastMinutes: undefined, speedKmh: undefined });
  });

  it('comes back from what it asked for', () => {
    const filled = { ...draft, devices: ['BUS-1'], deviceGroups: ['3'], fences: ['9'], leastMinutes: 5 };
    const parameters = parametersOfDraft(filled, ['devices', 'fences', 'thresholds']);
    expect(draftOfParameters('trips', parameters)).toEqual(filled);
  });

  it("leaves out what its kind isn't narrowed by", () => {
    const filled = { ...draft, devices: ['BUS-1'], eventTypes: ['speeding'], leastMinutes: 5 };
    expect(parametersOfDraft(filled, ['event-types'])).toMatchObject({
      devices: [],
      eventTypes: ['speeding'],
      leastMinutes: 0,
    });
  });

  it.each([
    ['no start', { fromMs: null, toMs: DAY_MS }, { fromMs: 'no moment' }],
    ['no end', { fromMs: DAY_MS, toMs: Number.NaN }, { toMs: 'no moment' }],
    ['an end before the start', { fromMs: DAY_MS, toMs: DAY_MS }, { toMs: 'end first' }],
    ['more than a year', { fromMs: DAY_MS, toMs: 400 * DAY_MS }, { toMs: 'too long' }],
  ])('refuses a range with %s', (_, span, problem) => {
    expect(checkReport({ ...draft, period: 'from-to', ...span }, TEXTS)).toMatchObject(problem);
  });

  it.each([0, -1, 1.5, 10_081, Number.NaN])('refuses %s minutes', (leastMinutes) => {
    expect(checkReport({ ...draft, leastMinutes }, TEXTS).leastMinutes).toBe('1 to 10080');
  });
});
