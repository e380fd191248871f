// Share links as members manage them: their owners, what they open, and how they are used. See linkCredentials.ts for what decides whether
// a link opens something.
import { type ExpressionBuilder, sql } from 'kysely';
import {
  channelsOfMask,
  type LinkDevice,
  type LinkRow,
  type LinkSort,
  type LinkState,
} from '../../../shared/protocol/api/links.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import { searchIn } from '../engine/likeSearch.ts';
import {
  type FoundPage,
  listPage,
  mapRows,
  numberColumn,
  numberKey,
  type PageRequest,
  type SortKey,
  textKey,
} from '../engine/listPage.ts';
import type { Schema } from '../schema.ts';
import { linkKindsOf } from './linkCredentials.ts';

/** The user's own links, and with a group also those of all users for the devices that the group sees. */
export interface LinkScope {
  readonly ownerId: number;
  readonly memberGroup?: number | undefined;
}

interface LinkFilter extends LinkScope {
  readonly search: string;
  readonly state?: LinkState | undefined;
  readonly deviceId?: string | undefined;
  readonly now: WallMs;
}

export interface LinkListQuery extends LinkFilter, PageRequest<LinkSort> {}

export interface LinkUse {
  readonly secretHash: string;
  readonly atMs: WallMs;
  readonly address: string;
  /** How often a page requested the link's content meanwhile. */
  readonly count: number;
}

export interface LinkListStore {
  /** Undefined when the position doesn't belong to such a list. */
  page(query: LinkListQuery): Promise<FoundPage<LinkRow> | undefined>;
  /** A link in the scope, active or ended. */
  find(id: number, scope: LinkScope, now: WallMs): Promise<LinkRow | undefined>;
  noteUses(uses: readonly LinkUse[]): Promise<void>;
  /** Devices of a member group whose id, name or plate has the text, ordered by name. */
  devicesSeen(memberGroup: number, search: string, limit: number): Promise<LinkDevice[]>;
}

/** `reading`: for slow queries. */
export function createLinkListStore(db: StoreDb, reading: StoreDb): LinkListStore {
  return {
    page: (query) => pageOfLinks(reading, query),
    find: async (id, scope, now) => {
      const found = linksOf(db, { ...scope, search: '', now });
      const row = await found.where('link_credential.id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : toLinkRow(row, now);
    },
    noteUses: (uses) => noteUses(db, uses),
    devicesSeen: (memberGroup, search, limit) => devicesSeen(reading, { memberGroup, search, limit }),
  };
}

/** Credentials of sessions are left out: they can't be managed. */
function linksOf(db: StoreDb, filter: LinkFilter) {
  return db
    .selectFrom('link_credential')
    .innerJoin('app_user', 'app_user.id', 'link_credential.owner_id')
    .innerJoin('device', 'device.device_id', 'link_credential.device_id')
    .where('link_credential.session_id_hash', 'is', null)
    .where((is) => matches(is, filter))
    .selectAll('link_credential')
    .select(['app_user.username', 'device.name as device_name', 'device.plate as device_plate']);
}

type Tables = 'link_credential' | 'app_user' | 'device';

const ORDER = {
  created: numberColumn('link_credential.created_at_ms'),
  device: textKey(sql`lower(device.name)`),
  owner: textKey(sql`lower(app_user.username)`),
  note: textKey(sql`lower(link_credential.note)`),
  // Links that never end are sorted as the last to end.
  until: numberKey(
    sql`case when link_credential.expires_at_ms = 0 then 9007199254740991 else link_credential.expires_at_ms end`,
  ),
  used: numberColumn('link_credential.last_used_at_ms'),
  uses: numberColumn('link_credential.use_count'),
} as const satisfies Record<LinkSort, SortKey>;

async function pageOfLinks(db: StoreDb, query: LinkListQuery): Promise<FoundPage<LinkRow> | undefined> {
  const keys = [ORDER[query.sort], numberColumn('link_credential.id')];
  const page = await listPage(db, { rows: linksOf(db, query), keys }, query);
  return mapRows(page, (row) => toLinkRow(row, query.now));
}

const DEVICE_TEXTS = ['device.device_id', 'device.name', 'device.plate'] as const;
const LINK_TEXTS = [...DEVICE_TEXTS, 'app_user.username', 'link_credential.note'] as const;

function matches(is: ExpressionBuilder<Schema, Tables>, filter: LinkFilter) {
  const { search, state, deviceId, now } = filter;
  const found = searchIn(LINK_TEXTS, search);
  return is.and([
    inScope(is, filter),
    ...(found === undefined ? [] : [found]),
    ...(deviceId === undefined ? [] : [is('link_credential.device_id', '=', deviceId)]),
    ...(state === undefined ? [] : [hasState(is, state, now)]),
  ]);
}

function inScope(is: ExpressionBuilder<Schema, Tables>, { ownerId, memberGroup }: LinkScope) {
  const own = is('link_credential.owner_id', '=', ownerId);
  if (memberGroup === undefined) return own;
  const groups = is
    .selectFrom('member_group_device_group')
    .select('device_group')
    .where('member_group', '=', memberGroup);
  return is.or([own, is('device.device_group', 'in', groups)]);
}

function hasState(is: ExpressionBuilder<Schema, Tables>, state: LinkState, now: WallMs) {
  const revoked = is('link_credential.revoked_at_ms', '!=', 0);
  const ended = is.and([is('link_credential.expires_at_ms', '!=', 0), is('link_credential.expires_at_ms', '<=', now)]);
  switch (state) {
    case 'revoked':
      return revoked;
    case 'expired':
      return is.and([is.not(revoked), ended]);
    case 'active':
      return is.and([is.not(revoked), is.not(ended)]);
  }
}

async function noteUses(db: StoreDb, uses: readonly LinkUse[]): Promise<void> {
  for (const { secretHash, atMs, address, count } of uses) {
    await db
      .updateTable('link_credential')
      .set((is) => ({ last_used_at_ms: atMs, last_address: address, use_count: is('use_count', '+', count) }))
      .where('secret_hash', '=', secretHash)
      .where('session_id_hash', 'is', null)
      .execute();
  }
}

interface Seen {
  readonly memberGroup: number;
  readonly search: string;
  readonly limit: number;
}

async function devicesSeen(db: StoreDb, { memberGroup, search, limit }: Seen): Promise<LinkDevice[]> {
  const words = searchIn(DEVICE_TEXTS, search);
  const seen = db
    .selectFrom('device')
    .innerJoin('member_group_device_group as owns', 'owns.device_group', 'device.device_group')
    .select(['device.device_id as deviceid', 'device.name', 'device.plate', 'device.chn'])
    .where('owns.member_group', '=', memberGroup)
    .where('device.disabled', '=', 0);
  const found = words === undefined ? seen : seen.where(words);
  return found.orderBy(sql`lower(device.name)`).orderBy('device.device_id').limit(limit).execute();
}

interface LinkListRow {
  readonly id: number;
  readonly device_id: string;
  readonly device_name: string;
  readonly device_plate: string;
  readonly username: string;
  readonly channel_mask: number;
  readonly kinds: number;
  readonly note: string;
  readonly created_at_ms: number;
  readonly expires_at_ms: number;
  readonly revoked_at_ms: number;
  readonly last_used_at_ms: number;
  readonly use_count: number;
  readonly last_address: string;
}

function toLinkRow(row: LinkListRow, now: WallMs): LinkRow {
  const isExpired = row.expires_at_ms !== 0 && row.expires_at_ms <= now;
  return {
    id: row.id,
    deviceid: row.device_id,
    name: row.device_name,
    plate: row.device_plate,
    owner: row.username,
    channels: channelsOfMask(row.channel_mask),
    kinds: linkKindsOf(row.kinds),
    note: row.note,
    state: row.revoked_at_ms !== 0 ? 'revoked' : isExpired ? 'expired' : 'active',
    createdAtMs: wallMs(row.created_at_ms),
    untilMs: wallMs(row.expires_at_ms),
    revokedAtMs: wallMs(row.revoked_at_ms),
    lastUsedAtMs: wallMs(row.last_used_at_ms),
    useCount: row.use_count,
    lastAddress: row.last_address,
  };
}
