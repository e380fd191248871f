// The arithmetic of the timeline, in a zone whose clocks are changed and whose offset is no whole hour too.
import { afterEach, describe, expect, it } from 'vitest';
import { parseDateTime } from '../../../../../../shared/player/playback/parseDateTime.ts';
import { playbackCommand } from '../../../../../../shared/player/playback/shortcuts.ts';
import { merged, nextStart, previousStart } from '../../../../../../shared/player/playback/timeline/ranges.ts';
import { ticksOf } from '../../../../../../shared/player/playback/timeline/ticks.ts';
import {
  dayOf,
  following,
  LONGEST_MS,
  panned,
  SHORTEST_MS,
  spanOf,
  timeAt,
  xOf,
  zoomed,
} from '../../../../../../shared/player/playback/timeline/timelineView.ts';
import { formatDateTime, formatZone } from '../../../../../../shared/player/playback/timeline/wallClock.ts';

const HOUR = 3_600_000;
const zone = process.env.TZ;
const inZone = (name: string): void => {
  process.env.TZ = name;
};
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const labels = (fromMs: number, toMs: number, width: number) =>
  ticksOf({ fromMs, toMs }, width).flatMap(({ label }) => (label === undefined ? [] : [label]));

describe('the days of a timeline', () => {
  it.each([
    ['Asia/Taipei', '2026-11-20T03:00:00+08:00', '2026-11-19T16:00:00Z', 24],
    ['Europe/Berlin', '2026-03-29T12:00:00+02:00', '2026-03-28T23:00:00Z', 23],
    ['Europe/Berlin', '2026-10-25T12:00:00+01:00', '2026-10-24T22:00:00Z', 25],
  ])('in %s of %s begin at midnight there (%s) and have %i hours', (name, moment, midnight, hours) => {
    inZone(name);
    const day = dayOf(Date.parse(moment));
    expect(new Date(day.fromMs).toISOString()).toBe(new Date(midnight).toISOString());
    expect(spanOf(day)).toBe(hours * HOUR);
  });

  it('are marked at whole hours of the wall clock, on the day that has 25 too', () => {
    inZone('Europe/Berlin');
    const day = dayOf(Date.parse('2026-10-25T12:00:00+01:00'));
    expect(labels(day.fromMs, day.toMs, 1_200)).toEqual([
      '2026-10-25',
      '02:00',
      '02:00',
      '04:00',
      '06:00',
      '08:00',
      '10:00',
      '12:00',
      '14:00',
      '16:00',
      '18:00',
      '20:00',
      '22:00',
    ]);
  });

  it('leave out the hour that the clocks skip', () => {
    inZone('Europe/Berlin');
    const day = dayOf(Date.parse('2026-03-29T12:00:00+02:00'));
    const hours = labels(day.fromMs, day.toMs, 2_400);
    expect(hours.slice(0, 4)).toEqual(['2026-03-29', '01:00', '03:00', '04:00']);
    expect(hours).toHaveLength(23);
  });

  it('are marked at whole minutes where the zone is half an hour off', () => {
    inZone('Asia/Kolkata');
    const fromMs = Date.parse('2026-11-20T14:03:05+05:30');
    expect(labels(fromMs, fromMs + HOUR, 600)).toEqual(['14:10', '14:20', '14:30', '14:40', '14:50', '15:00']);
    expect(labels(fromMs, fromMs + 60_000, 500)).toEqual([
      '14:03:10',
      '14:03:20',
      '14:03:30',
      '14:03:40',
      '14:03:50',
      '14:04:00',
    ]);
  });
});

describe('the view of a timeline', () => {
  const view = { fromMs: 0, toMs: 10 * HOUR };

  it('keeps a moment in its place while it zooms, from a minute to a day', () => {
    const near = zoomed(view, 2, 4 * HOUR);
    expect(near).toEqual({ fromMs: 2 * HOUR, toMs: 7 * HOUR });
    expect(spanOf(zoomed(view, 1e9, HOUR))).toBe(SHORTEST_MS);
    expect(spanOf(zoomed(view, 1e-9, HOUR))).toBe(LONGEST_MS);
  });

  it('gives a moment its place and a place its moment', () => {
    expect(xOf(view, 5 * HOUR, 1_000)).toBe(500);
    expect(timeAt(view, 250, 1_000)).toBe(2.5 * HOUR);
    expect(timeAt(view, 0, 0)).toBe(0);
    expect(panned(view, -HOUR)).toEqual({ fromMs: -HOUR, toMs: 9 * HOUR });
  });

  it('stays while the position is in it, and moves on with it', () => {
    inZone('UTC');
    const hour = { fromMs: 14 * HOUR, toMs: 15 * HOUR };
    expect(following(hour, 14.5 * HOUR)).toBe(hour);
    const next = following(hour, 15 * HOUR);
    expect(next.fromMs).toBeGreaterThan(14.9 * HOUR);
    expect(spanOf(next)).toBe(HOUR);
    expect(following(dayOf(0), 24 * HOUR)).toEqual({ fromMs: 24 * HOUR, toMs: 48 * HOUR });
  });
});

describe('recordings', () => {
  const ranges = merged([
    { fromMs: 60_000, toMs: 90_000 },
    { fromMs: 0, toMs: 30_000 },
    { fromMs: 91_000, toMs: 120_000 },
    { fromMs: 10_000, toMs: 20_000 },
  ]);

  it('that overlap or nearly touch are one', () => {
    expect(ranges).toEqual([
      { fromMs: 0, toMs: 30_000 },
      { fromMs: 60_000, toMs: 120_000 },
    ]);
  });

  it('are jumped to by their starts', () => {
    expect(nextStart(ranges, 10_000)).toBe(60_000);
    expect(nextStart(ranges, 60_000)).toBeUndefined();
    expect(previousStart(ranges, 70_000)).toBe(60_000);
    expect(previousStart(ranges, 61_000)).toBe(0);
    expect(previousStart(ranges, 1_000)).toBeUndefined();
  });
});

describe('moments', () => {
  it('are written as yyyy-MM-dd HH:mm:ss with their zone', () => {
    inZone('America/St_Johns');
    const atMs = Date.parse('2026-01-02T03:04:05-03:30');
    expect(`${formatDateTime(atMs)} ${formatZone(atMs)}`).toBe('2026-01-02 03:04:05 UTC-3:30');
    inZone('UTC');
    expect(formatZone(atMs)).toBe('UTC');
  });

  it('are read as they are written, and as a time of the day that is shown', () => {
    inZone('Asia/Taipei');
    const shownMs = Date.parse('2026-11-20T22:00:00+08:00');
    const moment = Date.parse('2026-11-20T14:03:05+08:00');
    expect(parseDateTime(' 2026-11-20 14:03:05 ', shownMs)).toBe(moment);
    expect(parseDateTime('14:03:05', shownMs)).toBe(moment);
    expect(parseDateTime('9:30', shownMs)).toBe(Date.parse('2026-11-20T09:30:00+08:00'));
    expect(['', '25:00', 'noon', '2026-02-30 10:00:00'].map((text) => parseDateTime(text, shownMs))).toEqual(
      Array(4).fill(undefined),
    );
  });
});

describe('keys', () => {
  const press = (key: string, shiftKey = false, ctrlKey = false) =>
    playbackCommand({ key, shiftKey, ctrlKey, altKey: false, metaKey: false });

  it('are those of every editor', () => {
    expect(press(' ')).toEqual({ type: 'toggle' });
    expect(['j', 'k', 'l', 'L'].map((key) => press(key)?.type)).toEqual(['backward', 'pause', 'forward', 'forward']);
    expect(press('ArrowLeft')).toEqual({ type: 'seek', deltaMs: -5_000 });
    expect(press('ArrowRight', true)).toEqual({ type: 'seek', deltaMs: 60_000 });
    expect([press(','), press('.')]).toEqual([
      { type: 'step', frames: -1 },
      { type: 'step', frames: 1 },
    ]);
    expect([press('Home')?.type, press('End')?.type]).toEqual(['first', 'last']);
  });

  it('that are the browser’s, and digits do nothing', () => {
    expect([press('l', false, true), press('5'), press('Tab')]).toEqual([undefined, undefined, undefined]);
  });
});
