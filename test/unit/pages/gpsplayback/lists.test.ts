import { describe, expect, it } from 'vitest';
import { deviceChoices } from '../../../../pages/innerpage/gpsplayback/devices/deviceChoices.ts';
import { distanceText, durationText, placeText } from '../../../../pages/innerpage/gpsplayback/lists/durationText.ts';
import { tripMoment } from '../../../../pages/innerpage/gpsplayback/lists/listedMoments.tsx';
import {
  MAX_POINT_ROWS,
  type PointsPlace,
  PointWindow,
  rowAt,
} from '../../../../pages/innerpage/gpsplayback/lists/pointWindow.ts';
import { courseOf, shownOffsetMs } from '../../../../pages/innerpage/gpsplayback/tracks/loadedTrack.ts';
import { NearLine } from '../../../../pages/innerpage/gpsplayback/tracks/nearLine.ts';
import {
  recordedRanges,
  shownChannels,
  videoStateAt,
} from '../../../../pages/innerpage/gpsplayback/video/videoState.ts';
import { DEVICE_DEFAULTS } from '../../../../shared/live/readMessage.ts';
import { trackLine, trackPoint, trackStop, trackSummary, trip } from '../../../support/trackAnswers.ts';
import { waitFor } from '../../../support/waitFor.ts';

const HOUR_MS = 3_600_000;

describe('texts', () => {
  it('are lengths that every language reads the same', () => {
    expect([0, 59_400, 3_599_000, 36_061_000].map(durationText)).toEqual(['00:00', '00:59', '59:59', '10:01:01']);
    expect(distanceText(12_340)).toBe('12.3 km');
    expect([placeText('Depot', 1, 2), placeText('', 25, 121.5)]).toEqual(['Depot', '25.00000, 121.50000']);
  });
});

it('a trip whose odometer says something else than its track says so', () => {
  const texts = { zone: 'UTC', underWay: '', odometerDiffers: 'odometer differs', withPictures: '' };
  const details = (part: object) =>
    tripMoment(trip({ metres: 25_000, ...part }), { ...texts, upTo: String, engineOn: String }).details;
  expect(details({ isOdometer: false, odometerDiffers: true })).toContain('25.0 km (odometer differs) ·');
  expect(details({ odometerDiffers: false })).toContain('25.0 km ·');
});

describe('the devices to choose from', () => {
  const devices = ['Bus 10', 'Bus 9', 'Van'].map((name) => ({
    ...DEVICE_DEFAULTS,
    id: name,
    name,
    plate: 'KAA',
    group: 1,
  }));

  it('are those looked at last, then the others by name', () => {
    const ids = (filter: object) =>
      deviceChoices(devices, { search: '', group: 0, recent: ['Van', 'gone'], ...filter }).map(({ id }) => id);
    expect(ids({})).toEqual(['Van', 'Bus 9', 'Bus 10']);
    expect(ids({ search: 'ＢＵＳ 1' })).toEqual(['Bus 10']);
    expect(ids({ group: 2 })).toEqual([]);
  });
});

describe('the rows around the clock', () => {
  const PAGE = 500;
  /** A position each second, from 0 to 9,999 s. */
  function positions() {
    const asked: PointsPlace[] = [];
    const window = new PointWindow(async (place) => {
      asked.push(place);
      const last = (to: string) => Number(to) - PAGE;
      const from =
        'at' in place ? Math.floor(place.at / 1_000) : 'after' in place ? Number(place.after) : last(place.before);
      const rows = Array.from({ length: PAGE }, (_each, at) => trackPoint((from + at) * 1_000));
      return {
        ok: true,
        value: {
          rows,
          next: from + PAGE < 10_000 ? String(from + PAGE) : null,
          previous: from > 0 ? String(from) : null,
        },
      };
    });
    return { asked, window };
  }

  it('are asked for once, and again when the clock leaves them', async () => {
    const { asked, window } = positions();
    window.follow(5_000_500);
    await waitFor('the rows', async () => window.shown.isKnown);
    expect(rowAt(window.shown, 5_001_000)).toBe(1);
    window.follow(5_400_000);
    expect(asked).toEqual([{ at: 5_000_500 }]);
    window.follow(6_000_000);
    await waitFor('other rows', async () => window.shown.moments[0] === 6_000_000);
  });

  it('are asked for one after the other, the latest moment last', async () => {
    const { asked, window } = positions();
    for (const atMs of [1_000, 2_000_000, 3_000_000]) window.follow(atMs);
    await waitFor('the last rows', async () => window.shown.moments[0] === 3_000_000);
    expect(asked).toEqual([{ at: 1_000 }, { at: 3_000_000 }]);
  });

  it('are never more than it holds, in either direction', async () => {
    const { window } = positions();
    window.follow(5_000_000);
    await waitFor('rows', async () => window.shown.isKnown);
    for (let page = 0; page < 8; page++) {
      const before = window.shown;
      window.more('after');
      await waitFor('more rows', async () => window.shown !== before);
    }
    expect(window.shown.rows).toHaveLength(MAX_POINT_ROWS);
    expect(window.shown.moments.at(-1)).toBe((5_000 + 9 * PAGE - 1) * 1_000);
    expect(window.shown.added).toBe(-PAGE);
  });

  it('are not asked for again and again when they can not be had', async () => {
    let calls = 0;
    const window = new PointWindow(async () => {
      calls++;
      return { ok: false, kind: 'network', message: 'gone' };
    });
    window.follow(0);
    await waitFor('the failure', async () => window.shown.failure !== undefined);
    window.follow(9);
    expect(calls).toBe(1);
    window.close();
    window.close();
  });
});

describe('the points around the clock', () => {
  it('are loaded by the hour, the next one ahead of time, and the oldest are given up', async () => {
    const asked: number[] = [];
    const dropped: number[] = [];
    const near = new NearLine(
      async ({ fromMs }, signal) => {
        asked.push(Math.round(fromMs / HOUR_MS));
        signal.addEventListener('abort', () => dropped.push(Math.round(fromMs / HOUR_MS)));
        return { ok: true, value: trackLine(fromMs, 3) };
      },
      () => undefined,
    );
    expect(near.around(10.2 * HOUR_MS)).toBeUndefined();
    await waitFor('the hour', async () => near.around(10.2 * HOUR_MS) !== undefined);
    near.around(10.7 * HOUR_MS);
    near.around(10.8 * HOUR_MS);
    expect(asked).toEqual([10, 11]);
    for (let hour = 12; hour < 18; hour++) near.around((hour + 0.1) * HOUR_MS);
    expect(dropped).toEqual([10, 11]);
    near.close();
    expect(dropped).toHaveLength(8);
  });
});

describe('what the clock skips', () => {
  const span = { fromMs: 0, toMs: 100 };
  const driven = (fromMs: number, toMs: number) =>
    trackSummary({ trips: [trip({ fromMs, toMs })], stops: [trackStop({ fromMs: toMs, toMs: 90 })] });

  it('is where no device moves', () => {
    expect(courseOf(span, [driven(10, 50)]).still).toEqual([
      { fromMs: 0, toMs: 10 },
      { fromMs: 50, toMs: 100 },
    ]);
    expect(courseOf(span, [driven(10, 50), driven(40, 70), undefined]).still).toEqual([
      { fromMs: 0, toMs: 10 },
      { fromMs: 70, toMs: 100 },
    ]);
  });

  it('is nothing where nothing moves at all', () => {
    expect(courseOf(span, [trackSummary()]).still).toEqual([]);
  });

  it('has the difference of the clocks where it is worth a word', () => {
    const clock = [
      { fromMs: 0, offsetMs: 420_000 },
      { fromMs: 50, offsetMs: 1_500 },
    ];
    expect([-5, 49, 50].map((atMs) => shownOffsetMs(clock, atMs))).toEqual([420_000, 420_000, undefined]);
    expect(shownOffsetMs([], 0)).toBeUndefined();
  });
});

describe('video', () => {
  const recordings = [
    { channel: 3, ranges: [{ fromMs: 0, toMs: 10 }] },
    { channel: 1, ranges: [{ fromMs: 5, toMs: 20 }] },
    { channel: 2, ranges: [] },
  ];

  it('is of channels that were recorded, as far as there is room', () => {
    expect(shownChannels([1, 2, 3, 4, 5, 6], recordings)).toEqual([1, 2, 3, 4]);
    expect(shownChannels([2, 4, 5, 6, 7, 3], recordings)).toEqual([2, 3, 4, 5]);
  });

  it('is on the server, on the device, or not recorded', () => {
    const recorded = recordedRanges(recordings, [1, 3]);
    expect(recorded).toEqual([{ fromMs: 0, toMs: 20 }]);
    const onDevice = { asked: [{ fromMs: 0, toMs: 100 }], ranges: [{ fromMs: 30, toMs: 40 }] };
    expect([10, 35, 50, 200].map((atMs) => videoStateAt(recorded, onDevice, atMs))).toEqual([
      'recorded',
      'device',
      'none',
      'unknown',
    ]);
    expect(videoStateAt(recorded, { asked: [], ranges: [] }, 30)).toBe('unknown');
  });
});
