import { describe, expect, it } from 'vitest';
import { bytesToGive, filesToDrop } from '../../../../server/limits/makeRoom.ts';

const file = (name: string, memberGroup: number, bytes: number) => ({ name, memberGroup, bytes });
const dropped = (files: readonly ReturnType<typeof file>[], maxBytes: number) =>
  filesToDrop(files, maxBytes).map(({ name }) => name);

describe('making room in a bound that member groups share', () => {
  it('takes nothing while all fit', () => {
    expect(dropped([file('a', 1, 5), file('b', 2, 5)], 10)).toEqual([]);
    expect(dropped([], 0)).toEqual([]);
  });

  it('takes the oldest of the group that has the most, and not the oldest of all', () => {
    const files = [file('old', 2, 10), file('a', 1, 40), file('b', 1, 30), file('c', 1, 30)];
    expect(dropped(files, 70)).toEqual(['a']);
    expect(dropped(files, 40)).toEqual(['a', 'b']);
  });

  it('takes from several groups once they have as much, and ends where only empty files are left', () => {
    const files = [file('a', 1, 10), file('b', 2, 10), file('c', 1, 10), file('d', 2, 10)];
    expect(dropped(files, 20).toSorted()).toEqual(['a', 'b']);
    expect(dropped([file('a', 1, 0)], -1)).toEqual(['a']);
  });
});

describe('what groups give of a room that all of them share', () => {
  const give = (used: Readonly<Record<number, number>>, bytes: number) => [
    ...bytesToGive(new Map(Object.entries(used).map(([group, own]) => [Number(group), own])), bytes),
  ];

  it('comes from those that have the most, down to a common level', () => {
    expect(give({ 1: 100, 2: 700, 3: 200 }, 300)).toEqual([[2, 300]]);
    expect(give({ 1: 100, 2: 700, 3: 600 }, 300)).toEqual([
      [2, 200],
      [3, 100],
    ]);
    expect(give({ 1: 100, 2: 100 }, 50)).toEqual([
      [1, 25],
      [2, 25],
    ]);
  });

  it('is all that there is where more is wanted', () => {
    expect(give({ 1: 100, 2: 50 }, 999)).toEqual([
      [1, 100],
      [2, 50],
    ]);
    expect(give({}, 10)).toEqual([]);
  });
});
