import { describe, expect, it } from 'vitest';
import { dragMeaning } from '../../../../pages/innerpage/gpsplayback/chart/dragRange.ts';
import { reportedMetrics, valueAt } from '../../../../pages/innerpage/gpsplayback/chart/metrics.ts';
import { axisTicks } from '../../../../pages/innerpage/gpsplayback/slider/axisTicks.ts';
import {
  momentAt,
  shareOf,
  shownRange,
  viewWith,
  zoomedBy,
  zoomedTo,
} from '../../../../pages/innerpage/gpsplayback/slider/sliderScale.ts';
import { trackChart } from '../../../support/trackAnswers.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WHOLE = { fromMs: 0, toMs: 24 * HOUR_MS };

describe('the slider', () => {
  it('has each moment at its share, and back', () => {
    expect(shareOf(WHOLE, 6 * HOUR_MS)).toBe(0.25);
    expect([momentAt(WHOLE, 0.25), momentAt(WHOLE, -1), momentAt(WHOLE, 2)]).toEqual([6 * HOUR_MS, 0, 24 * HOUR_MS]);
    expect(shareOf({ fromMs: 5, toMs: 5 }, 5)).toBe(0);
  });

  it('shows what is in sight of a stretch, however short', () => {
    expect(shownRange(WHOLE, { fromMs: -HOUR_MS, toMs: 12 * HOUR_MS })).toEqual({ left: 0, width: 50 });
    expect(shownRange(WHOLE, { fromMs: 12 * HOUR_MS, toMs: 12 * HOUR_MS + 1 })?.width).toBeGreaterThan(0.1);
    expect(shownRange(WHOLE, { fromMs: 24 * HOUR_MS, toMs: 25 * HOUR_MS })).toBeUndefined();
  });

  it('zooms around a moment, within the whole and to no less than a minute', () => {
    const closer = zoomedBy(WHOLE, WHOLE, 2, 18 * HOUR_MS);
    expect(closer).toEqual({ fromMs: 9 * HOUR_MS, toMs: 21 * HOUR_MS });
    expect(zoomedBy(WHOLE, closer, 0.25, 18 * HOUR_MS)).toBe(WHOLE);
    expect(zoomedTo(WHOLE, { fromMs: 5, toMs: 6 })).toEqual({ fromMs: 0, toMs: MINUTE_MS });
  });

  it('takes a zoomed stretch along with the clock', () => {
    const view = { fromMs: HOUR_MS, toMs: 2 * HOUR_MS };
    expect(viewWith(WHOLE, view, 1.5 * HOUR_MS)).toBe(view);
    expect(viewWith(WHOLE, view, 2 * HOUR_MS + 1).fromMs).toBe(Math.round(2 * HOUR_MS + 1 - 6 * MINUTE_MS));
    expect(viewWith(WHOLE, view, 0)).toEqual({ fromMs: 0, toMs: HOUR_MS });
  });

  it('has marks at whole steps of the reader’s clock', () => {
    const fromMs = Date.UTC(2026, 10, 24, 16);
    const ticks = axisTicks({ fromMs, toMs: fromMs + 24 * HOUR_MS }, 'Asia/Taipei', 12);
    expect(ticks.slice(0, 3).map(({ label }) => label)).toEqual(['11-25', '02:00', '04:00']);
    const month = axisTicks({ fromMs, toMs: fromMs + 31 * 24 * HOUR_MS }, 'Asia/Taipei', 12);
    expect(month.map(({ label }) => label)).toContain('12-03');
    expect(month.length).toBeLessThanOrEqual(13);
  });
});

describe('a press on the chart', () => {
  const start = { share: 0.5, clientX: 100 };

  it('sets the clock, or zooms to what it was dragged over in either direction', () => {
    expect(dragMeaning(start, { share: 0.51, clientX: 103 }, WHOLE)).toEqual({
      kind: 'seek',
      atMs: 0.51 * 24 * HOUR_MS,
    });
    const range = { fromMs: 6 * HOUR_MS, toMs: 12 * HOUR_MS };
    expect(dragMeaning(start, { share: 0.25, clientX: 50 }, WHOLE)).toEqual({ kind: 'zoom', range });
  });
});

describe('the chart', () => {
  it('offers what was reported, and says it of a moment', () => {
    const chart = trackChart(1_000, 100);
    expect(reportedMetrics(chart)).toEqual(['speed', 'fuel', 'ignition']);
    expect([999, 1_000, 1_199, 1_200, 1_400].map((at) => valueAt(chart, 'speed', at))).toEqual([
      null,
      10,
      40,
      60,
      null,
    ]);
  });
});
