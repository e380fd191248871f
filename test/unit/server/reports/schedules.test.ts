import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextJob } from '../../../../server/reports/jobs/nextJob.ts';
import { nextRun } from '../../../../shared/protocol/nextRun.ts';
import { reportRange } from '../../../../shared/protocol/reports/reportPeriods.ts';
import { wallClockMs } from '../../../../shared/protocol/timeZones.ts';

const daily = { every: 'daily', weekday: 0, monthDay: 0 } as const;
const BERLIN = 'Europe/Berlin';

describe('the next run of a schedule', () => {
  it('is as much later as the clock is put forward, and the first of two', () => {
    const at = (when: object, after: string) =>
      new Date(nextRun({ ...daily, minuteOfDay: 150, ...when }, BERLIN, Date.parse(after))).toISOString();
    expect(at({}, '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:30:00.000Z');
    expect(at({}, '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(at({}, '2026-10-25T00:30:00Z')).toBe('2026-10-26T01:30:00.000Z');
    expect(at({ every: 'monthly', monthDay: 31 }, '2026-02-01T00:00:00Z')).toBe('2026-02-28T01:30:00.000Z');
    expect(at({ every: 'weekly', weekday: 7 }, '2026-11-23T00:00:00Z')).toBe('2026-11-29T01:30:00.000Z');
  });

  it('of each day is one, whatever the zone and the time', () => {
    const zones = fc.constantFrom(BERLIN, 'Asia/Taipei', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'UTC');
    const starts = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2027, 0) });
    fc.assert(
      fc.property(zones, starts, fc.integer({ min: 0, max: 1_439 }), (zone, startMs, minuteOfDay) => {
        let atMs = startMs;
        const days = Array.from({ length: 5 }, () => {
          atMs = nextRun({ ...daily, minuteOfDay }, zone, atMs);
          return Math.floor(wallClockMs(atMs, zone) / 86_400_000);
        });
        expect(days).toEqual(days.map((_, at) => (days[0] ?? 0) + at));
      }),
    );
  });
});

describe('the period of a report', () => {
  it('is whole days of the zone, and weeks begin on Monday', () => {
    const of = (period: Parameters<typeof reportRange>[0]['period']) => {
      const given = { period, fromMs: 0, toMs: 0, timeZone: BERLIN };
      const { fromMs, toMs } = reportRange(given, Date.parse('2026-10-28T12:00:00Z'));
      return [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
    };
    expect(of('today')).toEqual(['2026-10-27T23:00:00.000Z', '2026-10-28T23:00:00.000Z']);
    expect(of('yesterday')).toEqual(['2026-10-26T23:00:00.000Z', '2026-10-27T23:00:00.000Z']);
    expect(of('this-week')).toEqual(['2026-10-25T23:00:00.000Z', '2026-11-01T23:00:00.000Z']);
    expect(of('last-week')).toEqual(['2026-10-18T22:00:00.000Z', '2026-10-25T23:00:00.000Z']);
    expect(of('this-month')).toEqual(['2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z']);
    expect(of('last-month')).toEqual(['2026-08-31T22:00:00.000Z', '2026-09-30T22:00:00.000Z']);
  });
});

describe('whose report is next', () => {
  const waiting = [
    { id: 1, userId: 1, memberGroup: 1 },
    { id: 2, userId: 1, memberGroup: 1 },
    { id: 3, userId: 2, memberGroup: 1 },
  ];
  it('is that of the member who has fewer running, then of the one whose last is longest ago', () => {
    const last = (userId: number): number => (userId === 1 ? 5 : 0);
    const none = { jobs: [], lastBegun: () => 0, lastBegunOfGroup: () => 0 };
    expect(nextJob(waiting, none)?.id).toBe(1);
    expect(nextJob(waiting, { ...none, jobs: [{ userId: 1, memberGroup: 1 }] })?.id).toBe(3);
    expect(nextJob(waiting, { ...none, lastBegun: last })?.id).toBe(3);
    expect(nextJob([], { ...none, lastBegun: last })).toBeUndefined();
  });

  it('is that of the member group that has fewer running, however many of its members wait', () => {
    const waitingInGroups = [
      ...[1, 2, 3, 4].map((id) => ({ id, userId: id, memberGroup: 1 })),
      { id: 5, userId: 5, memberGroup: 2 },
    ];
    const none = { jobs: [], lastBegun: () => 0, lastBegunOfGroup: () => 0 };
    expect(nextJob(waitingInGroups, { ...none, jobs: [{ userId: 9, memberGroup: 1 }] })?.id).toBe(5);
    const lastBegunOfGroup = (group: number): number => (group === 1 ? 7 : 3);
    expect(nextJob(waitingInGroups, { ...none, lastBegunOfGroup })?.id).toBe(5);
    expect(nextJob(waitingInGroups, none)?.id).toBe(1);
  });
});
