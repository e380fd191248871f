import { describe, expect, it } from 'vitest';
import { GroupPlaces, hasShare, shareOf } from '../../../../server/limits/groupPlaces.ts';

const [FLOODING, QUIET, THIRD] = [1, 2, 3];

function placesOf(max: number, groups = 2) {
  const reached: string[] = [];
  const limit = { name: 'test.places.all', max };
  const places = new GroupPlaces({ limit, onLimit: ({ name }) => reached.push(name), groups: () => groups });
  const fill = (memberGroup: number): number => {
    let taken = 0;
    while (places.enter(memberGroup) !== undefined) taken++;
    return taken;
  };
  return { places, fill, reached };
}

describe('places that member groups share', () => {
  it('are never all taken by one of them', () => {
    const { places, fill, reached } = placesOf(20);
    expect(fill(FLOODING)).toBe(15);
    expect(reached).toEqual(['test.places.all']);
    expect(fill(QUIET)).toBe(4);
    expect(fill(THIRD)).toBe(1);
    expect([fill(FLOODING), fill(4), places.count]).toEqual([0, 0, 20]);
  });

  it('are all for the only one there is', () => {
    expect(placesOf(20, 1).fill(FLOODING)).toBe(20);
    expect(placesOf(20, 0).fill(0)).toBe(20);
  });

  it('are there again once they were given back, and once only', () => {
    const { places, fill } = placesOf(4);
    const leave = places.enter(FLOODING);
    expect(fill(FLOODING)).toBe(2);
    for (let again = 0; again < 3; again++) leave?.();
    expect([fill(FLOODING), places.count]).toEqual([1, 3]);
  });

  it('are one at least, as long as one is left', () => {
    expect(shareOf(1, { others: 0, groups: 2 })).toBe(1);
    expect(shareOf(2, { others: 1, groups: 2 })).toBe(1);
    expect(shareOf(2, { others: 2, groups: 9 })).toBe(0);
  });

  it('are counted from a list of those that are taken', () => {
    const taken = [FLOODING, FLOODING, FLOODING].map((memberGroup) => ({ memberGroup }));
    expect(hasShare(FLOODING, taken, { places: 4, groups: 2 })).toBe(false);
    expect(hasShare(FLOODING, taken, { places: 4, groups: 1 })).toBe(true);
    expect(hasShare(QUIET, taken, { places: 4, groups: 2 })).toBe(true);
    expect(hasShare(QUIET, [...taken, { memberGroup: QUIET }], { places: 4, groups: 2 })).toBe(false);
  });
});
