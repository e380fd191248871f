import { describe, expect, it } from 'vitest';
import type { Judgment } from '../../../../../server/health/healthSource.ts';
import { judgeCertificate } from '../../../../../server/health/rules/certificateRule.ts';
import { judgeDisk } from '../../../../../server/health/rules/diskRule.ts';
import { stateAbove, worstState } from '../../../../../server/health/rules/figures.ts';
import { judgePort, judgePortRange } from '../../../../../server/health/rules/portRule.ts';
import { judgeQueue } from '../../../../../server/health/rules/queueRule.ts';
import { judgeTable } from '../../../../../server/health/rules/tableRule.ts';
import { judgeThread } from '../../../../../server/health/rules/threadRule.ts';

const DAY_MS = 86_400_000;
const GIGABYTE = 1024 ** 3;
const told = ({ state, advice }: Judgment): string => (advice === '' ? state : `${state}: ${advice}`);
const figureOf = ({ values }: Judgment, name: string) => values.find((value) => value.name === name);

describe('ports', () => {
  it('are a problem once they listen no more', () => {
    expect(told(judgePort({ port: 7808, isListening: true }))).toBe('ok');
    expect(told(judgePort({ port: 7808, isListening: false }))).toBe('problem: free-port');
  });

  it('of a range warn when the last one is taken', () => {
    expect(told(judgePortRange({ first: 7022, last: 7041, taken: 19 }))).toBe('ok');
    expect(told(judgePortRange({ first: 7022, last: 7041, taken: 20 }))).toBe('warning: more-ports');
    expect(told(judgePortRange({ first: 0, last: 0, taken: 20 }))).toBe('ok');
  });
});

describe('a certificate', () => {
  const left = (ms: number, isOwn = false) => told(judgeCertificate({ expiresAtMs: 1_000 + ms, isOwn }, 1_000));

  it.each([
    [30 * DAY_MS, 'ok'],
    [30 * DAY_MS - 1, 'warning: renew-certificate'],
    [7 * DAY_MS, 'warning: renew-certificate'],
    [7 * DAY_MS - 1, 'problem: renew-certificate'],
    [-1, 'problem: renew-certificate'],
  ])('with %i ms left is %s', (ms, expected) => {
    expect(left(ms)).toBe(expected);
  });

  it('of our own is made anew by a restart', () => {
    expect(left(DAY_MS, true)).toBe('problem: restart-for-certificate');
  });

  it('is not needed without TLS', () => {
    expect(judgeCertificate(null, 0)).toMatchObject({ state: 'ok', values: [{ name: 'expires-at', value: null }] });
  });
});

describe('a disk', () => {
  const alone = { totalBytes: 1_000 * GIGABYTE, forecast: 'never', recordingFloorBytes: undefined } as const;
  const shared = { ...alone, recordingFloorBytes: 2 * GIGABYTE } as const;

  it.each([
    ['of its own, at the limit', { ...alone, freeBytes: 10 * GIGABYTE }, 'ok'],
    ['of its own, below it', { ...alone, freeBytes: 10 * GIGABYTE - 1 }, 'warning: free-disk'],
    ['of its own, at half of it', { ...alone, freeBytes: 5 * GIGABYTE }, 'warning: free-disk'],
    ['of its own, below half of it', { ...alone, freeBytes: 5 * GIGABYTE - 1 }, 'problem: free-disk'],
    ['that is small, at a tenth', { ...alone, totalBytes: 10 * GIGABYTE, freeBytes: GIGABYTE }, 'ok'],
    ['that is small, below', { ...alone, totalBytes: 10 * GIGABYTE, freeBytes: GIGABYTE - 1 }, 'warning: free-disk'],
    ['full of recordings, at half of their floor', { ...shared, freeBytes: GIGABYTE }, 'ok'],
    ['full of recordings, below', { ...shared, freeBytes: GIGABYTE - 1 }, 'warning: free-disk'],
    ['full of recordings, where they stop', { ...shared, freeBytes: GIGABYTE / 2 - 1 }, 'problem: free-disk'],
    ['that is full in 14 days', { ...alone, freeBytes: 50 * GIGABYTE, forecast: 14 }, 'ok'],
    ['that is full in less', { ...alone, freeBytes: 50 * GIGABYTE, forecast: 13.9 }, 'warning: plan-disk'],
    ['that is full in 3 days', { ...alone, freeBytes: 50 * GIGABYTE, forecast: 3 }, 'warning: plan-disk'],
    ['that is full in less than 3', { ...alone, freeBytes: 50 * GIGABYTE, forecast: 2.9 }, 'problem: plan-disk'],
    ['that is low, and full tomorrow', { ...alone, freeBytes: 9 * GIGABYTE, forecast: 1 }, 'problem: free-disk'],
    ['that nothing is known of yet', { ...alone, freeBytes: 50 * GIGABYTE, forecast: 'unknown' }, 'ok'],
  ] as const)('%s', (_, facts, expected) => {
    expect(told(judgeDisk(facts))).toBe(expected);
  });

  it('that is gone is a problem', () => {
    expect(told(judgeDisk(null))).toBe('problem: connect-disk');
  });

  it('has a forecast in tenths of a day where there is one', () => {
    const days = (forecast: number | 'never' | 'unknown') =>
      figureOf(judgeDisk({ ...alone, freeBytes: GIGABYTE, forecast }), 'days-until-full')?.value;
    expect([days(5.678), days('never'), days('unknown')]).toEqual([5.6, null, null]);
  });
});

describe('a table', () => {
  it.each([
    [null, 'ok'],
    [99, 'ok'],
    [100, 'warning: shorten-retention'],
    [399, 'warning: shorten-retention'],
    [400, 'problem: shorten-retention'],
  ])('with %s rows where 100 are many is %s', (rows, expected) => {
    expect(told(judgeTable({ rows, bytes: null }, 100))).toBe(expected);
  });
});

describe('a queue', () => {
  const limits = { mostWaiting: 10, mostAgeMs: 1_000, advice: 'check-database' } as const;

  it.each([
    [9, 999, 'ok'],
    [10, null, 'warning: check-database'],
    [39, 0, 'warning: check-database'],
    [40, 0, 'problem: check-database'],
    [1, 1_000, 'warning: check-database'],
    [1, 3_999, 'warning: check-database'],
    [1, 4_000, 'problem: check-database'],
    [10, 4_000, 'problem: check-database'],
  ])('of %i, of which the first waits for %s ms, is %s', (waiting, oldestAgeMs, expected) => {
    expect(told(judgeQueue({ waiting, oldestAgeMs }, limits))).toBe(expected);
  });

  it('may let wait for long where that is its purpose', () => {
    const judged = judgeQueue({ waiting: 1, oldestAgeMs: DAY_MS }, { mostWaiting: 10, advice: 'check-devices' });
    expect(told(judged)).toBe('ok');
    expect(figureOf(judged, 'oldest-age')).toMatchObject({ value: DAY_MS, limit: null });
  });
});

describe('a thread', () => {
  it.each([
    [null, 'ok'],
    [499.4, 'ok'],
    [500, 'warning: check-machine'],
    [1_999, 'warning: check-machine'],
    [2_000, 'problem: check-machine'],
  ])('with a pause of %s ms where 500 are many is %s', (ms, expected) => {
    expect(told(judgeThread(ms, 500))).toBe(expected);
  });
});

it('of several states the worst counts, and what is not known before a warning', () => {
  expect(worstState(['ok', 'warning', 'problem', 'unknown'])).toBe('problem');
  expect(worstState(['ok', 'unknown', 'warning'])).toBe('unknown');
  expect(worstState(['ok', 'warning'])).toBe('warning');
  expect(worstState([])).toBe('ok');
  expect(stateAbove(null, 1, 2)).toBe('ok');
});
