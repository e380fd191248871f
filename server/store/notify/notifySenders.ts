// The only module that writes `notify_sender` but for how its attempts go.
import { type Selectable, sql } from 'kysely';
import { MAX_SENDERS, type SenderSort } from '../../../shared/protocol/api/notify/senders.ts';
import { SENDER_KINDS, type SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { searchIn } from '../engine/likeSearch.ts';
import { type FoundPage, listPage, mapRows, numberColumn, type PageRequest, textKey } from '../engine/listPage.ts';
import type { Outcome } from '../outcome.ts';
import { isSenderUsed } from './senderUse.ts';
import type { NotifySenderTable } from './tables.ts';

export interface SenderFields {
  readonly name: string;
  readonly kind: SenderKind;
  readonly enabled: boolean;
  /** 0: no limit. */
  readonly perMinute: number;
  /** SENDER_SETTINGS of the kind. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface StoredSender extends SenderFields {
  readonly id: number;
  readonly version: number;
  /** '' for none. */
  readonly sealedSecret: string;
  readonly failures: number;
  readonly lastSentAtMs: WallMs;
  readonly lastFailureAtMs: WallMs;
  readonly lastFailure: string;
}

export interface ListedSender extends StoredSender {
  /** Messages that wait for it. */
  readonly waiting: number;
}

interface SenderQuery extends PageRequest<SenderSort> {
  readonly search: string;
  readonly filters: { readonly kind?: SenderKind };
}

interface SenderVersion {
  readonly id: number;
  readonly version: number;
}

/** Seals the secret for the sender's id, which is known once the sender is stored. */
type SealSecret = (id: number) => string;

export interface NotifySenderStore {
  /** Undefined when the position is none of such a list. */
  page(query: SenderQuery): Promise<FoundPage<ListedSender> | undefined>;
  /** By name. */
  all(): Promise<StoredSender[]>;
  find(id: number): Promise<ListedSender | undefined>;
  /** `seal`: left out for a sender without a secret. */
  insert(fields: SenderFields, seal?: SealSecret): Promise<Outcome<ListedSender, 'too-many'>>;
  /** `sealedSecret`: left out: it stays; '': none. Gives the sender as it was before. */
  update(
    of: SenderVersion,
    fields: SenderFields,
    sealedSecret?: string,
  ): Promise<Outcome<StoredSender, 'gone' | 'conflict'>>;
  /** Gives the sender that was removed. One that a rule uses stays. */
  remove(of: SenderVersion): Promise<Outcome<StoredSender, 'gone' | 'conflict' | 'used'>>;
}

/** Senders of the installation. A further one is refused with 409 `too-many-senders`. */
export const SENDERS_LIMIT: Limit = { name: 'notify.senders.all', max: MAX_SENDERS };

const ORDER = { name: textKey(sql`lower(notify_sender.name)`), kind: numberColumn('notify_sender.kind') } as const;

export function createNotifySenderStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): NotifySenderStore {
  return {
    page: (query) => pageOfSenders(reading, query),
    all: async () => (await db.selectFrom('notify_sender').selectAll().orderBy('name').execute()).map(toSender),
    find: (id) => findSender(db, id),
    insert: (fields, seal) =>
      db.transaction().execute(async (work) => {
        const counting = work.selectFrom('notify_sender').select((eb) => eb.fn.countAll().as('count'));
        if (Number((await counting.executeTakeFirstOrThrow()).count) >= SENDERS_LIMIT.max) {
          onLimit?.(SENDERS_LIMIT);
          return { ok: false, reason: 'too-many' };
        }
        const inserting = work.insertInto('notify_sender').values({ ...toRow(fields), secret: '' });
        const row = await inserting.returningAll().executeTakeFirstOrThrow();
        const secret = seal?.(row.id) ?? '';
        if (secret !== '') await work.updateTable('notify_sender').set({ secret }).where('id', '=', row.id).execute();
        return { ok: true, value: { ...toSender({ ...row, secret }), waiting: 0 } };
      }),
    update: (of, fields, sealedSecret) =>
      changed(db, of, async (work, known) => {
        const secret = sealedSecret ?? known.sealedSecret;
        const columns = { ...toRow(fields), secret, version: of.version + 1 };
        await work.updateTable('notify_sender').set(columns).where('id', '=', of.id).execute();
        return { ok: true, value: known };
      }),
    remove: (of) =>
      changed<'used'>(db, of, async (work, known) => {
        if (await isSenderUsed(work, of.id)) return { ok: false, reason: 'used' };
        await work.deleteFrom('notify_sender').where('id', '=', of.id).execute();
        return { ok: true, value: known };
      }),
  };
}

/** 0 is `waiting`. */
const WAITING = sql<number>`(select count(*) from notify_message where notify_message.sender = notify_sender.id
  and notify_message.state = 0)`;

function listed(db: StoreDb) {
  return db.selectFrom('notify_sender').selectAll('notify_sender').select(WAITING.as('waiting'));
}

async function pageOfSenders(
  db: StoreDb,
  { search, filters, ...request }: SenderQuery,
): Promise<FoundPage<ListedSender> | undefined> {
  const found = searchIn(['notify_sender.name'], search);
  let rows = listed(db);
  if (found !== undefined) rows = rows.where(found);
  if (filters.kind !== undefined) rows = rows.where('kind', '=', SENDER_KINDS.indexOf(filters.kind));
  const keys = [ORDER[request.sort], numberColumn('notify_sender.id')];
  return mapRows(await listPage(db, { rows, keys }, request), toListed);
}

async function findSender(db: StoreDb, id: number): Promise<ListedSender | undefined> {
  const row = await listed(db).where('id', '=', id).executeTakeFirst();
  return row && toListed(row);
}

/** Runs a change of the sender as it was read, unless another has been first. */
function changed<Refusal = never>(
  db: StoreDb,
  { id, version }: SenderVersion,
  change: (work: StoreDb, known: StoredSender) => Promise<Outcome<StoredSender, Refusal>>,
): Promise<Outcome<StoredSender, 'gone' | 'conflict' | Refusal>> {
  return db.transaction().execute(async (work) => {
    // Takes the row, so that of two changes at once the other reads what the first has left.
    const lock = work.updateTable('notify_sender').set({ id }).where('id', '=', id).returningAll();
    const row = await lock.executeTakeFirst();
    if (row === undefined) return { ok: false, reason: 'gone' };
    return row.version === version ? change(work, toSender(row)) : { ok: false, reason: 'conflict' };
  });
}

function toRow({ name, kind, enabled, perMinute, settings }: SenderFields) {
  return {
    name,
    kind: SENDER_KINDS.indexOf(kind),
    enabled: enabled ? 1 : 0,
    per_minute: perMinute,
    settings: JSON.stringify(settings),
  };
}

type SenderRow = Selectable<NotifySenderTable>;

function toListed(row: SenderRow & { readonly waiting: number }): ListedSender {
  return { ...toSender(row), waiting: Number(row.waiting) };
}

function toSender(row: SenderRow): StoredSender {
  const kind = SENDER_KINDS[row.kind];
  if (kind === undefined) throw new Error(`sender ${row.id} is of kind ${row.kind}, which this version does not know`);
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    kind,
    enabled: row.enabled === 1,
    perMinute: row.per_minute,
    settings: JSON.parse(row.settings) as SenderFields['settings'],
    sealedSecret: row.secret,
    failures: row.failures,
    lastSentAtMs: wallMs(row.last_sent_at_ms),
    lastFailureAtMs: wallMs(row.last_failure_at_ms),
    lastFailure: row.last_failure,
  };
}
