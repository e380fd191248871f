// Facts that are needed before the events of a filter are read: the users and drivers that it names, how many events each index would have
// to be read for, and how many of these fit.
import { sql } from 'kysely';
import { userNameKey } from '../../accounts/users.ts';
import type { StoreDb } from '../../engine/database.ts';
import { likeSearch } from '../../engine/likeSearch.ts';
import {
  type AccessFigures,
  accessesOf,
  type EventAccess,
  type EventPlan,
  hasLittle,
  isBounded,
  planEvents,
  SAMPLED_EVENTS,
  SIZED_EVENTS,
  scansOf,
  WALKED_RANGES,
} from './eventAccess.ts';
import { costOf, type EventSearch, hasWords, isDeviceSeen, wordsOf } from './eventChecks.ts';
import type { EventFilter, EventScope } from './eventFilter.ts';
import { type EventKeys, fitsOf, lookedAtBy, rangesOf } from './eventScans.ts';

/** Maximum number of drivers with the searched text; devices with the text are found too. */
const MAX_DRIVERS = 200;

export async function lookUpNames(db: StoreDb, filter: EventFilter & EventScope): Promise<EventSearch> {
  const [drivers, assigneeId] = await Promise.all([driversOf(db, filter), userOf(db, filter.assignee)]);
  return { ...filter, drivers, assigneeId };
}

async function driversOf(db: StoreDb, { search }: EventFilter): Promise<readonly string[]> {
  const words = wordsOf(search);
  if (words.length === 0) return [];
  let found = db.selectFrom('event_driver').select('name').orderBy('name').limit(MAX_DRIVERS);
  for (const word of words) found = found.where(likeSearch('search_key', word));
  return (await found.execute()).map(({ name }) => name);
}

/** A user id that no event has; 0 stands for nobody, and some events have that. */
const NO_USER = -1;

async function userOf(db: StoreDb, username: string | undefined): Promise<number> {
  if (username === undefined || username === '') return 0;
  const named = db.selectFrom('app_user').select('id').where('username_key', '=', userNameKey(username));
  return (await named.executeTakeFirst())?.id ?? NO_USER;
}

/** `rows`: the number of rows from the place where the page is reached to its end. */
export async function planOf(db: StoreDb, search: EventSearch, rows: number): Promise<EventPlan> {
  const sizes = await Promise.all(accessesOf(search).map((access) => sizeOf(db, access, search)));
  if (hasLittle(sizes)) return planEvents(sizes, rows);
  return planEvents(await Promise.all(sizes.map((size) => withSample(db, size, search))), rows);
}

async function sizeOf(db: StoreDb, access: EventAccess, search: EventSearch): Promise<AccessFigures> {
  const ranges = await walkedRanges(db, access, search);
  const cost = Math.max(...scansOf(access, search).map((scan) => costOf(scan, search)));
  const isAll = (access === 'time' && !isBounded(search)) || (access === 'device' && (await seesMany(db, search)));
  const size = isAll ? Number.POSITIVE_INFINITY : await countUpTo(db, lookedAtBy(db, access, search), SIZED_EVENTS + 1);
  return { access, size, ranges, cost, sampled: 0, fitting: 0 };
}

async function walkedRanges(db: StoreDb, access: EventAccess, search: EventSearch): Promise<number> {
  if (access === 'device') return 0;
  if (access !== 'search') return rangesOf(access, search).length;
  const named = db.selectFrom('device').select('device.archive_number').where(isDeviceSeen(search));
  const some = named.where(hasWords(search)).limit(WALKED_RANGES).as('named');
  const counted = db.selectFrom(some).select(({ fn }) => fn.countAll<number>().as('count'));
  return 1 + Number((await counted.executeTakeFirstOrThrow()).count);
}

/** Looking up this many devices costs as much as an access that is read as a whole without further planning. */
const MANY_DEVICES = 2_500;

async function seesMany(db: StoreDb, search: EventSearch): Promise<boolean> {
  const seen = db.selectFrom('device').select('device.archive_number').where(isDeviceSeen(search)).limit(MANY_DEVICES);
  const counted = db.selectFrom(seen.as('seen')).select(({ fn }) => fn.countAll<number>().as('count'));
  return (await counted.executeTakeFirstOrThrow()).count === MANY_DEVICES;
}

async function withSample(db: StoreDb, figures: AccessFigures, search: EventSearch): Promise<AccessFigures> {
  const samples = await Promise.all(
    scansOf(figures.access, search).map((scan) => {
      const sample = fitsOf(db, scan, search).limit(SAMPLED_EVENTS).as('sample');
      const sums = db
        .selectFrom(sample)
        .select(({ fn }) => [fn.countAll<number>().as('sampled'), fn.sum<number | null>('fits').as('fitting')]);
      return sums.executeTakeFirstOrThrow();
    }),
  );
  const sum = (numbers: readonly (number | null)[]) => numbers.reduce<number>((total, each) => total + Number(each), 0);
  const sampled = sum(samples.map((sample) => sample.sampled));
  return { ...figures, sampled, fitting: sum(samples.map((sample) => sample.fitting)) };
}

export async function countUpTo(db: StoreDb, events: EventKeys, most: number): Promise<number> {
  const some = db.selectFrom(events.as('found')).select(sql<number>`1`.as('one')).limit(most).as('some');
  const counted = db.selectFrom(some).select(({ fn }) => fn.countAll<number>().as('count'));
  return (await counted.executeTakeFirstOrThrow()).count;
}
