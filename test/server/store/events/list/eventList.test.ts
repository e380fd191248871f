// Every filter, in every order, page by page, is what a plain look through all events finds: by whichever index it is read.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type ListPosition,
  numberColumn,
  rowsOfPage,
  rowsOfParts,
} from '../../../../../server/store/engine/listPage.ts';
import { accessesOf } from '../../../../../server/store/events/list/eventAccess.ts';
import type { EventFilter } from '../../../../../server/store/events/list/eventFilter.ts';
import { eventParts } from '../../../../../server/store/events/list/eventParts.ts';
import { lookUpNames } from '../../../../../server/store/events/list/eventPlanning.ts';
import { keysIn } from '../../../../../server/store/events/list/eventScans.ts';
import { walkedEvents } from '../../../../../server/store/events/list/eventWalk.ts';
import { createStores, type Stores } from '../../../../../server/store/stores.ts';
import { EVENT_SORTS } from '../../../../../shared/protocol/api/events.ts';
import { EVENT_STATUSES, SEVERITIES } from '../../../../../shared/protocol/events/eventWords.ts';
import { runs } from '../../../../support/runs.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../../testDatabase.ts';
import { addManyEvents, FIRST_MS, findPlainly, LAST_MS, type ManyEvents } from './manyEvents.ts';

const orUndefined = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 });
const some = <Value>(values: readonly Value[]) => orUndefined(fc.subarray([...values]));
const moment = orUndefined(fc.integer({ min: FIRST_MS, max: LAST_MS }));

const query = fc.record({
  search: fc.constantFrom('', '', '', 'bus0', 'ann', 'line', 'nothing'),
  deviceIds: some(['BUS0', 'BUS1', 'BUS3']),
  groupAt: orUndefined(fc.constantFrom(0, 1)),
  types: some(['speeding', 'emergency', 'no-such-type']),
  severities: some(SEVERITIES),
  statuses: some(EVENT_STATUSES),
  assignee: orUndefined(fc.constantFrom('', 'bob', 'nobody')),
  isLate: orUndefined(fc.boolean()),
  media: orUndefined(fc.constantFrom('any', 'none', 'video')),
  isLasting: orUndefined(fc.boolean()),
  fromMs: moment,
  toMs: moment,
  seesGateway: fc.boolean(),
  sort: fc.constantFrom(...EVENT_SORTS),
  descending: fc.boolean(),
  limit: fc.constantFrom(3, 40, 500),
});
type Query = typeof query extends fc.Arbitrary<infer Value> ? Value : never;

describeOnBothEngines('the list of events', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  let many: ManyEvents;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
    await stores.eventMonths.addMonths(FIRST_MS, 4);
    many = await addManyEvents(database, stores, 400);
  });
  afterAll(() => database.close());

  const filterOf = ({ groupAt, limit: _, ...given }: Query) => ({
    ...given,
    memberGroup: many.memberGroup,
    groups: groupAt === undefined ? undefined : [many.groups[groupAt] ?? 0],
  });

  const pageAt = (given: Query, position: ListPosition, limit = given.limit) =>
    stores.eventList.page({ ...filterOf(given), limit, position });

  it('is read to its end and back again', async () => {
    const isAsPlain = async (given: Query) => {
      const expected = findPlainly(many, filterOf(given), given);
      const forth: number[] = [];
      let position: ListPosition | undefined = { at: 'offset', offset: 0 };
      let last: number[] = [];
      let before: ListPosition | undefined;
      while (position !== undefined) {
        const page: Awaited<ReturnType<typeof pageAt>> = await pageAt(given, position);
        expect(page?.total).toBe(expected.length);
        last = (page?.rows ?? []).map(({ id }) => id);
        forth.push(...last);
        before = page?.previous === undefined ? undefined : { at: 'before', values: page.previous };
        position = page?.next === undefined ? undefined : { at: 'after', values: page.next };
      }
      expect(forth).toEqual(expected);
      if (before === undefined) return;
      const back = await pageAt(given, before);
      const end = expected.length - last.length;
      expect(back?.rows.map(({ id }) => id)).toEqual(expected.slice(Math.max(0, end - given.limit), end));
    };
    await fc.assert(fc.asyncProperty(query, isAsPlain), { numRuns: runs(60), seed: 7 });
  });

  it('is the same by each index that it can be walked by', async () => {
    const isWalkedAlike = async (given: Query) => {
      const filter: EventFilter = filterOf(given);
      const expected = findPlainly(many, { ...filter, seesGateway: given.seesGateway }, given);
      const search = await lookUpNames(database.db, filterOf(given));
      const walk = { ...given, position: { at: 'offset', offset: 0 } } as const;
      const column = given.sort === 'time' ? 'found.begin_at_ms' : 'found.severity_order';
      const keys = [numberColumn(column), numberColumn('found.id')];
      for (const access of accessesOf(filter).filter((each) => each !== 'device' && each !== 'search')) {
        const rows = keysIn(database.db, walkedEvents(database.db, access, search, walk));
        const page = await rowsOfPage({ rows, keys }, walk);
        expect(
          page?.rows.map(({ id }) => id),
          access,
        ).toEqual(expected.slice(0, given.limit));
      }
      const offset = expected.length >> 1;
      const far = { ...given, position: { at: 'offset', offset } } as const;
      for (const access of accessesOf(filter).filter((each) => each !== 'device')) {
        const parts = await rowsOfParts(eventParts(database.db, access, { search, query: far }), keys, far);
        expect(
          parts?.rows.map(({ id }) => id),
          `${access}, window after window`,
        ).toEqual(expected.slice(offset, offset + given.limit));
      }
    };
    await fc.assert(fc.asyncProperty(query, isWalkedAlike), { numRuns: runs(60), seed: 7 });
  });

  it('is counted by day', async () => {
    const dayMs = 86_400_000;
    const starts = Array.from({ length: 62 }, (_, at) => FIRST_MS + at * dayMs);
    const isCountedAlike = async (given: Query) => {
      const filter = filterOf(given);
      const days = await stores.eventList.countByDay(filter, starts);
      const found = new Set(findPlainly(many, filter, given));
      const expected = new Map<number, Record<string, number>>();
      for (const { id, beginAtMs, severity } of many.events) {
        if (!found.has(id)) continue;
        const day = Math.floor((beginAtMs - FIRST_MS) / dayMs) * dayMs + FIRST_MS;
        const counts = expected.get(day) ?? { critical: 0, major: 0, minor: 0, info: 0 };
        counts[severity] = (counts[severity] ?? 0) + 1;
        expected.set(day, counts);
      }
      expect(new Map(days.map(({ fromMs, counts }) => [fromMs, counts]))).toEqual(expected);
    };
    await fc.assert(fc.asyncProperty(query, isCountedAlike), { numRuns: runs(30), seed: 7 });
  });
});
