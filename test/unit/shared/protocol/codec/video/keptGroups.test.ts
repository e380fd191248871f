import { describe, expect, it } from 'vitest';
import { KeptGroups } from '../../../../../../shared/protocol/codec/video/keptGroups.ts';
import { accessUnit, recoveryPoint, SliceType, sliceOf } from '../../../../../support/media/slices.ts';

const picture = accessUnit(sliceOf({ type: SliceType.P, frameNumber: 1, order: 2 }));
const entryBytes = accessUnit(recoveryPoint(3), sliceOf({ type: SliceType.P, frameNumber: 1, order: 2 }));

function setUp() {
  const groups = new KeptGroups<string>();
  const common = { key: false, discontinuity: false };
  return {
    groups,
    clean: (name: string) => groups.add(name, { ...common, key: true }, picture),
    entry: (name: string, discontinuity = false) =>
      groups.add(name, { key: true, discontinuity, dependence: 'recovering' }, entryBytes),
    next: (...names: string[]) => {
      for (const name of names) groups.add(name, common, picture);
    },
  };
}

describe('KeptGroups', () => {
  it('keeps what came since the last clean cut', () => {
    const { groups, clean, next } = setUp();
    next('lost');
    clean('a');
    next('b');
    clean('c');
    next('d');
    expect(groups.items()).toEqual(['c', 'd']);
  });

  it('keeps the group before one from which refresh begins, until that is right without it', () => {
    const { groups, clean, entry, next } = setUp();
    clean('a');
    next('b');
    entry('c');
    next('d', 'e');
    expect(groups.items()).toEqual(['a', 'b', 'c', 'd', 'e']);
    next('f');
    expect(groups.items()).toEqual(['c', 'd', 'e', 'f']);
    expect([groups.count, groups.bytes]).toEqual([4, entryBytes.length + 3 * picture.length]);
  });

  it('keeps as many groups as it takes where each is shorter than its recovery', () => {
    const { groups, entry, next } = setUp();
    entry('a', true);
    next('b');
    entry('c');
    next('d');
    expect(groups.items()).toEqual(['a', 'b', 'c', 'd']);
    // The first is right here, and the one behind it isn't.
    entry('e');
    next('f');
    expect(groups.items()).toEqual(['c', 'd', 'e', 'f']);
  });

  it('keeps nothing from before a loss', () => {
    const { groups, clean, entry, next } = setUp();
    clean('a');
    next('b');
    entry('c', true);
    next('d');
    expect(groups.items()).toEqual(['c', 'd']);
    expect(groups.hasEarlier).toBe(false);
  });

  it('counts what it drops', () => {
    const { groups, clean, entry, next } = setUp();
    clean('a');
    next('b');
    entry('c');
    groups.dropEarliest();
    expect([groups.items(), groups.count, groups.hasEarlier]).toEqual([['c'], 1, false]);
    expect(groups.bytes).toBe(entryBytes.length);
    groups.clear();
    expect([groups.items(), groups.count, groups.bytes]).toEqual([[], 0, 0]);
    next('d');
    expect(groups.items()).toEqual([]);
  });
});
