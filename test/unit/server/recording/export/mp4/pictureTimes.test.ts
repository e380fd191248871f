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

describe('the times of pictures', () => {
  it('are those of showing where none is shown in another order', () => {
    expect(timePictures([0, 3_600, 7_200], 0)).toEqual({ decoded: [0, 3_600, 7_200], shown: [0, 3_600, 7_200] });
  });

  it('give B pictures the moments of showing, in order, to be decoded at', () => {
    expect(timePictures([0, 300, 100, 200], 0)).toEqual({ decoded: [0, 100, 200, 300], shown: [0, 300, 100, 200] });
  });

  it('go on where the clock was set back, a unit a picture, until it has caught up', () => {
    expect(timePictures([50, 60, 70, 110], 100)).toEqual({
      decoded: [100, 101, 102, 110],
      shown: [100, 101, 102, 110],
    });
  });

  it('keep the order of B pictures where the clock was set back', () => {
    expect(timePictures([50, 80, 60, 70], 100)).toEqual({ decoded: [100, 101, 102, 103], shown: [100, 103, 101, 102] });
  });

  it('rise strictly, change no picture that can stay where it is, and keep the order of showing', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 50_000 }), (wanted, from) => {
        const { decoded, shown } = timePictures(wanted, from);
        expect(decoded).toHaveLength(wanted.length);
        expect(decoded.every((time, at) => time >= (at === 0 ? from : (decoded[at - 1] ?? 0) + 1))).toBe(true);
        expect(ranks(shown)).toEqual(ranks(wanted));
        expect([...shown].sort((a, b) => a - b)).toEqual(decoded);
        if (new Set(wanted).size === wanted.length && Math.min(...wanted) >= from) expect(shown).toEqual(wanted);
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
