import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settledPictures, timePictures } from '../../../../../../server/recording/export/mp4/pictureTimes.ts';

const times = fc.array(fc.integer({ min: -1_000, max: 100_000 }), { maxLength: 200 });

/** Whether a picture is shown before another that is decoded at another place, by its wanted time. */
function ranks(shown: readonly number[]): number[] {
  return shown
    .map((time, place) => ({ time, place }))
    .sort((a, b) => a.time - b.time || a.place - b.place)
    .map(({ place }) => place);
}

const ANY = Number.POSITIVE_INFINITY;

describe('the times of pictures', () => {
  it('are those of showing where none is shown in another order', () => {
    const times = [0, 3_600, 7_200];
    expect(timePictures(times, { from: 0, delay: 0 })).toEqual({ decoded: times, shown: times, end: 7_201 });
  });

  it('give B pictures the moments of showing, in order, to be decoded at', () => {
    const shown = [0, 300, 100, 200];
    expect(timePictures(shown, { from: 0, delay: ANY })).toEqual({ decoded: [0, 100, 200, 300], shown, end: 301 });
    expect(timePictures(shown, { from: 0, delay: 100 }).decoded).toEqual([0, 100, 200, 300]);
  });

  it('are earlier where the mp4 has less delay than the order asks for', () => {
    const shown = [0, 300, 100, 200];
    expect(timePictures(shown, { from: 0, delay: 0 })).toEqual({ decoded: [0, 99, 100, 200], shown, end: 301 });
    expect(timePictures(shown, { from: 0, delay: 30 }).decoded).toEqual([0, 100, 130, 230]);
  });

  it('go on where the clock was set back, a unit a picture, until it has caught up', () => {
    const times = [100, 101, 102, 110];
    expect(timePictures([50, 60, 70, 110], { from: 100, delay: 0 })).toEqual({
      decoded: times,
      shown: times,
      end: 111,
    });
  });

  it('keep the order of B pictures where the clock was set back', () => {
    const shown = [100, 103, 101, 102];
    expect(timePictures([50, 80, 60, 70], { from: 100, delay: ANY })).toEqual({
      decoded: [100, 101, 102, 103],
      shown,
      end: 104,
    });
  });

  it('rise strictly, change no picture that can stay where it is, and keep the order of showing', () => {
    const bounds = fc.record({
      from: fc.integer({ min: 0, max: 50_000 }),
      delay: fc.oneof(fc.constant(ANY), fc.nat(5_000)),
    });
    fc.assert(
      fc.property(times, bounds, (wanted, { from, delay }) => {
        const { decoded, shown, end } = timePictures(wanted, { from, delay });
        expect(decoded).toHaveLength(wanted.length);
        expect(decoded.every((time, at) => time >= (at === 0 ? from : (decoded[at - 1] ?? 0) + 1))).toBe(true);
        expect(ranks(shown)).toEqual(ranks(wanted));
        expect(end).toBe(Math.max(from, ...shown.map((time) => time + 1)));
        if (new Set(wanted).size === wanted.length && Math.min(...wanted) >= from) expect(shown).toEqual(wanted);
        if (delay === ANY) expect([...shown].sort((a, b) => a - b)).toEqual(decoded);
      }),
    );
  });

  it('are never so late that a picture would be shown before, with any delay', () => {
    const apart = fc
      .uniqueArray(fc.integer({ min: 1, max: 1_000 }), { maxLength: 100 })
      .map((all) => [0, ...all.map((time) => time * 200)]);
    fc.assert(
      fc.property(apart, fc.nat(1_000), (wanted, delay) => {
        const { decoded, shown } = timePictures(wanted, { from: 0, delay });
        expect(shown).toEqual(wanted);
        expect(decoded.every((time, at) => time <= (shown[at] ?? 0) + delay)).toBe(true);
      }),
    );
  });
});

describe('a group that is too long', () => {
  it('is divided near its end where pictures are shown as they come', () => {
    expect(settledPictures(Array.from({ length: 100 }, (_, at) => at))).toBe(84);
  });

  it('is divided between what is shown together', () => {
    // Every fourth picture is shown after the three behind it.
    const wanted = Array.from({ length: 100 }, (_, at) => (at % 4 === 0 ? at + 3 : at - 1));
    expect(settledPictures(wanted)).toBe(84);
    expect(settledPictures(wanted.slice(0, 98))).toBe(80);
  });

  it('is not divided where nothing can be said', () => {
    expect(settledPictures([])).toBe(0);
    expect(settledPictures(Array.from({ length: 16 }, (_, at) => at))).toBe(0);
    expect(settledPictures(Array.from({ length: 100 }, (_, at) => -at))).toBe(0);
  });

  it('is divided so that all in front are shown before all behind', () => {
    fc.assert(
      fc.property(times, (wanted) => {
        const count = settledPictures(wanted);
        expect(count).toBeLessThanOrEqual(Math.max(0, wanted.length - 16));
        for (const before of wanted.slice(0, count))
          for (const behind of wanted.slice(count)) expect(before < behind).toBe(true);
      }),
    );
  });
});
