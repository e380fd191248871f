// Links as people manage them: whose they are, what they open, and how they are used. See linkCredentials.ts for what
// decides whether one opens something.
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import {
  channelsOfMask,
  type LinkDevice,
  type LinkRow,
  type LinkSort,
  type LinkState,
} from '../../../shared/protocol/api/links.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import type { Schema } from '../schema.ts';
import { linkKindsOf } from './linkCredentials.ts';

/** Whose links: one's own, and with a group those of everybody for the devices that the group sees. */
export interface LinkScope {
  readonly ownerId: number;
  readonly memberGroup?: number | undefined;
}

export interface LinkListQuery extends LinkScope {
  readonly search: string;
  readonly state?: LinkState | undefined;
  readonly deviceId?: string | undefined;
  readonly sort: LinkSort;
  readonly descending: boolean;
  readonly now: WallMs;
}

export interface LinkUse {
  readonly secretHash: string;
  readonly atMs: WallMs;
  readonly address: string;
  /** How often a page asked meanwhile what the link opens. */
  readonly count: number;
}

export interface LinkListStore {
  count(query: LinkListQuery): Promise<number>;
  page(query: LinkListQuery, page: { readonly offset: number; readonly limit: number }): Promise<LinkRow[]>;
  /** A link that is in the scope, ended or not. */
  find(id: number, scope: LinkScope, now: WallMs): Promise<LinkRow | undefined>;
  noteUses(uses: readonly LinkUse[]): Promise<void>;
  /** Devices of a member group whose id, name or plate has the text, by name. */
  devicesSeen(memberGroup: number, search: string, limit: number): Promise<LinkDevice[]>;
}

export function createLinkListStore(db: StoreDb): LinkListStore {
  return {
    count: async (query) => {
      const counted = links(db).select(({ fn }) => fn.countAll<number>().as('count'));
      return (await counted.where((is) => matches(is, query)).executeTakeFirstOrThrow()).count;
    },
    page: (query, page) => pageOfLinks(db, query, page),
    find: async (id, scope, now) => {
      const query = { ...scope, search: '', sort: 'created', descending: false, now } as const;
      const found = columns(links(db))
        .where((is) => matches(is, query))
        .where('link_credential.id', '=', id);
      const row = await found.executeTakeFirst();
      return row === undefined ? undefined : toLinkRow(row, now);
    },
    noteUses: (uses) => noteUses(db, uses),
    devicesSeen: (memberGroup, search, limit) => devicesSeen(db, { memberGroup, search, limit }),
  };
}

/** The sessions' own credentials are nobody's to manage. */
function links(db: StoreDb) {
  return db
    .selectFrom('link_credential')
    .innerJoin('app_user', 'app_user.id', 'link_credential.owner_id')
    .innerJoin('device', 'device.device_id', 'link_credential.device_id')
    .where('link_credential.session_id_hash', 'is', null);
}

function columns(query: ReturnType<typeof links>) {
  return query
    .selectAll('link_credential')
    .select(['app_user.username', 'device.name as device_name', 'device.plate as device_plate']);
}

type Tables = 'link_credential' | 'app_user' | 'device';

const ORDER = {
  created: sql.ref('link_credential.id'),
  device: sql`lower(device.name)`,
  owner: sql`lower(app_user.username)`,
  note: sql`lower(link_credential.note)`,
  // Those that never end are the last to end.
  until: sql`case when link_credential.expires_at_ms = 0 then 9007199254740991 else link_credential.expires_at_ms end`,
  used: sql.ref('link_credential.last_used_at_ms'),
  uses: sql.ref('link_credential.use_count'),
} as const satisfies Record<LinkSort, unknown>;

async function pageOfLinks(
  db: StoreDb,
  query: LinkListQuery,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<LinkRow[]> {
  const direction = query.descending ? 'desc' : 'asc';
  const found = columns(links(db)).where((is) => matches(is, query));
  const ordered = found.orderBy(ORDER[query.sort], direction).orderBy('link_credential.id', direction);
  const rows = await ordered.limit(limit).offset(offset).execute();
  return rows.map((row) => toLinkRow(row, query.now));
}

function matches(is: ExpressionBuilder<Schema, Tables>, query: LinkListQuery) {
  const { search, state, deviceId, now } = query;
  const pattern = likePattern(search);
  const texts = [
    sql`lower(device.device_id)`,
    sql`lower(device.name)`,
    sql`lower(device.plate)`,
    sql`lower(app_user.username)`,
    sql`lower(link_credential.note)`,
  ];
  return is.and([
    inScope(is, query),
    ...(pattern === undefined ? [] : [is.or(texts.map((text) => sql<SqlBool>`${text} like ${pattern} escape '\\'`))]),
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
  const pattern = likePattern(search);
  const seen = db
    .selectFrom('device')
    .innerJoin('member_group_device_group as owns', 'owns.device_group', 'device.device_group')
    .select(['device.device_id as deviceid', 'device.name', 'device.plate', 'device.chn'])
    .where('owns.member_group', '=', memberGroup)
    .where('device.disabled', '=', 0);
  const columnsSearched = [sql`lower(device.device_id)`, sql`lower(device.name)`, sql`lower(device.plate)`];
  const found =
    pattern === undefined
      ? seen
      : seen.where((is) => is.or(columnsSearched.map((text) => sql<SqlBool>`${text} like ${pattern} escape '\\'`)));
  return found.orderBy(sql`lower(device.name)`).orderBy('device.device_id').limit(limit).execute();
}

/** Undefined when nothing is searched. Without the wildcards that LIKE knows. */
function likePattern(search: string): string | undefined {
  const text = search.trim().toLowerCase();
  return text === '' ? undefined : `%${text.replace(/[\\%_]/g, '\\$&')}%`;
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
    createdAtMs: row.created_at_ms,
    untilMs: row.expires_at_ms,
    revokedAtMs: row.revoked_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
    useCount: row.use_count,
    lastAddress: row.last_address,
  };
}
