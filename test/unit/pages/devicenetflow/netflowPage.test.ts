import { describe, expect, test } from 'vitest';
import { percentUsed, periodText, planStateOf } from '../../../../pages/innerpage/devicenetflow/device/planText.ts';
import { planOptions } from '../../../../pages/innerpage/devicenetflow/device/simForm.ts';
import {
  FIRST_NETFLOW_VIEW,
  type NetflowView,
  queryOfView,
  viewOfQuery,
} from '../../../../pages/innerpage/devicenetflow/netflowAddress.ts';
import { spanOfRange, stepsOfSpan, stepText } from '../../../../pages/innerpage/devicenetflow/usage/useSpan.ts';
import { type WallMs, wallMs } from '../../../../shared/protocol/time.ts';

describe('the address', () => {
  test.each<[string, NetflowView]>([
    ['', FIRST_NETFLOW_VIEW],
    ['?tab=plans', { ...FIRST_NETFLOW_VIEW, tab: 'plans' }],
    ['?range=year&group=7&plan=over', { tab: 'usage', range: 'year', group: '7', plan: 'over' }],
  ])('%s and back', (query, view) => {
    expect(viewOfQuery(query)).toEqual(view);
    expect(`?${queryOfView(view)}`.replace(/^\?\??$/, '').replace('??', '?')).toBe(query);
  });

  test('leaves out what it does not know', () => {
    expect(viewOfQuery('?tab=x&range=century&group=-1&plan=maybe')).toEqual(FIRST_NETFLOW_VIEW);
  });
});

describe('a time of the chart', () => {
  // The clocks of Berlin are put forward on this day.
  const NOW = Date.UTC(2026, 2, 29, 10);

  test('has as many hours as its day', () => {
    expect(stepsOfSpan(spanOfRange('day', NOW, 'Europe/Berlin'), 'Europe/Berlin')).toHaveLength(23);
    expect(stepsOfSpan(spanOfRange('day', NOW, 'Asia/Taipei'), 'Asia/Taipei')).toHaveLength(24);
    const kolkata = stepsOfSpan(spanOfRange('day', NOW, 'Asia/Kolkata'), 'Asia/Kolkata');
    expect([kolkata.length, stepText(kolkata[0] ?? 0, 'hour', 'Asia/Kolkata')]).toEqual([25, '23:30']);
  });

  test.each([
    ['Asia/Kolkata', NOW, '23:30'],
    ['Europe/Berlin', Date.UTC(2026, 9, 25, 10), '02:00'],
  ])('has hours of the same name in %s, which are still two', (zone, nowMs, twice) => {
    const steps = stepsOfSpan(spanOfRange('day', nowMs, zone), zone);
    const texts = steps.map((atMs) => stepText(atMs, 'hour', zone));
    expect(texts.filter((text) => text === twice)).toHaveLength(2);
    expect(steps).toHaveLength(25);
    expect(new Set(steps).size).toBe(steps.length);
  });

  test.each([
    ['month', 31, '03-01', '03-31'],
    ['last-month', 28, '02-01', '02-28'],
    ['year', 12, '2025-04', '2026-03'],
  ] as const)('%s has %i steps, from %s to %s', (range, count, first, last) => {
    const span = spanOfRange(range, NOW, 'Europe/Berlin');
    const texts = stepsOfSpan(span, 'Europe/Berlin').map((atMs) => stepText(atMs, span.step, 'Europe/Berlin'));
    expect([texts.length, texts[0], texts.at(-1)]).toEqual([count, first, last]);
  });
});

describe('a plan', () => {
  test("has the days of its own zone, not those of the reader's", () => {
    // November in Taipei.
    const [fromMs, toMs] = [Date.UTC(2026, 9, 31, 16), Date.UTC(2026, 10, 30, 16)].map(wallMs) as [WallMs, WallMs];
    expect(periodText({ fromMs, toMs, timeZone: 'Asia/Taipei' })).toBe('2026-11-01 – 2026-11-30');
  });

  test('can be selected though it is not one of the member group, and once if it is', () => {
    const plans = [
      { id: 1, name: 'Bus 3 GB' },
      { id: 2, name: 'Bus 5 GB' },
    ];
    const options = (...devices: Parameters<typeof planOptions>[1]) =>
      planOptions(plans, devices).map(({ value, label }) => `${value} ${label}`);
    expect(options({ plan: 9, planName: 'Northern fleet' })).toEqual(['9 Northern fleet', '1 Bus 3 GB', '2 Bus 5 GB']);
    expect(options({ plan: 0, planName: '' })).toEqual(['1 Bus 3 GB', '2 Bus 5 GB']);
    expect(options({ plan: 2, planName: 'Bus 5 GB' })).toHaveLength(2);
  });

  const use = (usedBytes: number, planBytes: number, forecastBytes: number | null = null) => ({
    receivedBytes: usedBytes,
    sentBytes: 0,
    planBytes,
    forecastBytes,
  });

  test.each([
    [use(799, 1_000), 79, 'within'],
    [use(800, 1_000), 80, 'near'],
    [use(10, 1_000, 1_001), 1, 'near'],
    [use(999, 1_000), 99, 'near'],
    [use(1_000, 1_000), 100, 'over'],
    [use(5, 0), undefined, undefined],
  ])('%j is used to %s %%: %s', (device, percent, state) => {
    expect(percentUsed(device)).toBe(percent);
    expect(planStateOf(device)).toBe(state);
  });
});
