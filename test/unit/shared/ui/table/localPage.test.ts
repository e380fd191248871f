import { describe, expect, test } from 'vitest';
import type { ListPlace, ListQuery } from '../../../../../shared/api/list.ts';
import { type LocalList, localPage } from '../../../../../shared/ui/table/localPage.ts';

interface Row {
  readonly key: string;
  readonly group: string;
}

const rows: readonly Row[] = ['d', 'b', 'a', 'e', 'c'].map((key, index) => ({ key, group: index < 2 ? 'x' : 'y' }));

const list: LocalList<Row> = {
  rows,
  keyOf: ({ key }) => key,
  texts: ({ key, group }) => [`Name ${key}`, group],
  matches: (row, { group }) => group === undefined || group === row.group,
  orders: { key: (left, right) => (left.key < right.key ? -1 : 1) },
};

const page = (place: ListPlace, query: Partial<ListQuery> = {}) =>
  localPage(list, { place, limit: 2, sort: 'key', ...query });
const keysAt = (place: ListPlace, query?: Partial<ListQuery>) => page(place, query).rows.map(({ key }) => key);

describe('a page of a list that the page has whole', () => {
  test('is walked forward and back by cursors', () => {
    const first = page({ offset: 0 });
    expect(first).toMatchObject({ total: 5, hasMoreThanTotal: false, next: 'b', previous: null });
    const second = page({ after: 'b' });
    expect(second).toMatchObject({ rows: [{ key: 'c' }, { key: 'd' }], next: 'd', previous: 'c' });
    expect(page({ after: 'd' })).toMatchObject({ rows: [{ key: 'e' }], next: null, previous: 'e' });
    expect(keysAt({ before: 'e' })).toEqual(['c', 'd']);
    expect(keysAt({ before: 'b' })).toEqual(['a', 'b']);
  });

  test('begins anew where the cursor is gone', () => {
    expect(keysAt({ after: 'gone' })).toEqual(['a', 'b']);
    expect(keysAt({ before: 'gone' })).toEqual(['a', 'b']);
    expect(keysAt({ start: 7 })).toEqual(['a', 'b']);
  });

  test('is empty beyond the end, with nothing before or behind it', () => {
    expect(page({ offset: 8 })).toEqual({ total: 5, hasMoreThanTotal: false, rows: [], next: null, previous: null });
  });

  test('is sorted both ways, and left alone in an order that is not known', () => {
    expect(keysAt({ offset: 0 }, { descending: true })).toEqual(['e', 'd']);
    expect(keysAt({ offset: 0 }, { sort: 'none' })).toEqual(['d', 'b']);
    expect(rows.map(({ key }) => key)).toEqual(['d', 'b', 'a', 'e', 'c']);
  });

  test('finds every word in any of the texts, whatever its case and width', () => {
    expect(keysAt({ offset: 0 }, { search: ' Ｎame Y ', limit: 9 })).toEqual(['a', 'c', 'e']);
    expect(keysAt({ offset: 0 }, { search: 'name d x' })).toEqual(['d']);
    expect(page({ offset: 0 }, { search: 'name d y' }).total).toBe(0);
  });

  test('counts only what the filters leave', () => {
    expect(page({ offset: 0 }, { filters: { group: 'x' } })).toMatchObject({ total: 2, next: null });
  });
});
