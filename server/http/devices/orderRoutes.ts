// Commands to terminals: what was sent to them, and text for their drivers.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  DEVICE_ORDERS_PATH,
  DEVICE_TEXT_PATH,
  DeviceOrderFilters,
  DeviceOrderRow,
  DriverText,
  KeptOrder,
  ORDER_SORTS,
} from '../../../shared/protocol/api/deviceOrders.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { OrderRequested } from '../../device/orders/deviceOrders.ts';
import { driverText } from '../../device/orders/driverText.ts';
import { driverWordsOf } from '../../device/orders/orderBody.ts';
import type { ListedOrder } from '../../store/devices/deviceOrderList.ts';
import type { Device } from '../../store/devices/devices.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, refuse, refusedFields } from '../kernel/envelope.ts';
import { type CsvRow, csvTimestamp } from '../kernel/lists/csv.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { deviceToTalkTo, keptOrder, MAY_TEXT_DRIVERS, type OrderRoutesDeps, WAITS_FOR_MS } from './driverReach.ts';
import { refusalOfOrder } from './orderRefusals.ts';
import { registerQuestions } from './questionRoutes.ts';
import { ACCESS, deviceReachOf } from './scope.ts';

const TEXT_REASON = 'device.text';

export async function registerOrders(app: FastifyInstance, deps: OrderRoutesDeps): Promise<void> {
  registerOrderList(app, deps);
  registerText(app, deps);
  registerQuestions(app, deps);
}

/** `GET /api/device/orders`, with the access and the reach of the device's record. */
function registerOrderList(app: FastifyInstance, deps: OrderRoutesDeps): void {
  listRoutes(app, {
    path: DEVICE_ORDERS_PATH,
    summary: 'Commands that were sent to a device, or wait for it',
    access: ACCESS,
    row: DeviceOrderRow,
    sorts: ORDER_SORTS,
    order: { sort: 'created', descending: true },
    filters: DeviceOrderFilters,
    scope: async (request) => (await deviceReachOf(deps, request)).devices,
    load: async ({ filters: { deviceid, state }, ...query }, scope) => {
      const page = await deps.stores.deviceOrders.page({ ...query, scope, deviceId: deviceid, state });
      return page && { ...page, rows: page.rows.map(toRow) };
    },
    csv: { fileName: 'commands.csv', columns: CSV_COLUMNS, cells: () => cellsOf },
  });
}

function toRow(order: ListedOrder): DeviceOrderRow {
  const {
    deviceId,
    incarnation: _,
    body,
    answerId,
    answeredAtMs: _at,
    reference = null,
    result = null,
    ...rest
  } = order;
  return { ...rest, deviceid: deviceId, ...driverWordsOf(body, answerId), reference, result };
}

const CSV_COLUMNS = [
  'id',
  'deviceid',
  'message',
  'text',
  'answer',
  'reason',
  'reference',
  'requested by',
  'state',
  'result',
  'created',
  'expires',
  'sent',
  'finished',
];

function cellsOf(row: DeviceOrderRow): CsvRow {
  const times = [row.createdAtMs, row.expiresAtMs, row.sentAtMs, row.finishedAtMs].map(csvTimestamp);
  const { id, deviceid, message, text, answer, reason, reference, requestedBy, state, result } = row;
  return [
    String(id),
    deviceid,
    message,
    text,
    answer,
    reason,
    String(reference ?? ''),
    requestedBy,
    state,
    String(result ?? ''),
    ...times,
  ];
}

/** `POST /api/device/text`. The device must be one that can be talked to. */
function registerText(app: FastifyInstance, deps: OrderRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Sends text to the driver', body: DriverText, response: answers(KeptOrder) };
  const config = { ...MAY_TEXT_DRIVERS, changes: [] };
  routes.post(DEVICE_TEXT_PATH, { schema, config }, async (request, reply) => {
    const device = await deviceToTalkTo(deps, callerOf(request), request.body.deviceid);
    if ('status' in device) return refuse(reply, device);
    const requested = await sendText(deps, request as FastifyRequest<{ Body: DriverText }>, device);
    if (requested === undefined) return refuse(reply, refusedFields({ text: 'required' }));
    return requested.ok ? ok(keptOrder(deps, device, requested.id)) : refuse(reply, refusalOfOrder(requested));
  });
}

/** Undefined for a text of blanks. */
async function sendText(
  { orders, now }: OrderRoutesDeps,
  request: FastifyRequest<{ Body: DriverText }>,
  { deviceId, incarnation }: Device,
): Promise<OrderRequested | undefined> {
  const { text, speech, urgent } = request.body;
  const { id, username } = callerOf(request).user;
  const body = driverText(text, { speech, urgent });
  if (body.text === '') return undefined;
  return orders.request({
    device: { deviceId, incarnation },
    body,
    by: { id, username, address: request.ip },
    reason: TEXT_REASON,
    expiresAtMs: wallMs(now() + WAITS_FOR_MS),
  });
}
