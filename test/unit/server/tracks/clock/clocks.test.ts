import { describe, expect, it } from 'vitest';
import { ClockMeter } from '../../../../../server/tracks/clock/clockMeter.ts';
import { MeasuredClock } from '../../../../../server/tracks/clock/measuredClock.ts';
import { DeviceClock } from '../../../../../shared/protocol/tracks/deviceClock.ts';

const AT_MS = Date.UTC(2026, 10, 20);
const MINUTES_7 = 420_000;

function stepsOf(offsets: readonly number[], everyMs = 10_000) {
  const meter = new ClockMeter(undefined);
  return offsets.flatMap((offsetMs, at) => {
    const receivedMs = AT_MS + at * everyMs;
    const step = meter.add(receivedMs - offsetMs, receivedMs);
    return step === undefined ? [] : [{ ...step, at }];
  });
}

/** How late each of them is, in seconds. */
function backlogOf(count: number, stepS: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => (count - at) * stepS);
}

describe("a device's clock", () => {
  it('is measured with the first report', () => {
    expect(stepsOf([MINUTES_7])).toEqual([{ at: 0, deviceFromMs: AT_MS - MINUTES_7, offsetMs: MINUTES_7 }]);
  });

  it('is not changed by seconds, nor by one report with a wrong time', () => {
    const offsets = Array.from({ length: 60 }, (_, at) => (at === 30 ? 2_300_000_000_000 : (at * 370) % 1_000));
    expect(stepsOf(offsets)).toHaveLength(1);
  });

  it('is not changed by reports that were held up', () => {
    const held = Array.from({ length: 25 }, (_, at) => Math.max(0, 250_000 - at * 10_000));
    expect(stepsOf([...Array.from({ length: 20 }, () => 0), ...held, 0, 0, 0])).toHaveLength(1);
  });

  it('has been right from the beginning where the first reports were held up', () => {
    const offsets = Array.from({ length: 40 }, (_, at) => Math.max(0, 13_000 - at * 2_000));
    const steps = stepsOf(offsets, 2_000);
    const clock = new MeasuredClock(
      steps.reduce<typeof steps>(
        (kept, step) => [...kept.filter(({ deviceFromMs }) => deviceFromMs !== step.deviceFromMs), step],
        [],
      ),
    );
    expect(steps.at(-1)?.deviceFromMs).toBe(steps[0]?.deviceFromMs);
    expect(clock.offsetAt(AT_MS - 3_600_000)).toBeLessThanOrEqual(1_000);
  });

  // Each of them: late by so many seconds, at intervals of so many.
  it.each([
    { title: 'of ten minutes, at once', backlog: backlogOf(60, 10), everyMs: 20, isAheadMs: 0 },
    { title: 'of a day, in two minutes', backlog: backlogOf(1_440, 60), everyMs: 80, isAheadMs: 0 },
    { title: 'of a minute, a position a second', backlog: backlogOf(60, 1), everyMs: 20, isAheadMs: 0 },
    { title: 'by a clock that is ahead', backlog: backlogOf(60, 10), everyMs: 20, isAheadMs: 1_200_000 },
  ])('is told from a backlog $title', ({ backlog, everyMs, isAheadMs }) => {
    const meter = new ClockMeter(undefined);
    const liveFromMs = AT_MS + backlog.length * everyMs;
    const reports = [
      ...backlog.map((lateS, at) => ({ receivedMs: AT_MS + at * everyMs, lateMs: lateS * 1_000 })),
      ...Array.from({ length: 40 }, (_, at) => ({ receivedMs: liveFromMs + at * 10_000, lateMs: 300 })),
    ];
    let clock = new MeasuredClock([]);
    const live = reports.map(({ receivedMs, lateMs }) => {
      const deviceMs = receivedMs - lateMs + isAheadMs;
      const step = meter.add(deviceMs, receivedMs);
      if (step !== undefined) clock = clock.with(step);
      return { receivedMs, takenMs: receivedMs - lateMs, deviceMs };
    });
    const wrong = live.filter(({ receivedMs, takenMs, deviceMs }) => {
      const errorMs = deviceMs + clock.offsetOfLive(deviceMs, receivedMs) - takenMs;
      return Math.abs(errorMs) > 1_000;
    });
    expect(wrong).toEqual([]);
  });

  it('is told from a backlog with the first live report, and is followed when it is set afterwards', () => {
    const live = Array.from({ length: 60 }, (_, at) => (at < 20 ? 0 : MINUTES_7));
    const steps = stepsOf([600_000, 590_000, 580_000, ...live]);
    expect(steps).toMatchObject([
      { at: 0, offsetMs: 600_000 },
      { at: 3, offsetMs: 0, deviceFromMs: AT_MS - 600_000 },
      { offsetMs: MINUTES_7, deviceFromMs: AT_MS + 230_000 - MINUTES_7 },
    ]);
  });

  it('takes few steps through a backlog that is sent as slowly as it is late', () => {
    const backlog = Array.from({ length: 600 }, (_, at) => 600_000 - at * 1_000);
    const steps = stepsOf([...backlog, ...Array.from({ length: 40 }, () => 0)], 1_000);
    expect(steps.length).toBeLessThan(12);
    expect(steps.at(-1)?.deviceFromMs).toBe(AT_MS - 600_000);
    expect(Math.abs(steps.at(-1)?.offsetMs ?? Number.NaN)).toBeLessThanOrEqual(2_000);
  });

  it('is not assumed to be less by a report from the future', () => {
    expect(stepsOf([MINUTES_7, -MINUTES_7, MINUTES_7, MINUTES_7, MINUTES_7, MINUTES_7])).toHaveLength(1);
  });

  it('is not taken from one first report that was dated in another year', () => {
    const steps = stepsOf([-2_300_000_000_000, ...Array.from({ length: 20 }, () => 500)]);
    expect(steps.at(-1)).toMatchObject({ offsetMs: 500, deviceFromMs: AT_MS + 10_000 - 500 });
  });

  it('was set where it is less a while after the first report', () => {
    const offsets = Array.from({ length: 80 }, (_, at) => (at < 40 ? 20_000 : 0));
    expect(stepsOf(offsets)).toMatchObject([{ deviceFromMs: AT_MS - 20_000 }, { deviceFromMs: AT_MS + 400_000 }]);
  });

  it('changes from the report on with which it was set', () => {
    const offsets = Array.from({ length: 60 }, (_, at) => (at < 20 ? 0 : MINUTES_7));
    const [, change] = stepsOf(offsets);
    expect(change).toMatchObject({ offsetMs: MINUTES_7, deviceFromMs: AT_MS + 200_000 - MINUTES_7 });
    expect(change?.at).toBeLessThan(45);
  });
});

it('of a span is told what holds in it, though it was measured afterwards: a device sends what it kept before it reports live', () => {
  const measured = new DeviceClock([{ deviceFromMs: AT_MS + MINUTES_7, offsetMs: -MINUTES_7 }]);
  const step = { fromMs: AT_MS, offsetMs: -MINUTES_7 };
  expect(measured.stepsIn(AT_MS - 3_600_000, AT_MS)).toEqual([step]);
  expect(measured.stepsIn(AT_MS + 1_000, AT_MS + 2_000)).toEqual([step]);
  const set = new DeviceClock([
    { deviceFromMs: AT_MS, offsetMs: 0 },
    { deviceFromMs: AT_MS + 10_000 + MINUTES_7, offsetMs: -MINUTES_7 },
  ]);
  expect(set.stepsIn(AT_MS - 1_000, AT_MS + 5_000)).toEqual([{ fromMs: AT_MS, offsetMs: 0 }]);
  expect(set.stepsIn(AT_MS + 5_000, AT_MS + 15_000)).toHaveLength(2);
});

it('a live report that was sent before a clock was set back has the offset of then', () => {
  const clock = new MeasuredClock([
    { deviceFromMs: AT_MS - 3_600_000, offsetMs: 0 },
    { deviceFromMs: AT_MS - MINUTES_7, offsetMs: MINUTES_7 },
  ]);
  const deviceMs = AT_MS - 60_000;
  expect(clock.offsetAt(deviceMs)).toBe(MINUTES_7);
  expect(clock.offsetOfLive(deviceMs, deviceMs + 500)).toBe(0);
  expect(clock.offsetOfLive(deviceMs, deviceMs + MINUTES_7)).toBe(MINUTES_7);
});

it('reads each stretch of the device once, where its clock stood', () => {
  const yearMs = 365 * 86_400_000;
  const clock = new MeasuredClock([
    { deviceFromMs: 0, offsetMs: 0 },
    { deviceFromMs: AT_MS, offsetMs: 1_000 },
    { deviceFromMs: AT_MS + yearMs, offsetMs: -yearMs },
  ]);
  expect(clock.deviceSpans(AT_MS, AT_MS + 10_000)).toEqual([
    { fromMs: AT_MS - 1_000, toMs: AT_MS + 10_000 },
    { fromMs: AT_MS + yearMs, toMs: AT_MS + yearMs + 10_000 },
  ]);
});

it('a clock that ran in another year before it was right says nothing of the years between', () => {
  const clock = new DeviceClock([
    { deviceFromMs: 60_000, offsetMs: AT_MS - 60_000 },
    { deviceFromMs: AT_MS + 300_000, offsetMs: 0 },
  ]);
  const yesterdayMs = AT_MS - 86_400_000;
  expect([70_000, yesterdayMs, AT_MS + 400_000].map((atMs) => clock.toGateway(atMs))).toEqual([
    AT_MS + 10_000,
    yesterdayMs,
    AT_MS + 400_000,
  ]);
  const span = { fromMs: yesterdayMs, toMs: yesterdayMs + 1_000 };
  expect(clock.deviceSpans(span.fromMs, span.toMs)).toContainEqual(span);
});

it('a clock that was set forward by minutes is right from then on alone', () => {
  const clock = new DeviceClock([
    { deviceFromMs: AT_MS, offsetMs: MINUTES_7 },
    { deviceFromMs: AT_MS + 3_600_000, offsetMs: 0 },
  ]);
  expect(clock.offsetAt(AT_MS + 3_599_000)).toBe(MINUTES_7);
});
