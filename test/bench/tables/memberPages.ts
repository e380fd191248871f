// The member table: as many rows as there are devices in the other one.

import type { MemberFilter } from '../../../server/store/accounts/memberQuery.ts';
import type { StoreDb } from '../../../server/store/engine/database.ts';
import { createStores } from '../../../server/store/stores.ts';
import { MEMBER_SORTS } from '../../../shared/protocol/api/accounts.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';

const NOW = wallMs(1_795_000_000_000);
const GROUPS = 200;
const ROWS_A_STATEMENT = 1_000;
const REPETITIONS = 12;

export async function measureMembers(db: StoreDb, name: string, size: number): Promise<Row[]> {
  const groups = await fill(db, size);
  const requests: readonly (readonly [string, Partial<MemberFilter>])[] = [
    ['every column sorted', {}],
    ['and a text searched that a tenth has', { search: 'chen' }],
    ['and the people of one group', { group: groups[7] }],
    ['and those who may no longer sign in', { state: 'expired' }],
  ];
  const rows: Row[] = [];
  for (const [what, part] of requests)
    rows.push({ database: name, members: size, requests: what, ...(await time(db, part)) });
  return rows;
}

async function time(db: StoreDb, part: Partial<MemberFilter>) {
  const { members } = createStores(db);
  const times: number[] = [];
  let found = 0;
  for (let at = 0; at < REPETITIONS; at++) {
    for (const sort of MEMBER_SORTS) {
      const offset = at % 2 === 0 ? 0 : Math.max(0, Math.floor(found / 2) - 50);
      const startedMs = performance.now();
      const position = { at: 'offset', offset } as const;
      const page = await members.page({
        position,
        limit: 50,
        sort,
        descending: at % 4 > 1,
        search: '',
        at: NOW,
        ...part,
      });
      found = page?.total ?? 0;
      times.push(performance.now() - startedMs);
    }
  }
  const p50 = rounded(percentile(times, 0.5));
  return { found, 'p50 ms': p50, 'p95 ms': rounded(percentile(times, 0.95)), 'worst ms': rounded(Math.max(...times)) };
}

const NAMES = ['Chen', 'Lin', 'Sato', 'Tanaka', 'Wu', 'Mori', 'Ho', 'Kim', 'Lee', 'Ito'];

async function fill(db: StoreDb, size: number): Promise<number[]> {
  const { memberGroups } = createStores(db);
  const groups: number[] = [];
  for (let at = 0; at < GROUPS; at++) groups.push(await memberGroups.insert({ name: `Branch ${at}` }));
  for (let from = 0; from < size; from += ROWS_A_STATEMENT) {
    const users = Array.from({ length: Math.min(ROWS_A_STATEMENT, size - from) }, (_, at) => user(from + at));
    const added = await db.insertInto('app_user').values(users).returning('id').execute();
    const belongs = added.map(({ id }) => ({ user_id: id, member_group: groups[id % GROUPS] ?? 1 }));
    await db.insertInto('app_user_member_group').values(belongs).execute();
  }
  return groups;
}

function user(at: number) {
  const number = (at * 7_919) % 1_000_003;
  const username = `u${number}`;
  const display_name = `${NAMES[number % NAMES.length]} ${number}`;
  return {
    username,
    username_key: username,
    password_hash: '-',
    permissions: '[]',
    language: 'en',
    display_name,
    search_key: `${username} ${display_name}`.toLowerCase(),
    disabled: number % 20 === 0 ? 1 : 0,
    wall_monitor_allowed: 0,
    member_group: null,
    created_at_ms: NOW - number * 1_000,
    password_changed_at_ms: NOW,
    expires_at_ms: number % 3 === 0 ? NOW - number : 0,
    last_sign_in_at_ms: number % 5 === 0 ? 0 : NOW - number * 500,
  };
}
