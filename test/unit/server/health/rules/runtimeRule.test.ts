import { expect, it } from 'vitest';
import { END_OF_LIFE, judgeRuntime } from '../../../../../server/health/rules/runtimeRule.ts';

const stateOn = (version: string, day: string) => judgeRuntime(version, Date.parse(day)).state;

it.each([
  ['20.20.2', '2026-04-30T23:59:59.999Z', 'ok'],
  ['20.20.2', '2026-05-01T00:00:00Z', 'warning'],
  ['22.12.0', '2026-11-28T00:00:00Z', 'ok'],
  ['22.12.0', '2027-05-01T00:00:00Z', 'warning'],
  ['23.11.0', '2026-11-28T00:00:00Z', 'warning'],
  ['24.21.0', '2028-05-01T00:00:00Z', 'warning'],
  ['25.9.0', '2026-06-01T12:00:00Z', 'ok'],
  ['25.9.0', '2026-06-02T00:00:00Z', 'warning'],
  ['26.10.0', '2029-04-30T12:00:00Z', 'ok'],
] as const)('Node %s on %s is %s', (version, day, state) => {
  expect(stateOn(version, day)).toBe(state);
});

it('a line that is newer than the table is supported, and one that is older has ended', () => {
  expect(stateOn('28.0.0', '2040-01-01')).toBe('ok');
  expect(stateOn('18.20.8', '2020-01-01')).toBe('warning');
});

it('names the line and its last day, and what to do once that is over', () => {
  const lastDay = { name: 'supported-until', unit: 'date', value: Date.UTC(2026, 3, 30), limit: null };
  expect(judgeRuntime('20.19.0', Date.UTC(2026, 10, 28))).toEqual({
    state: 'warning',
    values: [{ name: 'release-line', unit: 'number', value: 20, limit: null }, lastDay],
    advice: 'renew-node',
  });
  expect(judgeRuntime('28.0.0', 0)).toMatchObject({ values: [{ value: 28 }, { value: null }], advice: '' });
});

it('each last day is a day', () => {
  for (const day of END_OF_LIFE.values()) expect(new Date(day).toISOString()).toBe(`${day}T00:00:00.000Z`);
});
