// The orders of a device as administrators see them.
import type { ExpressionBuilder } from 'kysely';
import type { OrderSort, OrderState } from '../../../shared/protocol/api/deviceOrders.ts';
import type { StoreDb } from '../engine/database.ts';
import { searchIn } from '../engine/likeSearch.ts';
import { type FoundPage, listPage, mapRows, numberColumn, type PageRequest, type SortKey } from '../engine/listPage.ts';
import type { Schema } from '../schema.ts';
import { inScope } from './deviceList.ts';
import { type DeviceOrder, ORDER_COLUMNS, type OrderRow, toOrder } from './deviceOrderRows.ts';
import type { DeviceScope } from './devicePage.ts';

export interface ListedOrder extends DeviceOrder {
  readonly deviceId: string;
  readonly body: string;
}

export interface OrderPageQuery extends PageRequest<OrderSort> {
  readonly scope: DeviceScope;
  readonly deviceId: string;
  readonly state?: OrderState | undefined;
  /** In the message's kind, the reason and who requested it. */
  readonly search: string;
}

const ORDER = { created: numberColumn('device_order.created_at_ms') } as const satisfies Record<OrderSort, SortKey>;

/** Orders of an existing device. Undefined when the position doesn't belong to such a list. */
export async function pageOfOrders(db: StoreDb, query: OrderPageQuery): Promise<FoundPage<ListedOrder> | undefined> {
  const rows = db
    .selectFrom('device_order')
    .innerJoin('device', 'device.incarnation', 'device_order.incarnation')
    .select(ORDER_COLUMNS.map((column) => `device_order.${column}` as const))
    .select(['device_order.body', 'device.device_id'])
    .where((is) => matches(is, query));
  const page = await listPage(db, { rows, keys: [ORDER[query.sort], numberColumn('device_order.id')] }, query);
  return mapRows(page, toListed);
}

export function toListed(row: OrderRow & { readonly device_id: string; readonly body: string }): ListedOrder {
  return { ...toOrder(row), deviceId: row.device_id, body: row.body };
}

const SEARCHED = ['device_order.message', 'device_order.reason', 'device_order.requested_by_name'] as const;

function matches(is: ExpressionBuilder<Schema, 'device_order' | 'device'>, query: OrderPageQuery) {
  const { scope, deviceId, state, search } = query;
  const found = searchIn(SEARCHED, search);
  return is.and([
    is('device.device_id', '=', deviceId),
    inScope(is as unknown as ExpressionBuilder<Schema, 'device'>, scope),
    ...(state === undefined ? [] : [is('device_order.state', '=', state)]),
    ...(found === undefined ? [] : [found]),
  ]);
}
