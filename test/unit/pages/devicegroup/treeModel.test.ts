import { describe, expect, it } from 'vitest';
import {
  dropPlace,
  groupPaths,
  rowTyped,
  stepPlace,
  treeRows,
  zoneAt,
} from '../../../../pages/innerpage/devicegroup/tree/treeModel.ts';
import type { GroupNode } from '../../../../shared/protocol/api/deviceGroups.ts';

const node = (id: number, parent: number | null, devices = 1): GroupNode => ({
  id,
  name: `G${id}`,
  parent,
  version: 1,
  devices,
  owned: true,
});
// 1 > (2 > 3, 4), 5
const GROUPS = [node(1, null), node(5, null), node(2, 1), node(4, 1), node(3, 2)];
const TREE = { memberGroup: null, groups: GROUPS, ungrouped: 2 };
const NONE: ReadonlySet<number> = new Set();
const group = (id: number): GroupNode => GROUPS.find((each) => each.id === id) ?? node(id, null);

describe('the rows of the tree', () => {
  it('stand from the top down, with all devices first and those in no group last', () => {
    const rows = treeRows(TREE, NONE).map(({ id, level, devices }) => [id, level, devices]);
    expect(rows).toEqual([
      ['all', 1, 7],
      [1, 1, 4],
      [2, 2, 2],
      [3, 3, 1],
      [4, 2, 1],
      [5, 1, 1],
      ['none', 1, 2],
    ]);
  });

  it('leave out what lies in a closed group, and still count it', () => {
    const rows = treeRows({ ...TREE, ungrouped: 0 }, new Set([1]));
    expect(rows.map(({ id, devices, isOpen }) => [id, devices, isOpen])).toEqual([
      ['all', 5, false],
      [1, 4, false],
      [5, 1, false],
    ]);
  });

  it('know their place among their like', () => {
    const places = treeRows(TREE, NONE).map(({ id, place, count }) => [id, place, count]);
    expect(places).toEqual([
      ['all', 1, 4],
      [1, 2, 4],
      [2, 1, 2],
      [3, 1, 1],
      [4, 2, 2],
      [5, 3, 4],
      ['none', 4, 4],
    ]);
  });

  it('have paths in the same order', () => {
    expect(groupPaths(GROUPS).map(({ path }) => path)).toEqual(['G1', 'G1 / G2', 'G1 / G2 / G3', 'G1 / G4', 'G5']);
  });
});

describe('a step by keyboard', () => {
  it.each([
    [4, 'up', { parent: 1, before: 2 }],
    [2, 'down', { parent: 1, before: null }],
    [4, 'in', { parent: 2, before: null }],
    [3, 'out', { parent: 1, before: 4 }],
    [4, 'out', { parent: null, before: 5 }],
    [2, 'up', undefined],
    [5, 'down', undefined],
    [2, 'in', undefined],
    [1, 'out', undefined],
  ] as const)('takes %i %s', (id, step, place) => {
    expect(stepPlace(GROUPS, group(id), step)).toEqual(place);
  });
});

describe('a drop', () => {
  it.each([
    [5, 2, 'into', { parent: 2, before: null }],
    [5, 2, 'before', { parent: 1, before: 2 }],
    [3, 'all', 'into', { parent: null, before: null }],
    [1, 3, 'into', undefined],
    [1, 1, 'before', undefined],
    [3, 2, 'into', undefined],
    [1, 'all', 'into', { parent: null, before: null }],
    [5, 'all', 'into', undefined],
    [2, 1, 'into', { parent: 1, before: null }],
    [4, 1, 'into', undefined],
    [2, 4, 'before', undefined],
    [4, 2, 'before', { parent: 1, before: 2 }],
    [1, 'none', 'into', undefined],
  ] as const)('of %i on %s, %s', (dragged, over, zone, place) => {
    expect(dropPlace(GROUPS, dragged, { over, zone })).toEqual(place);
  });

  it('on the upper part of a row means before it', () => {
    expect(zoneAt(105, { top: 100, height: 36 })).toBe('before');
    expect(zoneAt(118, { top: 100, height: 36 })).toBe('into');
  });
});

describe('typing a name', () => {
  const names = ['All', 'North', 'Depot', 'Nuuk', 'north yard'];
  const typed = (at: number, text: string) => rowTyped(names, at, text, (name) => name);

  it.each([
    [0, 'n', 1],
    [1, 'n', 3],
    [4, 'n', 1],
    [1, 'no', 1],
    [3, 'no', 4],
    [0, 'NUU', 3],
    [0, 'x', undefined],
  ])('from row %i on: %s', (at, text, found) => {
    expect(typed(at, text)).toBe(found);
  });
});
