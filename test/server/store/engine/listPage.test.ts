import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type FoundPage,
  type ListPosition,
  listPage,
  mapRows,
  numberColumn,
  numberKey,
  type PageRequest,
  rowsOfPage,
  type SortKey,
  type SortValue,
  textColumn,
  textKey,
  totalOf,
} from '../../../../server/store/engine/listPage.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const START: ListPosition = { at: 'offset', offset: 0 };

describeOnBothEngines('a page of a list', (engine) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.db.deleteFrom('audit').execute();
  });

  const add = async (rows: readonly { readonly id: number; readonly atMs: number; readonly actor?: string }[]) => {
    const values = rows.map(({ id, atMs, actor = '' }) => ({
      id,
      at_ms: atMs,
      actor,
      action: 'session.begin',
      target: '',
      address: '',
      detail: '{}',
    }));
    await database.db.insertInto('audit').values(values).execute();
  };
  const remove = (id: number) => database.db.deleteFrom('audit').where('id', '=', id).execute();
  const rows = () => database.db.selectFrom('audit').select(['audit.id', 'audit.actor']);

  const BY_TIME = [numberColumn('audit.at_ms'), numberColumn('audit.id')];
  const ask = (more: Partial<PageRequest>, keys: readonly SortKey[] = BY_TIME) =>
    listPage(
      database.db,
      { rows: rows(), keys },
      { sort: 'at', descending: false, limit: 2, position: START, ...more },
    );
  const page = async (more: Partial<PageRequest>, keys?: readonly SortKey[]) => {
    const found = await ask(more, keys);
    if (found === undefined) throw new Error('no page of this list');
    return found;
  };
  const idsOf = (found: FoundPage<{ readonly id: number }>) => found.rows.map(({ id }) => id);
  const after = (values: readonly SortValue[] | undefined): ListPosition => ({ at: 'after', values: values ?? [] });
  const before = (values: readonly SortValue[] | undefined): ListPosition => ({ at: 'before', values: values ?? [] });
  const from = (value: SortValue): ListPosition => ({ at: 'from', values: [value] });

  /** Walks forward to the list's end and back to its beginning. */
  const walk = async (more: Partial<PageRequest>, keys?: readonly SortKey[]) => {
    const there = [await page(more, keys)];
    for (let last = there[0]; last?.next !== undefined; last = there.at(-1))
      there.push(await page({ ...more, position: after(last.next) }, keys));
    const back = there.slice(-1);
    for (let last = back[0]; last?.previous !== undefined; last = back.at(-1))
      back.push(await page({ ...more, position: before(last.previous) }, keys));
    return { there: there.map(idsOf), back: back.map(idsOf) };
  };

  /** Two of them at the same time each. */
  const addPairs = () =>
    add([
      { id: 1, atMs: 10, actor: 'ann' },
      { id: 2, atMs: 30, actor: 'Bob' },
      { id: 3, atMs: 20, actor: 'ann' },
      { id: 4, atMs: 10, actor: 'Zoë' },
      { id: 5, atMs: 30, actor: '' },
    ]);

  it('is reached by its number, and says whether the list goes on', async () => {
    await addPairs();
    const first = await page({});
    expect([idsOf(first), first.next, first.previous]).toEqual([[1, 4], [10, 4], undefined]);
    const second = await page({ position: { at: 'offset', offset: 2 } });
    expect([idsOf(second), second.next, second.previous]).toEqual([
      [3, 2],
      [30, 2],
      [20, 3],
    ]);
    const last = await page({ position: { at: 'offset', offset: 4 } });
    expect([idsOf(last), last.next, last.previous]).toEqual([[5], undefined, [30, 5]]);
    const beyond = await page({ position: { at: 'offset', offset: 9 } });
    expect([idsOf(beyond), beyond.next, beyond.total]).toEqual([[], undefined, 5]);
  });

  it('that ends with the list says so, full or not', async () => {
    await addPairs();
    expect((await page({ limit: 5 })).next).toBeUndefined();
    expect((await page({ limit: 6 })).next).toBeUndefined();
    expect((await page({ limit: 4 })).next).toEqual([30, 2]);
  });

  it.each([
    ['a number', BY_TIME],
    ['a text', [textColumn('audit.actor'), numberColumn('audit.id')]],
    ['small letters', [textKey(sql`lower(audit.actor)`), numberColumn('audit.id')]],
    ['a number that is computed', [numberKey(sql`0 - audit.at_ms`), numberColumn('audit.id')]],
    ['several', [textColumn('audit.action'), numberColumn('audit.at_ms'), numberColumn('audit.id')]],
  ] as const)('is followed by the next, each row once, there and back, by %s', async (_, keys) => {
    await addPairs();
    for (const descending of [false, true]) {
      const whole = idsOf(await page({ descending, limit: 9 }, keys));
      expect([...whole].sort()).toEqual([1, 2, 3, 4, 5]);
      const { there, back } = await walk({ descending }, keys);
      expect(there.flat()).toEqual(whole);
      expect(there.map(({ length }) => length)).toEqual([2, 2, 1]);
      expect(back.toReversed().flat()).toEqual(whole);
    }
  });

  it('begins at a value of the first key, or at the next one', async () => {
    await addPairs();
    const ids = async (value: number, descending = false) => idsOf(await page({ position: from(value), descending }));
    expect(await ids(20)).toEqual([3, 2]);
    expect(await ids(11)).toEqual([3, 2]);
    expect(await ids(10)).toEqual([1, 4]);
    expect(await ids(0)).toEqual([1, 4]);
    expect(await ids(20, true)).toEqual([3, 4]);
    expect(await ids(29, true)).toEqual([3, 4]);
    expect(await ids(Number.MAX_SAFE_INTEGER, true)).toEqual([5, 2]);
    const middle = await page({ position: from(20) });
    expect(idsOf(await page({ position: before(middle.previous) }))).toEqual([1, 4]);
  });

  it('that is empty leads back to what lies before it, or behind it', async () => {
    await addPairs();
    const beyond = await page({ position: from(31) });
    expect([idsOf(beyond), beyond.next]).toEqual([[], undefined]);
    expect(idsOf(await page({ position: before(beyond.previous) }))).toEqual([2, 5]);
    const end = await page({ position: after([30, 5]) });
    expect([idsOf(end), end.next]).toEqual([[], undefined]);
    expect(idsOf(await page({ position: before(end.previous) }))).toEqual([3, 2]);
    const beginning = await page({ position: before([10, 1]) });
    expect([idsOf(beginning), beginning.previous]).toEqual([[], undefined]);
    expect(idsOf(await page({ position: after(beginning.next) }))).toEqual([4, 3]);
  });

  it('goes on at a row that has been removed', async () => {
    await addPairs();
    const { next } = await page({});
    await remove(4);
    expect(idsOf(await page({ position: after(next) }))).toEqual([3, 2]);
    expect(idsOf(await page({ position: before(next) }))).toEqual([1]);
  });

  it('neither repeats nor misses a row when others are added and removed meanwhile', async () => {
    await addPairs();
    const first = await page({ descending: true });
    expect(idsOf(first)).toEqual([5, 2]);
    await add([{ id: 6, atMs: 40 }]);
    await remove(5);
    const second = await page({ descending: true, position: after(first.next) });
    expect(idsOf(second)).toEqual([3, 4]);
    await add([{ id: 7, atMs: 10 }]);
    expect(idsOf(await page({ descending: true, position: after(second.next) }))).toEqual([1]);
  });

  it.each([
    ['a text for a number', after(['10', 1])],
    ['a number for a text', { at: 'after', values: [10, 'x'] }],
    ['a fraction', after([0.5, 1])],
    ['a number that is not exact', after([2 ** 53, 1])],
    ['no value', after([])],
    ['too many values', after([10, 1, 1])],
    ['a text to begin at', from('10')],
    ['two values to begin at', { at: 'from', values: [10, 1] }],
  ] as const)('is none for %s', async (_, position) => {
    await addPairs();
    expect(await ask({ position: position as ListPosition })).toBeUndefined();
    expect(
      await rowsOfPage(
        { rows: rows(), keys: BY_TIME },
        { sort: 'at', descending: false, limit: 2, position: position as ListPosition },
      ),
    ).toBeUndefined();
    expect(mapRows(await ask({ position: position as ListPosition }), () => 1)).toBeUndefined();
  });

  it('is found for numbers that are larger than the column takes, and for any text', async () => {
    await addPairs();
    const largest = Number.MAX_SAFE_INTEGER;
    expect(idsOf(await page({ position: after([10, largest]) }))).toEqual([3, 2]);
    expect(idsOf(await page({ position: after([-largest, -largest]) }))).toEqual([1, 4]);
    const byActor = [textColumn('audit.actor'), numberColumn('audit.id')];
    for (const text of ["'; drop table audit; --", '%', '\\', '\u0001', '😀', 'x'.repeat(4_000)])
      expect((await page({ position: after([text, 1]) }, byActor)).rows.length).toBeLessThanOrEqual(2);
    expect((await page({})).total).toBe(5);
  });

  it('is counted to ten thousand, and no further', async () => {
    const addMany = async (first: number, last: number) => {
      for (let id = first; id <= last; id += 1_000)
        await add(Array.from({ length: Math.min(1_000, last - id + 1) }, (_, at) => ({ id: id + at, atMs: id + at })));
    };
    await addMany(1, 9_999);
    expect(await totalOf(database.db, rows())).toEqual({ total: 9_999, hasMoreThanTotal: false });
    await addMany(10_000, 10_000);
    expect(await totalOf(database.db, rows())).toEqual({ total: 10_000, hasMoreThanTotal: false });
    await addMany(10_001, 10_001);
    expect(await page({})).toMatchObject({ total: 10_000, hasMoreThanTotal: true });
    expect(await page({ wantsTotal: false })).toMatchObject({
      total: 0,
      hasMoreThanTotal: false,
      rows: [{ id: 1 }, { id: 2 }],
    });
    expect(idsOf(await page({ position: { at: 'offset', offset: 10_000 } }))).toEqual([10_001]);
  });
});
