import { describe, expect, it } from 'vitest';
import { compareRows, MAX_NAMES, nameList, vanishingRows } from '../../../../../server/backup/restore/compareKeys.ts';

const rows = (...ids: (number | string)[]) => ids.map((id) => ({ id, name: `n${id}` }));

describe('rows of two databases', () => {
  it('are told apart by their keys', () => {
    expect(compareRows(rows(1, 2, 3), rows(2, 3, 4, 5), ['id'])).toEqual({ added: 2, kept: 2, removed: 1 });
    expect(vanishingRows(rows(1, 2, 3), rows(2, 3, 4), ['id'])).toEqual(rows(1));
  });

  it('are the same whether the engine gives a number or its digits', () => {
    expect(compareRows(rows(1), rows('1'), ['id'])).toEqual({ added: 0, kept: 1, removed: 0 });
  });

  it('have keys of several columns, whose values do not run into one another', () => {
    const now = [{ a: 'x,y', b: 'z' }];
    expect(compareRows(now, [{ a: 'x', b: 'y,z' }], ['a', 'b'])).toEqual({ added: 1, kept: 0, removed: 1 });
  });
});

it('a list of names is bounded and says how many there are', () => {
  const names = Array.from({ length: MAX_NAMES + 5 }, (_, at) => `m${at}`);
  const list = nameList(names);
  expect(list.count).toBe(MAX_NAMES + 5);
  expect(list.names).toHaveLength(MAX_NAMES);
  expect(nameList(['b', 'a'])).toEqual({ names: ['a', 'b'], count: 2 });
});
