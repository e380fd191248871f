import { describe, expect, test } from 'vitest';
import { chosenRows, readListPage } from '../../../../../shared/api/list.ts';
import { FIRST_SET_UP, parseSetUp } from '../../../../../shared/ui/table/tableMemory.ts';
import {
  emptyTable,
  isNarrowed,
  listQueryOf,
  nextTable,
  pageInstead,
  type TableChoice,
} from '../../../../../shared/ui/table/tableState.ts';

const CHOICE: TableChoice = { page: 2, pageSize: 50, sorting: undefined, search: '', filters: {} };
const FAILURE = { ok: false, kind: 'network', message: 'Failed to fetch' } as const;

describe('what a table asks for', () => {
  test('is the rows in view, sorted and narrowed', () => {
    const sorting = { column: 'name', descending: true };
    expect(listQueryOf({ ...CHOICE, sorting, search: 'bus', filters: { state: 'online' } })).toEqual({
      ...{ offset: 100, limit: 50, sort: 'name', descending: true, search: 'bus', filters: { state: 'online' } },
    });
  });

  test('leaves out of the query what narrows nothing', () => {
    expect(chosenRows({ offset: 0, limit: 50, search: '  ', filters: { state: '', disabled: 0 } })).toEqual({
      ...{ sort: undefined, descending: undefined, search: undefined, disabled: 0 },
    });
    expect(chosenRows({ offset: 0, limit: 50, sort: 'name', descending: false, search: ' bus ' })).toMatchObject({
      ...{ sort: 'name', descending: undefined, search: 'bus' },
    });
    expect(chosenRows({ offset: 0, limit: 50, sort: 'name', descending: true }).descending).toBe(1);
  });

  test('is said to be narrowed when something was typed or chosen', () => {
    expect(isNarrowed(CHOICE)).toBe(false);
    expect(isNarrowed({ ...CHOICE, search: ' ' })).toBe(false);
    expect(isNarrowed({ ...CHOICE, filters: { state: '', group: undefined } })).toBe(false);
    expect(isNarrowed({ ...CHOICE, search: 'x' })).toBe(true);
    expect(isNarrowed({ ...CHOICE, filters: { group: 0 } })).toBe(true);
  });

  test('is the last page with rows, when the one in view has none left', () => {
    expect(pageInstead(0, 50, 0)).toBeUndefined();
    expect(pageInstead(1, 50, 51)).toBeUndefined();
    expect(pageInstead(1, 50, 50)).toBe(0);
    expect(pageInstead(9, 50, 101)).toBe(2);
  });
});

describe('what a table shows', () => {
  const known = nextTable(emptyTable<number>(), { type: 'answer', page: { total: 9, rows: [1, 2] } });

  test('stays while the same is asked again, without a sign of it', () => {
    expect(nextTable(known, { type: 'ask', isSame: true })).toBe(known);
  });

  test('is said to be loading when something else is asked', () => {
    expect(nextTable(known, { type: 'ask', isSame: false })).toMatchObject({
      isLoading: true,
      isKnown: false,
      rows: [1, 2],
    });
  });

  test('is kept when the gateway does not answer, with the reason, until it does', () => {
    const failed = nextTable(known, { type: 'fail', failure: FAILURE });
    expect(failed).toMatchObject({ rows: [1, 2], failure: FAILURE, isLoading: false });
    const requests = nextTable(failed, { type: 'ask', isSame: true });
    expect(requests).toMatchObject({ isLoading: true, failure: FAILURE });
    expect(nextTable(requests, { type: 'answer', page: { total: 0, rows: [] } }).failure).toBeUndefined();
  });
});

describe('a list as the gateway gives it', () => {
  const read = (row: unknown) => (typeof row === 'number' ? row : undefined);

  test('has its rows and how many there are in all', () => {
    expect(readListPage({ total: 7, rows: [1, 'x', 2] }, read)).toEqual({ total: 7, rows: [1, 2] });
  });

  test.each([undefined, null, 'x', [], { rows: 3 }])('is empty when it is %j', (data) => {
    expect(readListPage(data, read)).toEqual({ total: 0, rows: [] });
  });
});

describe('a remembered set-up', () => {
  test('is given back', () => {
    const setUp = { shown: { note: false }, widths: { note: 120 }, pageSize: 25 };
    expect(parseSetUp(JSON.stringify(setUp))).toEqual(setUp);
  });

  test.each([null, '', '{', '7', '{"pageSize":7,"shown":[1],"widths":{"a":"x","b":5,"c":99999}}'])(
    'that is %j is the first one',
    (stored) => {
      expect(parseSetUp(stored)).toEqual(FIRST_SET_UP);
    },
  );
});
