import { describe, expect, test } from 'vitest';
import { chosenRows } from '../../../../../shared/api/list.ts';
import { readRecord } from '../../../../../shared/api/readRecord.ts';
import { ListPageOf } from '../../../../../shared/protocol/api/lists.ts';
import { Id } from '../../../../../shared/protocol/api/records.ts';
import { FIRST_SET_UP, parseSetUp } from '../../../../../shared/ui/table/tableMemory.ts';
import { isNarrowed, jumpTo, listQueryOf, type TableChoice } from '../../../../../shared/ui/table/tableState.ts';

const CHOICE: TableChoice = { place: { offset: 100 }, pageSize: 50, sorting: undefined, search: '', filters: {} };

describe('what a table asks for', () => {
  test('is the rows in view, sorted and narrowed', () => {
    const sorting = { column: 'name', descending: true };
    expect(listQueryOf({ ...CHOICE, sorting, search: 'bus', filters: { state: 'online' } })).toEqual({
      place: { offset: 100 },
      limit: 50,
      sort: 'name',
      descending: true,
      search: 'bus',
      filters: { state: 'online' },
    });
  });

  test('leaves out of the query what narrows nothing', () => {
    expect(chosenRows({ search: '  ', filters: { state: '', disabled: 0 } })).toEqual({
      sort: undefined,
      descending: undefined,
      search: undefined,
      disabled: 0,
    });
    expect(chosenRows({ sort: 'name', descending: false, search: ' bus ' })).toMatchObject({
      sort: 'name',
      descending: undefined,
      search: 'bus',
    });
    expect(chosenRows({ sort: 'name', descending: true }).descending).toBe(1);
  });

  test('is said to be narrowed when something was typed or chosen', () => {
    expect(isNarrowed(CHOICE)).toBe(false);
    expect(isNarrowed({ ...CHOICE, search: ' ' })).toBe(false);
    expect(isNarrowed({ ...CHOICE, filters: { state: '', group: undefined } })).toBe(false);
    expect(isNarrowed({ ...CHOICE, search: 'x' })).toBe(true);
    expect(isNarrowed({ ...CHOICE, filters: { group: 0 } })).toBe(true);
  });
});

describe('a jump to a day', () => {
  const NEWEST = { column: 'at', descending: true };
  const OLDEST = { column: 'at', descending: false };

  test('begins with its last moment in the newest first, with its first in the oldest, in the zone of the user', () => {
    const newest = jumpTo('2026-08-01', NEWEST, 'Asia/Taipei');
    expect(newest).toEqual({ day: '2026-08-01', startMs: Date.UTC(2026, 7, 1, 16) - 1 });
    expect(jumpTo('2026-08-01', OLDEST, 'Asia/Taipei')?.startMs).toBe(Date.UTC(2026, 6, 31, 16));
  });

  test('leads nowhere from what is no day, and not before the clock began', () => {
    expect(jumpTo('', NEWEST, 'UTC')).toBeUndefined();
    expect(jumpTo('2026-02-30', OLDEST, 'UTC')).toBeUndefined();
    expect(jumpTo('1970-01-01', OLDEST, 'Asia/Taipei')?.startMs).toBe(0);
  });
});

describe('a list as the gateway gives it', () => {
  const read = (data: unknown) => readRecord(ListPageOf(Id), data);

  test('has its rows, how many there are in all, and the ways on', () => {
    const page = { total: 7, hasMoreThanTotal: true, rows: [1, 'x', 2], next: 'a', previous: null };
    expect(read(page)).toEqual({ ...page, rows: [1, 2] });
  });

  test.each([undefined, null, 'x', [], { rows: 3, next: 7 }])('is empty when it is %j', (data) => {
    expect(read(data)).toEqual({ total: 0, hasMoreThanTotal: false, rows: [], next: null, previous: null });
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
