import { describe, expect, test } from 'vitest';
import type { ListPage } from '../../../../../shared/api/list.ts';
import {
  canStep,
  FIRST_PAGE,
  type PageInView,
  type PageStep,
  type Paging,
  pageNumber,
  pagingAtDay,
  pagingFromStart,
  pagingInstead,
  placeOf,
  rangeOf,
  stepped,
} from '../../../../../shared/ui/table/paging.ts';

const SIZE = 50;
const rows = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** What came for a page: full, with the list going on behind it, unless the test says otherwise. */
function view(page: Partial<ListPage<number>> = {}, isKnown = true): PageInView<number> {
  const whole = { rows: rows(SIZE), total: 120, hasMoreThanTotal: false, next: 'next', previous: null };
  return { page: { ...whole, ...page }, isKnown, pageSize: SIZE };
}

/** Steps that lead somewhere. */
function walk(from: Paging, ...steps: readonly (readonly [PageStep, PageInView])[]): Paging {
  return steps.reduce((paging, [step, seen]) => stepped(paging, step, seen) ?? expect.fail(`no ${step}`), from);
}

const LONG = { total: 10_000, hasMoreThanTotal: true } as const;
const DAY = { day: '2026-08-01', startMs: 1_785_600_000_000 } as const;

describe('pages that are counted', () => {
  test('go on by the cursor of the page in view', () => {
    const second = walk(FIRST_PAGE, ['next', view({ next: 'c1' })]);
    expect([placeOf(second), pageNumber(second)]).toEqual([{ after: 'c1' }, 1]);
    const third = walk(second, ['next', view({ next: 'c2' })]);
    expect([placeOf(third), pageNumber(third)]).toEqual([{ after: 'c2' }, 2]);
    expect(stepped(third, 'next', view({ next: null }))).toBeUndefined();
  });

  test('go on by their number while the cursor is not there yet, as far as rows have been counted', () => {
    const second = walk(FIRST_PAGE, ['next', view({}, false)]);
    expect(placeOf(second)).toEqual({ offset: 50 });
    const third = walk(second, ['next', view({}, false)]);
    expect(placeOf(third)).toEqual({ offset: 100 });
    expect(stepped(third, 'next', view({}, false))).toBeUndefined();
  });

  test('go back the way they came, and by their number where they came no way', () => {
    const third = walk(FIRST_PAGE, ['next', view({ next: 'c1' })], ['next', view({ next: 'c2' })]);
    const second = walk(third, ['previous', view()]);
    expect([placeOf(second), pageNumber(second)]).toEqual([{ after: 'c1' }, 1]);
    expect(walk(second, ['previous', view()])).toEqual(FIRST_PAGE);
    expect(stepped(FIRST_PAGE, 'previous', view())).toBeUndefined();
    const last = pagingInstead(third, view({ rows: [], total: 70 })) ?? FIRST_PAGE;
    expect([placeOf(last), pageNumber(last)]).toEqual([{ offset: 50 }, 1]);
    expect(placeOf(walk(last, ['previous', view()]))).toEqual({ offset: 0 });
  });

  test('go on by cursors where rows are not counted any more', () => {
    let paging = FIRST_PAGE;
    for (let at = 1; at <= 250; at++) paging = walk(paging, ['next', view({ ...LONG, next: `c${at}` })]);
    expect([placeOf(paging), pageNumber(paging)]).toEqual([{ after: 'c250' }, 250]);
    expect(pagingInstead(paging, view(LONG))).toBeUndefined();
    expect(placeOf(walk(paging, ['previous', view(LONG)]))).toEqual({ after: 'c249' });
    expect(walk(paging, ['first', view(LONG)])).toEqual(FIRST_PAGE);
  });

  test('can be stepped through while one is on its way, so that no button loses the focus', () => {
    const second = walk(FIRST_PAGE, ['next', view()]);
    const able = (paging: Paging, seen: PageInView) =>
      (['first', 'previous', 'next'] as const).filter((step) => canStep(paging, step, seen));
    expect(able(FIRST_PAGE, view())).toEqual(['next']);
    expect(able(second, view({}, false))).toEqual(['first', 'previous', 'next']);
    expect(able(second, view({ next: null }))).toEqual(['first', 'previous']);
    expect(able(FIRST_PAGE, view({ rows: [], total: 0, next: null }))).toEqual([]);
  });
});

describe('pages from a day on', () => {
  const there = pagingAtDay(DAY);

  test('begin at the day, and go on and back by cursors', () => {
    expect(placeOf(there)).toEqual({ start: DAY.startMs });
    const onward = walk(there, ['next', view({ next: 'c1', previous: 'c0' })]);
    expect(placeOf(onward)).toEqual({ after: 'c1' });
    expect(walk(onward, ['previous', view()])).toEqual(there);
    const before = walk(there, ['previous', view({ previous: 'c0' })]);
    expect([placeOf(before), before.jump]).toEqual([{ before: 'c0' }, DAY]);
    expect(placeOf(walk(before, ['previous', view({ previous: 'b1' })]))).toEqual({ before: 'b1' });
    expect(placeOf(walk(before, ['next', view({ next: 'b2' })]))).toEqual({ after: 'b2' });
  });

  test('do not go on while the cursor is not there yet', () => {
    expect(stepped(there, 'next', view({}, false))).toBeUndefined();
    expect(stepped(there, 'previous', view({ previous: 'c0' }, false))).toBeUndefined();
    expect(canStep(there, 'previous', view({ previous: 'c0' }, false))).toBe(true);
  });

  test('end with the first page of the list: nothing stands before its first row', () => {
    const before = walk(there, ['previous', view({ previous: 'c0' })]);
    expect(canStep(before, 'previous', view({ previous: null }))).toBe(false);
    expect(pagingInstead(before, view({ rows: [] }))).toEqual(FIRST_PAGE);
    expect(walk(before, ['first', view()])).toEqual(FIRST_PAGE);
  });

  test('begin anew with pages of another size', () => {
    const onward = walk(there, ['next', view()]);
    expect(pagingFromStart(onward)).toEqual(there);
    expect(pagingFromStart(walk(FIRST_PAGE, ['next', view()]))).toEqual(FIRST_PAGE);
  });
});

describe('a page that has no rows left', () => {
  test('gives way to the last that has', () => {
    const third = walk(FIRST_PAGE, ['next', view()], ['next', view()]);
    const instead = (paging: Paging, total: number) => pagingInstead(paging, view({ rows: [], total }));
    expect(instead(FIRST_PAGE, 0)).toBeUndefined();
    expect(placeOf(instead(third, 51) ?? third)).toEqual({ offset: 50 });
    expect(placeOf(instead(third, 50) ?? third)).toEqual({ offset: 0 });
    expect(instead(third, 0)).toEqual(FIRST_PAGE);
    expect(pagingInstead(third, view({ rows: rows(1), total: 101 }))).toBeUndefined();
  });

  test('gives way to the one before it where nobody knows how many there are', () => {
    const third = walk(FIRST_PAGE, ['next', view({ next: 'c1' })], ['next', view()]);
    expect(placeOf(pagingInstead(third, view({ ...LONG, rows: [] })) ?? third)).toEqual({ after: 'c1' });
    const behindDay = walk(pagingAtDay(DAY), ['next', view()]);
    expect(pagingInstead(behindDay, view({ rows: [] }))).toEqual(pagingAtDay(DAY));
    expect(pagingInstead(pagingAtDay(DAY), view({ rows: [] }))).toBeUndefined();
  });
});

describe('the rows in view', () => {
  const second = walk(FIRST_PAGE, ['next', view()]);

  test('are counted from the first row of the list', () => {
    expect(rangeOf(FIRST_PAGE, view())).toEqual({ from: 1, to: 50 });
    expect(rangeOf(second, view())).toEqual({ from: 51, to: 100 });
    expect(rangeOf(second, view(LONG))).toEqual({ from: 51, to: 100 });
    expect(rangeOf(FIRST_PAGE, view({ rows: [], total: 0, next: null }))).toEqual({ from: 0, to: 0 });
  });

  test('are those to come while the page is on its way', () => {
    expect(rangeOf(second, view({ total: 70 }, false))).toEqual({ from: 51, to: 70 });
    expect(rangeOf(second, view(LONG, false))).toEqual({ from: 51, to: 100 });
  });

  test('end with the last row, even if rows before them have been removed meanwhile', () => {
    const third = walk(second, ['next', view()]);
    expect(rangeOf(third, view({ rows: rows(20), next: null }))).toEqual({ from: 101, to: 120 });
    expect(rangeOf(third, view({ rows: rows(20), next: null, total: 110 }))).toEqual({ from: 91, to: 110 });
  });
});
