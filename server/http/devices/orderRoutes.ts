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
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { DeviceOrders, OrderRequested } from '../../device/orders/deviceOrders.ts';
import { driverText } from '../../device/orders/driverText.ts';
import { driverTextOf } from '../../device/orders/orderBody.ts';
import type { ListedOrder } from '../../store/devices/deviceOrderList.ts';
import type { Device } from '../../store/devices/devices.ts';
import type { Stores } from '../../store/stores.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { ok, type Refusal, Refused, refuse, refusedFields } from '../kernel/envelope.ts';
import { type CsvRow, csvTimestamp } from '../kernel/lists/csv.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import type { Caller } from '../kernel/recognise.ts';
import type { DeviceDirectory } from './deviceRoute.ts';
import { refusalOfOrder } from './orderRefusals.ts';
import { ACCESS, deviceReachOf } from './scope.ts';

export interface OrderRoutesDeps {
  readonly stores: Pick<Stores, 'deviceOrders' | 'deviceTree' | 'devices' | 'memberGroups'>;
  readonly orders: Pick<DeviceOrders, 'request'>;
  readonly directory: DeviceDirectory;
  readonly now: () => WallMs;
}

/** Old news would only confuse a driver. */
const TEXT_EXPIRES_AFTER_MS = 5 * 60_000;
const TEXT_REASON = 'device.text';

const NO_TALK = {
  status: 409,
  code: 'no-talk',
  message: "Talk isn't set up for this device. Ask your administrator to set it up.",
} as const;
export async function registerOrders(app: FastifyInstance, deps: OrderRoutesDeps): Promise<void> {
  registerOrderList(app, deps);
  registerText(app, deps);
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
  const { deviceId, incarnation: _, body, reference = null, result = null, ...rest } = order;
  return { ...rest, deviceid: deviceId, text: driverTextOf(body) ?? '', reference, result };
}

const CSV_COLUMNS = [
  'id',
  'deviceid',
  'message',
  'text',
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
  const { id, deviceid, message, text, reason, reference, requestedBy, state, result } = row;
  return [
    String(id),
    deviceid,
    message,
    text,
    reason,
    String(reference ?? ''),
    requestedBy,
    state,
    String(result ?? ''),
    ...times,
  ];
}

/** `POST /api/device/text`. As talk: seeing the device is all that it takes, if the device can be talked to. */
function registerText(app: FastifyInstance, deps: OrderRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Sends text to the driver', body: DriverText, response: answers(KeptOrder) };
  const config = { access: { kind: 'signed-in' }, changes: [] } as const;
  routes.post(DEVICE_TEXT_PATH, { schema, config }, async (request, reply) => {
    const device = await deviceToTalkTo(deps, callerOf(request), request.body.deviceid);
    if ('status' in device) return refuse(reply, device);
    const requested = await sendText(deps, request as FastifyRequest<{ Body: DriverText }>, device);
    if (requested === undefined) return refuse(reply, refusedFields({ text: 'required' }));
    return requested.ok ? ok({ order: requested.id }) : refuse(reply, refusalOfOrder(requested));
  });
}

async function deviceToTalkTo(
  { stores, directory }: OrderRoutesDeps,
  caller: Caller,
  deviceId: string,
): Promise<Device | Refusal> {
  const { userId, memberGroup } = scopeOf(caller);
  const isSeen = await stores.memberGroups.userSeesDevice(userId, deviceId, memberGroup);
  const device = isSeen ? await stores.devices.findByDeviceId(deviceId) : undefined;
  if (device === undefined || device.disabled) return Refused.device;
  const channels = await directory.describe(deviceId);
  return channels?.talkchs.includes('1') === true ? device : NO_TALK;
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
    expiresAtMs: wallMs(now() + TEXT_EXPIRES_AFTER_MS),
  });
}
