// The only module that writes `device_order`: commands to terminals, stored before they are sent. They belong to the incarnation of their
// device, so that no later device with the same id gets them.
import type { SelectQueryBuilder } from 'kysely';
import type { OrderState } from '../../../shared/protocol/api/deviceOrders.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { storableText } from '../../limits/storableText.ts';
import { createAuditStore } from '../audit/audit.ts';
import type { AuditEntry } from '../audit/auditEntry.ts';
import type { StoreDb } from '../engine/database.ts';
import { deleteInParts } from '../engine/deleteInParts.ts';
import type { FoundPage } from '../engine/listPage.ts';
import type { Schema } from '../schema.ts';
import { type ListedOrder, type OrderPageQuery, pageOfOrders, toListed } from './deviceOrderList.ts';
import { type DeviceOrder, type NewDeviceOrder, ORDER_COLUMNS, toOrder } from './deviceOrderRows.ts';

export interface UnfinishedOrder extends Pick<DeviceOrder, 'id' | 'incarnation' | 'reason' | 'expiresAtMs'> {
  readonly deviceId: string;
  readonly state: 'waiting' | 'sent';
}

export interface OrderEnd {
  /** The state in which the orders are until then; orders in another state don't change. */
  readonly from: 'waiting' | 'sent';
  readonly state: Exclude<OrderState, 'waiting' | 'sent'>;
  readonly result?: number | undefined;
  readonly atMs: WallMs;
  /** The audit entry of each order, if there is one. */
  readonly entryOf?: (order: DeviceOrder) => AuditEntry;
}

export interface DriverAnswer {
  readonly incarnation: number;
  readonly serial: number;
  /** Number of the answer among those of the question. */
  readonly answerId: number;
  readonly atMs: WallMs;
}

export interface RequestedOrder extends ListedOrder {
  /** Undefined: the gateway itself. */
  readonly requesterId: number | undefined;
}

export interface DeviceOrderStore {
  /** Stores an order and its audit entry, both or none; gives its id, also when the order was stored before. Undefined: no such device. */
  add(order: NewDeviceOrder, entryOf: (id: number) => AuditEntry, at: WallMs): Promise<number | undefined>;
  /** Ends an order that was perhaps stored and is not wanted any more, if it still waits. Can be repeated. */
  retract(token: string, at: WallMs): Promise<void>;
  /** Orders of existing devices in the order in which they were added, after the given id. */
  unfinished(afterId: number, limit: number): Promise<UnfinishedOrder[]>;
  /**
   * Marks an order as sent, which is done before sending, and gives its body. Undefined when it doesn't wait any more. Can be repeated with
   * the same time when it is unknown whether the commit succeeded.
   */
  claim(id: number, at: WallMs): Promise<string | undefined>;
  /** The order was not sent after all: it waits again. */
  release(id: number, claimedAt: WallMs): Promise<void>;
  /** The serial number under which it was sent, for answers of the driver. */
  noteSerial(id: number, serial: number): Promise<void>;
  /** A driver has answered the latest question of this serial that has no answer yet. False where there is none. */
  answer(answer: DriverAnswer): Promise<boolean>;
  /** An order of an existing device, with the id of the user who requested it. */
  find(id: number): Promise<RequestedOrder | undefined>;
  /** Ends orders. Gives the ones that ended this way, also when repeated with the same time. */
  finish(ids: readonly number[], end: OrderEnd): Promise<DeviceOrder[]>;
  /** A page of the orders of existing devices. Undefined when the position doesn't belong to such a list. */
  page(query: OrderPageQuery): Promise<FoundPage<ListedOrder> | undefined>;
  /** Deletes orders that ended before a moment. */
  removeFinished(beforeMs: number): Promise<void>;
  /** Deletes the orders of devices that are gone, finished or not. */
  removeOfEndedDevices(): Promise<void>;
}

/** `reading`: for the list. */
export function createDeviceOrderStore(db: StoreDb, reading: StoreDb): DeviceOrderStore {
  return {
    add: (order, entryOf, at) => db.transaction().execute((work) => addOrder(work, { order, entryOf, at })),
    unfinished: (afterId, limit) => unfinished(db, afterId, limit),
    claim: (id, at) => claim(db, id, at),
    release: async (id, claimedAt) => {
      const sent = db.updateTable('device_order').set({ state: 'waiting', sent_at_ms: 0 }).where('id', '=', id);
      await sent.where('state', '=', 'sent').where('sent_at_ms', '=', claimedAt).execute();
    },
    retract: async (token, at) => {
      const waiting = db.updateTable('device_order').where('token', '=', token).where('state', '=', 'waiting');
      await waiting.set({ state: 'expired', finished_at_ms: at }).execute();
    },
    noteSerial: async (id, serial) => {
      await db.updateTable('device_order').set({ sent_serial: serial }).where('id', '=', id).execute();
    },
    answer: (given) => answerQuestion(db, given),
    find: (id) => findOrder(db, id),
    finish: (ids, end) => finish(db, ids, end),
    page: (query) => pageOfOrders(reading, query),
    removeFinished: (beforeMs) => {
      const old = db.selectFrom('device_order').select('id').where('finished_at_ms', '>', 0);
      const first = old.where('finished_at_ms', '<', beforeMs).orderBy('finished_at_ms').orderBy('id');
      return removeRows(db, first);
    },
    removeOfEndedDevices: () => {
      const ended = db.selectFrom('device_incarnation').select('incarnation').where('ended_at_ms', '>', 0);
      return removeRows(db, db.selectFrom('device_order').select('id').where('incarnation', 'in', ended));
    },
  };
}

interface Addition {
  readonly order: NewDeviceOrder;
  readonly entryOf: (id: number) => AuditEntry;
  readonly at: WallMs;
}

async function addOrder(work: StoreDb, { order, entryOf, at }: Addition): Promise<number | undefined> {
  const { token, incarnation, message, body, requestedBy, reason, reference, expiresAtMs } = order;
  const device = work.selectFrom('device').select('incarnation').where('incarnation', '=', incarnation);
  if ((await device.executeTakeFirst()) === undefined) return undefined;
  const who = { requested_by: requestedBy?.id ?? null, requested_by_name: storableText(requestedBy?.username ?? '') };
  const why = { reason: storableText(reason), reference: reference ?? null };
  const what = { token, incarnation, message, body, state: 'waiting' };
  const times = { created_at_ms: at, expires_at_ms: expiresAtMs };
  const added = await work
    .insertInto('device_order')
    .values({ ...what, ...who, ...why, ...times })
    .onConflict((conflict) => conflict.column('token').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added !== undefined) {
    await createAuditStore(work, work).add(entryOf(added.id), at);
    return added.id;
  }
  const before = work.selectFrom('device_order').select('id').where('token', '=', token);
  return (await before.executeTakeFirstOrThrow()).id;
}

async function unfinished(db: StoreDb, afterId: number, limit: number): Promise<UnfinishedOrder[]> {
  const rows = await db
    .selectFrom('device_order')
    .innerJoin('device', 'device.incarnation', 'device_order.incarnation')
    .select(['id', 'device_order.incarnation', 'device.device_id', 'reason', 'state', 'expires_at_ms'])
    .where('finished_at_ms', '=', 0)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    incarnation: row.incarnation,
    deviceId: row.device_id,
    reason: row.reason,
    state: row.state === 'waiting' ? 'waiting' : 'sent',
    expiresAtMs: wallMs(row.expires_at_ms),
  }));
}

async function claim(db: StoreDb, id: number, at: WallMs): Promise<string | undefined> {
  const row = await db
    .updateTable('device_order')
    .set({ state: 'sent', sent_at_ms: at })
    .where('id', '=', id)
    .where('expires_at_ms', '>', at)
    .where((is) => {
      const waits = is('state', '=', 'waiting');
      return is.or([waits, is.and([is('state', '=', 'sent'), is('sent_at_ms', '=', at)])]);
    })
    .returning('body')
    .executeTakeFirst();
  return row?.body;
}

function finish(db: StoreDb, ids: readonly number[], end: OrderEnd): Promise<DeviceOrder[]> {
  const { entryOf } = end;
  if (entryOf === undefined) return finishRows(db, ids, end).then(({ finished }) => finished);
  return db.transaction().execute(async (work) => {
    const { finished, isNew } = await finishRows(work, ids, end);
    const audit = createAuditStore(work, work);
    for (const order of finished) if (isNew(order.id)) await audit.add(entryOf(order), end.atMs);
    return finished;
  });
}

async function finishRows(work: StoreDb, ids: readonly number[], { from, state, result, atMs }: OrderEnd) {
  const changed = await work
    .updateTable('device_order')
    .set({ state, result: result ?? null, finished_at_ms: atMs })
    .where('id', 'in', ids)
    .where('state', '=', from)
    .returning('id')
    .execute();
  const ended = work.selectFrom('device_order').select(ORDER_COLUMNS).where('id', 'in', ids).where('state', '=', state);
  const rows = await ended.where('finished_at_ms', '=', atMs).orderBy('id').execute();
  const changedIds = new Set(changed.map((row) => row.id));
  return { finished: rows.map(toOrder), isNew: (id: number) => changedIds.has(id) };
}

/** Serials start again with each connection, so an old question may have the serial of a later one. */
const ANSWERED_WITHIN_MS = 24 * 60 * 60_000;

async function answerQuestion(db: StoreDb, { incarnation, serial, answerId, atMs }: DriverAnswer): Promise<boolean> {
  const asked = db
    .selectFrom('device_order')
    .select((is) => is.fn.max('id').as('id'))
    .where('incarnation', '=', incarnation)
    .where('message', '=', 'question')
    .where('sent_serial', '=', serial)
    .where('sent_at_ms', '>', atMs - ANSWERED_WITHIN_MS);
  const answered = await db
    .updateTable('device_order')
    .set({ answer_id: answerId, answered_at_ms: atMs })
    .where('id', '=', asked)
    .where('answered_at_ms', '=', 0)
    .returning('id')
    .executeTakeFirst();
  return answered !== undefined;
}

async function findOrder(db: StoreDb, id: number): Promise<RequestedOrder | undefined> {
  const row = await db
    .selectFrom('device_order')
    .innerJoin('device', 'device.incarnation', 'device_order.incarnation')
    .select(ORDER_COLUMNS.map((column) => `device_order.${column}` as const))
    .select(['device_order.body', 'device_order.requested_by', 'device.device_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { ...toListed(row), requesterId: row.requested_by ?? undefined };
}

type Ids = SelectQueryBuilder<Schema, 'device_order', { readonly id: number }>;

function removeRows(db: StoreDb, ids: Ids): Promise<void> {
  return deleteInParts((limit) => db.deleteFrom('device_order').where('id', 'in', ids.limit(limit)));
}
