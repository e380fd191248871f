import { describe, expect, it } from 'vitest';
import { H264Normaliser } from '../../../../server/media/h264/normaliser.ts';
import { PresentationTimes, type StampMemory } from '../../../../server/media/presentationTimes.ts';
import { loadDemoClips } from '../../../../simulator/clip/loadClip.ts';

/** One group with two B pictures between others, in the order of decoding; each number is the place of showing. */
const PLACES = [0, 3, 1, 2, 6, 4, 5, 9, 7, 8];

interface Shape {
  readonly memory?: StampMemory;
  readonly counts?: number;
  readonly firstOrder?: number;
  readonly stampOf: (decoded: number, shown: number) => number;
}

/** The times of some groups, in milliseconds from each group's key frame. */
function timesOf(groups: number, { memory, counts = 2, firstOrder = 0, stampOf }: Shape): number[][] {
  const times = new PresentationTimes(memory);
  return Array.from({ length: groups }, (_, group) => {
    const startMs = group * PLACES.length * 40;
    return PLACES.map((shown, decoded) => {
      const stampUs = 1_000 * (startMs + stampOf(decoded, shown));
      const shiftUs = times.shiftUs({ isKey: decoded === 0, order: firstOrder + shown * counts, stampUs });
      return (stampUs + shiftUs) / 1_000 - startMs;
    });
  });
}

const inOrderOfShowing = PLACES.map((shown) => shown * 40);

describe('PresentationTimes', () => {
  it('leaves times alone at which pictures are shown', () => {
    const groups = timesOf(3, { stampOf: (_, shown) => shown * 40 });
    expect(groups).toEqual([inOrderOfShowing, inOrderOfShowing, inOrderOfShowing]);
  });

  it('turns times of decoding into times of showing, from the first B picture on', () => {
    const [first, ...rest] = timesOf(3, { stampOf: (decoded) => decoded * 40 });
    expect(first?.slice(2)).toEqual(inOrderOfShowing.slice(2));
    expect(rest).toEqual([inOrderOfShowing, inOrderOfShowing]);
  });

  it('knows it from the start where an earlier connection has shown it', () => {
    const memory = { areDecodingTimes: false };
    timesOf(1, { memory, stampOf: (decoded) => decoded * 40 });
    expect(memory.areDecodingTimes).toBe(true);
    expect(timesOf(1, { memory, stampOf: (decoded) => decoded * 40 })).toEqual([inOrderOfShowing]);
  });

  it('counts one for a picture where the stream does, and from where its key frame begins', () => {
    const [, second] = timesOf(2, { counts: 1, stampOf: (decoded) => decoded * 40 });
    expect(second).toEqual(inOrderOfShowing);
    const [, other] = timesOf(2, { firstOrder: 10, stampOf: (decoded) => decoded * 40 });
    expect(other).toEqual(inOrderOfShowing);
  });

  it('keeps the order of showing with stamps that are not quite regular', () => {
    const jitterMs = [0, 7, 3, 9, 1, 8, 2, 6, 4, 5];
    const [, second = []] = timesOf(2, { stampOf: (decoded) => decoded * 40 + (jitterMs[decoded] ?? 0) });
    const shown = PLACES.map((place, decoded) => ({ place, time: second[decoded] ?? 0 }));
    const ordered = [...shown].sort((left, right) => left.time - right.time).map(({ place }) => place);
    expect(ordered).toEqual(PLACES.map((_, place) => place));
  });

  it('lets no time fall below that of its key frame', () => {
    const times = new PresentationTimes();
    times.shiftUs({ isKey: true, stampUs: 1_000_000 });
    expect(times.shiftUs({ isKey: false, stampUs: 960_000 })).toBe(40_000);
    expect(times.shiftUs({ isKey: false, stampUs: 1_040_000 })).toBe(0);
  });

  it('does not believe a place that no decoder would wait for', () => {
    const times = new PresentationTimes({ areDecodingTimes: true });
    times.shiftUs({ isKey: true, order: 0, stampUs: 0 });
    expect(times.shiftUs({ isKey: false, order: 4_000, stampUs: 40_000 })).toBe(0);
  });
});

describe('the order of pictures as slice headers tell it', () => {
  const clips = loadDemoClips();

  it('is that in which a clip with B pictures is shown', async () => {
    const { frames, keyFrameInterval } = (await clips).cabin;
    const normaliser = new H264Normaliser();
    frames.slice(0, 4 * keyFrameInterval).forEach(({ bytes, shownAt }) => {
      expect(normaliser.push(bytes)?.order).toBe(2 * (shownAt % keyFrameInterval));
    });
  });

  it('is not asked where the set rules out another order', async () => {
    const normaliser = new H264Normaliser();
    expect((await clips).road.frames.slice(0, 100).map(({ bytes }) => normaliser.push(bytes)?.order)).toEqual(
      Array.from({ length: 100 }, () => undefined),
    );
  });
});

describe('groups that are open to the one before', () => {
  /** Places of showing in the order of decoding: each group begins with two pictures that are shown before its key frame. */
  const PLACES_OF_OPEN = [0, 3, 1, 2, 6, 4, 5, 9, 7, 8, 12, 10, 11, 15, 13, 14, 18, 16, 17];
  const KEYS = new Set([0, 9, 15]);
  const placeMs = (place: number): number => place * 40;

  interface OpenShape {
    readonly areDecodingTimes: boolean;
    readonly countOf?: (shown: number) => number;
  }

  function shownAt({ areDecodingTimes, countOf = (shown) => 2 * shown }: OpenShape): number[] {
    const times = new PresentationTimes({ areDecodingTimes });
    let keyShown = 0;
    return PLACES_OF_OPEN.map((shown, decoded) => {
      const isKey = KEYS.has(shown);
      if (isKey) keyShown = shown;
      const dependence = isKey && shown > 0 ? 'entry' : shown < keyShown ? 'leading' : undefined;
      const stampUs = 1_000 * placeMs(areDecodingTimes ? decoded : shown);
      const picture = { isKey, startsOrder: shown === 0, dependence, order: countOf(shown), stampUs } as const;
      return (stampUs + times.shiftUs(picture)) / 1_000;
    });
  }

  it('leave times alone at which pictures are shown, also those before the key frame', () => {
    expect(shownAt({ areDecodingTimes: false })).toEqual(PLACES_OF_OPEN.map(placeMs));
  });

  it('turn times of decoding into times of showing across key frames', () => {
    // How long a picture takes is known from the second step on.
    expect(shownAt({ areDecodingTimes: true }).slice(2)).toEqual(PLACES_OF_OPEN.slice(2).map(placeMs));
  });

  it('begin anew at a key frame when the count has gone astray', () => {
    const times = shownAt({ areDecodingTimes: true, countOf: (shown) => 2 * shown + (shown >= 7 ? 100 : 0) });
    const keyAt = PLACES_OF_OPEN.indexOf(9);
    expect(times.slice(keyAt, keyAt + 2)).toEqual([placeMs(keyAt), placeMs(keyAt - 2)]);
  });
});
