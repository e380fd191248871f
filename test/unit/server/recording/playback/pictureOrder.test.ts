import { describe, expect, test } from 'vitest';
import { duePictures, type OrderedPicture, shownIndex } from '../../../../../server/recording/playback/pictureOrder.ts';

/** Pictures in decoding order by the place at which each is shown, the first one a key frame. */
function group(...places: number[]): OrderedPicture[] {
  return places.map((place, index) => ({ isKey: index === 0, timeUs: place * 40_000 }));
}

const atPlace = (place: number): number => place * 40_000;
const due = (pictures: readonly OrderedPicture[], place: number) => duePictures(pictures, atPlace(place), -Infinity);

describe('pictures that are sent in the order they are shown in', () => {
  const pictures = group(0, 1, 2, 3, 4, 5, 6);

  test('go out up to the newest at or before the moment', () => {
    expect(due(pictures, 3)).toEqual({ count: 4, isComplete: true });
    expect(due(pictures, 3.5)).toEqual({ count: 4, isComplete: true });
  });

  test('go out all when the moment lies behind them, with more to be looked at', () => {
    expect(due(pictures, 6)).toEqual({ count: 7, isComplete: false });
  });

  test('go out not at all when the group begins later', () => {
    expect(due(group(9, 10), 3)).toEqual({ count: 0, isComplete: true });
  });

  test('stop before the key frame of a later group', () => {
    expect(due([...group(0, 1), ...group(2, 3)], 1)).toEqual({ count: 2, isComplete: true });
  });
});

describe('pictures with B frames', () => {
  // Two B pictures between references: shown as I B B P B B P.
  const pictures = group(0, 3, 1, 2, 6, 4, 5, 9, 7, 8);

  test('take the reference along that the picture of the moment needs', () => {
    expect(due(pictures, 2)).toEqual({ count: 4, isComplete: true });
    expect(due(pictures, 1)).toEqual({ count: 3, isComplete: true });
    expect(due(pictures, 5)).toEqual({ count: 7, isComplete: true });
  });

  test('leave out a reference that nothing due needs', () => {
    expect(due(pictures, 3)).toEqual({ count: 4, isComplete: true });
    expect(due(pictures, 0)).toEqual({ count: 1, isComplete: true });
  });

  test('are found behind one another in a pyramid', () => {
    expect(due(group(0, 8, 4, 2, 1, 3, 6, 5, 7, 16, 12), 3)).toEqual({ count: 6, isComplete: true });
  });

  test('go on behind a reference that was sent before', () => {
    expect(duePictures(pictures.slice(2), atPlace(2), atPlace(3))).toEqual({ count: 2, isComplete: true });
  });
});

describe.each(['entry', 'recovering'] as const)('a key frame that is %s, with leading pictures,', (dependence) => {
  const entry = (place: number): OrderedPicture => ({ ...at(place), isKey: true, dependence });
  const leading = (place: number): OrderedPicture => ({ ...at(place), dependence: 'leading' });
  const at = (place: number): OrderedPicture => ({ isKey: false, timeUs: atPlace(place) });
  const pictures = [...group(0, 1), entry(4), leading(2), leading(3), at(7), at(5)];

  test('goes out when a leading picture is due', () => {
    expect(due(pictures, 2)).toEqual({ count: 4, isComplete: true });
    expect(due(pictures, 3)).toEqual({ count: 5, isComplete: true });
    expect(due(pictures, 4)).toEqual({ count: 5, isComplete: false });
  });

  test('waits while none is due', () => {
    expect(due(pictures, 1)).toEqual({ count: 2, isComplete: true });
  });

  test('does not end what is due before its leading pictures are known', () => {
    expect(due(pictures.slice(0, 3), 1)).toEqual({ count: 2, isComplete: false });
    expect(due(pictures.slice(0, 4), 1)).toEqual({ count: 2, isComplete: false });
  });
});

describe('the picture on the screen', () => {
  const times = [0, 40, 80, 120];

  test.each([
    [-1, -1],
    [0, 0],
    [39, 0],
    [40, 1],
    [1_000, 3],
  ])('at %d is number %d', (at, index) => {
    expect(shownIndex(times, at)).toBe(index);
  });

  test('is none where nothing is recorded', () => {
    expect(shownIndex([], 5)).toBe(-1);
  });
});
