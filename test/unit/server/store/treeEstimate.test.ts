import { describe, expect, it } from 'vitest';
import { type TreeLevel, treeSize } from '../../../../server/store/system/sizes/treeEstimate.ts';

const level = (depth: number, kind: TreeLevel['kind'], pages: number, cells: number): TreeLevel => ({
  depth,
  kind,
  pages,
  cells,
});

describe('the size of a tree', () => {
  it('that was read whole is what was read', () => {
    const levels = [level(1, 'internal', 1, 2), level(2, 'leaf', 3, 30), level(2, 'overflow', 4, 0)];
    expect(treeSize({ levels, isCut: false, hasInnerEntries: false })).toEqual({ entries: 30, pages: 8 });
    expect(treeSize({ levels, isCut: false, hasInnerEntries: true })).toEqual({ entries: 32, pages: 8 });
    expect(treeSize({ levels: [], isCut: false, hasInnerEntries: false })).toEqual({ entries: 0, pages: 0 });
  });

  it('that was read in part is its root times what its first pages have', () => {
    // 10 pages below the root, each with 100 leaves; 50 of them were read, with 20 rows each and one more page for every fifth row.
    const levels = [
      level(1, 'internal', 1, 9),
      level(2, 'internal', 1, 99),
      level(3, 'leaf', 50, 1_000),
      level(3, 'overflow', 200, 0),
    ];
    expect(treeSize({ levels, isCut: true, hasInnerEntries: false })).toEqual({
      entries: 20_000,
      pages: 1 + 10 + 1_000 + 4_000,
    });
    expect(treeSize({ levels, isCut: true, hasInnerEntries: true }).entries).toBe(20_999);
  });
});
