import { describe, expect, it } from 'vitest';
import { MediaClock } from '../../../../../server/device/jt1078/mediaClock.ts';

const DATE_MS = Date.UTC(2026, 10, 20);

describe('MediaClock', () => {
  it('follows the time stamps, not the arrival', () => {
    const clock = new MediaClock();
    const times = [0, 40, 80, 81].map((stampMs, index) => clock.stamp(stampMs, 1_000 + index * 7).mediaTimeUs);
    expect(times).toEqual([0, 40_000, 80_000, 81_000]);
  });

  it('takes a stamp for the date only when it is one', () => {
    expect(new MediaClock().stamp(123_456, 0).deviceTimeMs).toBe(0);
    expect(new MediaClock().stamp(DATE_MS, 0).deviceTimeMs).toBe(DATE_MS);
  });

  it.each([
    ['back', -3_600_000],
    ['back by seconds', -3_000],
    ['ahead', 3_600_000],
  ])('goes on by arrival when the terminal sets its clock %s', (_direction, stepMs) => {
    const clock = new MediaClock();
    clock.stamp(DATE_MS, 1_000);
    const after = clock.stamp(DATE_MS + stepMs, 1_040);
    expect(after.jumped).toBe(true);
    expect(after.mediaTimeUs).toBe(40_000);
    expect(clock.stamp(DATE_MS + stepMs + 40, 1_080)).toMatchObject({ jumped: false, mediaTimeUs: 80_000 });
  });

  it('takes a pause of the stream for what it is, however long', () => {
    const clock = new MediaClock();
    const times = [0, 10_000, 20_000, 20_040].map((stampMs) => clock.stamp(DATE_MS + stampMs, stampMs + 300));
    expect(times.map(({ mediaTimeUs }) => mediaTimeUs / 1000)).toEqual([0, 10_000, 20_000, 20_040]);
    expect(times.some(({ jumped }) => jumped)).toBe(false);
  });

  it('lets audio and video of one moment share a stamp', () => {
    const clock = new MediaClock();
    clock.stamp(0, 0);
    clock.stamp(40, 40);
    expect(clock.stamp(40, 45).mediaTimeUs).toBe(40_000);
  });

  it('goes by arrival when the stamps never move', () => {
    const clock = new MediaClock();
    let last = 0;
    for (let frame = 0; frame < 50; frame++) last = clock.stamp(0, frame * 40).mediaTimeUs;
    expect(last).toBeGreaterThan(1_500_000);
    expect(clock.stamp(0, 2_040).mediaTimeUs - last).toBeGreaterThan(0);
  });

  it('lets pictures come in another order than they are shown in', () => {
    const clock = new MediaClock();
    const times = [0, 120, 40, 80, 240].map((stampMs, index) => clock.stamp(stampMs, index * 40));
    expect(times.map((time) => time.mediaTimeUs)).toEqual([0, 120_000, 40_000, 80_000, 240_000]);
    expect(times.some((time) => time.jumped)).toBe(false);
  });

  it('lays sound and picture together where they have clocks of their own', () => {
    const clock = new MediaClock();
    clock.stamp(DATE_MS, 1_000, 'video');
    expect(clock.stamp(700, 1_020, 'audio')).toMatchObject({ jumped: false, mediaTimeUs: 20_000 });
    expect(clock.stamp(DATE_MS + 40, 1_040, 'video')).toMatchObject({ jumped: false, mediaTimeUs: 40_000 });
    expect(clock.stamp(740, 1_060, 'audio')).toMatchObject({ jumped: false, mediaTimeUs: 60_000 });
  });

  it('keeps sound and picture together when their common clock is set', () => {
    const clock = new MediaClock();
    clock.stamp(DATE_MS, 0, 'video');
    clock.stamp(DATE_MS + 10, 10, 'audio');
    const picture = clock.stamp(DATE_MS + 3_600_040, 40, 'video');
    const sound = clock.stamp(DATE_MS + 3_600_050, 55, 'audio');
    expect(sound.mediaTimeUs - picture.mediaTimeUs).toBe(10_000);
  });

  it('goes on when the common clock is set back by seconds, whichever of the two says so first', () => {
    const clock = new MediaClock();
    clock.stamp(DATE_MS, 0, 'video');
    clock.stamp(DATE_MS + 10, 10, 'audio');
    const picture = clock.stamp(DATE_MS - 2_960, 40, 'video');
    const sound = clock.stamp(DATE_MS - 2_950, 55, 'audio');
    expect([picture.mediaTimeUs, sound.mediaTimeUs]).toEqual([40_000, 50_000]);
  });
});
