// How long a page of 50 messages takes among a million of them, on both engines.
import type { ListPosition } from '../../../server/store/engine/listPage.ts';
import type { MessageFilter } from '../../../server/store/notify/outbox/messageList.ts';
import { createStores, type Stores } from '../../../server/store/stores.ts';
import { onBothEngines } from '../bothEngines.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { fillLog, KEPT_MS, NOW_MS, RARE_RULE } from './fillLog.ts';

export interface LogOptions {
  readonly messages: number;
  /** The folder of initdb and postgres; without it SQLite alone is measured. */
  readonly postgresPrograms: string | undefined;
  readonly onProgress: (text: string) => void;
}

const DAY_MS = 86_400_000;
const REPETITIONS = 5;
const PAGE_ROWS = 50;
const WANTED_P95_MS = 100;

export async function benchLog({ messages, postgresPrograms, onProgress }: LogOptions): Promise<Row[]> {
  const rows: Row[] = [];
  await onBothEngines(postgresPrograms, async (database, name) => {
    const stores = createStores(database.db, undefined, database.reading);
    onProgress(`outbox: ${messages} messages are made on ${name}`);
    const memberGroup = await fillLog(database.db, stores, database.engine === 'postgres', messages);
    onProgress(`outbox: pages on ${name}`);
    const timed = [...(await timeLists(stores, memberGroup, messages)), await timeCounts(stores, memberGroup)];
    for (const row of timed) rows.push({ database: name, messages, ...row, 'p95 wanted ms': WANTED_P95_MS });
  });
  return rows;
}

/** Sender 1, rule 21 and the device are ones of many; the event is in the middle. */
const filtersOf = (messages: number): readonly (readonly [string, MessageFilter])[] => [
  ['all', {}],
  ['sent', { state: 'sent' }],
  ['failed', { state: 'failed' }],
  ['waiting', { state: 'waiting' }],
  ['a sender', { sender: 1 }],
  ['a rule', { rule: 21 }],
  ['a rule that hardly tells', { rule: RARE_RULE }],
  ['a device', { deviceId: 'DEV77' }],
  ['a device without messages', { deviceId: 'NONE' }],
  ['an event', { event: Math.ceil(messages / 4) }],
  ['a day', { fromMs: NOW_MS - KEPT_MS / 2, toMs: NOW_MS - KEPT_MS / 2 + DAY_MS }],
  ['failed, of a day', { state: 'failed', fromMs: NOW_MS - DAY_MS, toMs: NOW_MS }],
  ['failed, of a sender', { state: 'failed', sender: 1 }],
  ['sent, of a rule and a sender', { state: 'sent', rule: 21, sender: 1 }],
  ['waiting, of a rule that hardly tells', { state: 'waiting', rule: RARE_RULE }],
  ['of a sender and a rule that hardly tells', { sender: 1, rule: RARE_RULE }],
  ['of a device, a rule and a month', { deviceId: 'DEV77', rule: 21, fromMs: NOW_MS - 30 * DAY_MS, toMs: NOW_MS }],
];

async function timeLists(stores: Stores, memberGroup: number, messages: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, filter] of filtersOf(messages)) {
    const times: number[] = [];
    let found = 0;
    for (let at = 0; at < REPETITIONS; at++) found = await timePages(stores, { memberGroup, ...filter }, times);
    rows.push({ request: name, found, ...figuresOf(times) });
  }
  return rows;
}

type Filter = MessageFilter & { readonly memberGroup: number };

/** The first page and the next, one in the middle of what is counted, the end of the list and what is before it. */
async function timePages({ notifyMessages }: Stores, filter: Filter, times: number[]): Promise<number> {
  const load = async (position: ListPosition, descending = true) => {
    const startedMs = performance.now();
    const query = { ...filter, sort: 'createdAtMs', descending, limit: PAGE_ROWS, position } as const;
    const page = await notifyMessages.page(query);
    times.push(performance.now() - startedMs);
    return page;
  };
  const first = await load({ at: 'offset', offset: 0 });
  const found = first?.total ?? 0;
  if (first?.next !== undefined) await load({ at: 'after', values: first.next });
  await load({ at: 'offset', offset: Math.floor(found / 2) });
  await load({ at: 'after', values: [NOW_MS - KEPT_MS / 2] });
  const last = await load({ at: 'offset', offset: 0 }, false);
  if (last?.next !== undefined) await load({ at: 'after', values: last.next }, false);
  return found;
}

async function timeCounts({ notifyMessages }: Stores, memberGroup: number): Promise<Row> {
  const times: number[] = [];
  let found = 0;
  for (let at = 0; at < REPETITIONS * 4; at++) {
    const startedMs = performance.now();
    const counts = await notifyMessages.counts(memberGroup, NOW_MS);
    times.push(performance.now() - startedMs);
    found = Object.values(counts).reduce((sum, count) => sum + count, 0);
  }
  return { request: 'counters of a day', found, ...figuresOf(times) };
}

function figuresOf(times: readonly number[]): Row {
  return {
    'p50 ms': rounded(percentile(times, 0.5)),
    'p95 ms': rounded(percentile(times, 0.95)),
    'max ms': rounded(percentile(times, 1)),
  };
}
