// Pages of devices with their data usage, and usage over a year, of a large fleet on both engines; and what counting costs the relay.
import { stepsOf } from '../../../server/http/netflow/useSteps.ts';
import type { ListPosition } from '../../../server/store/engine/listPage.ts';
import type { NetflowDeviceQuery } from '../../../server/store/netflow/netflowDevices.ts';
import type { UseOver } from '../../../server/store/netflow/netflowSeries.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { NETFLOW_DEVICE_SORTS, type NetflowStep } from '../../../shared/protocol/api/netflow/netflow.ts';
import { dayNumber } from '../../../shared/protocol/timeZones.ts';
import { onBothEngines } from '../bothEngines.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { analyze, DAY_MS, type Filled, fill, NOW_MS, YEAR_DAYS } from './fill.ts';

export interface NetflowBenchOptions {
  readonly devices: number;
  /** The folder of initdb and postgres; without it SQLite alone is measured. */
  readonly postgresPrograms: string | undefined;
  readonly onProgress: (text: string) => void;
}

type Tables = Readonly<Record<string, readonly Row[]>>;

const PAGE_ROWS = 50;
const REPETITIONS = 5;
const USE_REPETITIONS = 5;
/** A request that takes longer isn't repeated. */
const USE_MAX_MS = 10_000;
const TOP_DEVICES = 10;

export async function benchNetflow({ devices, postgresPrograms, onProgress }: NetflowBenchOptions): Promise<Tables> {
  const pages: Row[] = [];
  const use: Row[] = [];
  const placing: Row[] = [];
  await onBothEngines(postgresPrograms, async (database, name) => {
    const stores = createStores(database.db, undefined, database.reading);
    onProgress(`netflow: a year of ${devices} devices is made on ${name}`);
    const filled = await fill(database.db, stores, database.engine === 'postgres', devices);
    onProgress(`netflow: devices are added to the sums on ${name}`);
    placing.push({ database: name, devices, ...(await timePlacing(stores, devices)) });
    await analyze(database.db, database.engine === 'postgres');
    onProgress(`netflow: pages on ${name}`);
    for (const row of await timePages(stores, filled)) pages.push({ database: name, devices, ...row });
    onProgress(`netflow: usage over time on ${name}`);
    for (const row of await timeUse(stores, filled)) use.push({ database: name, devices, ...row });
  });
  return {
    'data usage of devices': pages,
    'data usage over time': use,
    'devices with a year of data usage added to sums': placing,
  };
}

/**
 * Times placing, as after an update to the version that has sums, or an import that moves all devices. The pauses between parts are
 * left out.
 */
async function timePlacing({ netflowUse }: Stores, devices: number): Promise<Row> {
  const parts: number[] = [];
  for (let isMore = true; isMore; ) {
    const startedMs = performance.now();
    isMore = await netflowUse.placeSome();
    parts.push(performance.now() - startedMs);
  }
  const totalMs = parts.reduce((sum, ms) => sum + ms, 0);
  return { 'ms a device': rounded(totalMs / devices), 'p95 ms of a part': rounded(percentile(parts, 0.95)) };
}

function pageRequests({ groups }: Filled): readonly (readonly [string, Partial<NetflowDeviceQuery>])[] {
  return [
    ['all of 200 groups', {}],
    ['20 groups', { groups: groups.slice(0, 20) }],
    ['a text that a tenth has', { search: 'bus 1' }],
    ['a text of one device', { search: 'abc-4711' }],
    ['a text of no device', { search: 'nothing like it' }],
    ['those near the end of their plan', { plan: 'near' }],
    ['those beyond their plan', { plan: 'over' }],
    ['near its end, of 20 groups, with a text', { plan: 'near', groups: groups.slice(0, 20), search: 'bus' }],
  ];
}

/** Times each request in all orders. */
async function timePages(stores: Stores, filled: Filled): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [request, part] of pageRequests(filled)) {
    const times: number[] = [];
    let found = 0;
    for (let at = 0; at < REPETITIONS; at++) {
      for (const sort of NETFLOW_DEVICE_SORTS) {
        const timed = await timeList(stores, { ...ALL, ...part, memberGroup: filled.memberGroup, sort });
        times.push(...timed.times);
        found = timed.found;
      }
    }
    rows.push({ request, found, ...figuresOf(times) });
  }
  return rows;
}

const ALL = { search: '', groups: undefined, plan: undefined, overheadPercent: 4, limit: PAGE_ROWS } as const;

/** Loads the first page, the page after it, one in the middle, the end of the list and the page before the end. */
async function timeList(stores: Stores, query: Omit<NetflowDeviceQuery, 'position' | 'descending'>) {
  const times: number[] = [];
  const load = async (position: ListPosition, descending = true) => {
    const startedMs = performance.now();
    const page = await stores.netflowDevices.page({ ...query, position, descending });
    times.push(performance.now() - startedMs);
    return page;
  };
  const first = await load({ at: 'offset', offset: 0 });
  const found = first?.total ?? 0;
  if (first?.next !== undefined) await load({ at: 'after', values: first.next });
  await load({ at: 'offset', offset: Math.floor(found / 2) });
  const last = await load({ at: 'offset', offset: 0 }, false);
  if (last?.next !== undefined) await load({ at: 'after', values: last.next }, false);
  return { times, found };
}

interface UseRequest {
  readonly step: NetflowStep;
  readonly days: number;
  readonly groups?: readonly number[];
  readonly incarnation?: number;
}

function usageRequests({ groups, incarnation }: Filled): readonly (readonly [string, UseRequest])[] {
  return [
    ['a year by month', { step: 'month', days: YEAR_DAYS }],
    ['a year by day', { step: 'day', days: YEAR_DAYS }],
    ['30 days by day', { step: 'day', days: 30 }],
    ['a day by hour', { step: 'hour', days: 1 }],
    ['a year by month, of 20 groups', { step: 'month', days: YEAR_DAYS, groups: groups.slice(0, 20) }],
    ['a year by day, of one device', { step: 'day', days: YEAR_DAYS, incarnation }],
  ];
}

async function timeUse(stores: Stores, filled: Filled): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [request, part] of usageRequests(filled)) {
    const times: number[] = [];
    let steps = 0;
    for (let at = 0; at < USE_REPETITIONS && !times.some((ms) => ms > USE_MAX_MS); at++) {
      const startedMs = performance.now();
      steps = await loadUse(stores, filled.memberGroup, part);
      times.push(performance.now() - startedMs);
    }
    rows.push({ request, steps, calls: times.length, ...figuresOf(times) });
  }
  return rows;
}

/** Loads usage as the call does: all kinds, and the devices that used most. */
async function loadUse(stores: Stores, memberGroup: number, request: UseRequest): Promise<number> {
  const { step, days, groups, incarnation } = request;
  const fromMs = NOW_MS - days * DAY_MS;
  const [firstDay, lastDay] = [dayNumber(fromMs, 'UTC'), dayNumber(NOW_MS - 1, 'UTC')];
  const over: UseOver = { memberGroup, fromMs, toMs: NOW_MS, firstDay, lastDay, groups, incarnation };
  const [points] = await Promise.all([
    step === 'hour' ? stores.netflowSeries.hours(over) : stores.netflowSeries.days(over),
    stores.netflowSeries.top(over, TOP_DEVICES),
  ]);
  return stepsOf(points, step, 'UTC').length;
}

function figuresOf(times: readonly number[]) {
  return {
    'p50 ms': rounded(percentile(times, 0.5)),
    'p95 ms': rounded(percentile(times, 0.95)),
    'worst ms': rounded(Math.max(...times)),
  };
}
