// Questions to drivers, and the outcome of a command for the member who requested it.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  DEVICE_ORDER_PATH,
  DEVICE_QUESTION_PATH,
  DriverQuestion,
  KeptOrder,
  OrderOutcome,
  OrderQuery,
} from '../../../shared/protocol/api/deviceOrders.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { driverQuestion, isKnownTo } from '../../device/orders/driverQuestion.ts';
import { driverWordsOf } from '../../device/orders/orderBody.ts';
import type { RequestedOrder } from '../../store/devices/deviceOrders.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { ok, refuse, refusedFields } from '../kernel/envelope.ts';
import { deviceToTalkTo, keptOrder, MAY_TEXT_DRIVERS, type OrderRoutesDeps, WAITS_FOR_MS } from './driverReach.ts';
import { refusalOfOrder } from './orderRefusals.ts';

const NO_QUESTIONS = {
  status: 409,
  code: 'no-questions',
  message: "This device's terminal doesn't support questions. Send a text instead.",
} as const;
const NO_ORDER = {
  status: 404,
  code: 'no-such-order',
  message: "Command not found, or you don't have access to it.",
} as const;
const QUESTION_REASON = 'device.question';

/** `POST /api/device/question`, with the access of text to the driver, and `GET /api/device/order`. */
export function registerQuestions(app: FastifyInstance, deps: OrderRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const asking = { summary: 'Asks the driver a question', body: DriverQuestion, response: answers(KeptOrder) };
  const config = { ...MAY_TEXT_DRIVERS, changes: [] };
  routes.post(DEVICE_QUESTION_PATH, { schema: asking, config }, async (request, reply) => {
    const { deviceid, text, answers: given, speech } = request.body;
    const device = await deviceToTalkTo(deps, callerOf(request), deviceid);
    if ('status' in device) return refuse(reply, device);
    const body = driverQuestion(text, given, speech);
    const edition = deps.terminals.edition(deviceid);
    if (edition !== undefined && !isKnownTo(edition, body)) return refuse(reply, NO_QUESTIONS);
    if (body.question === '') return refuse(reply, refusedFields({ text: 'required' }));
    if (body.answers.some((answer) => answer.text === '')) return refuse(reply, refusedFields({ answers: 'required' }));
    const { id, username } = callerOf(request).user;
    const requested = await deps.orders.request({
      device,
      body,
      by: { id, username, address: request.ip },
      reason: QUESTION_REASON,
      expiresAtMs: wallMs(deps.now() + WAITS_FOR_MS),
    });
    return requested.ok ? ok(keptOrder(deps, device, requested.id)) : refuse(reply, refusalOfOrder(requested));
  });

  const reading = {
    summary: "What became of the caller's own command",
    querystring: OrderQuery,
    response: answers(OrderOutcome),
  };
  const readConfig = { access: { kind: 'signed-in' } } as const;
  routes.get(DEVICE_ORDER_PATH, { schema: reading, config: readConfig }, async (request, reply) => {
    const order = await ownOrder(deps, request, Number(request.query.order));
    if (order === undefined) return refuse(reply, NO_ORDER);
    const { id, state, body, answerId, answeredAtMs } = order;
    return ok({ order: id, state, answer: driverWordsOf(body, answerId).answer, answeredAtMs });
  });
}

/** Undefined for orders of other members, or of a device that the caller no longer sees. */
async function ownOrder(
  { stores }: OrderRoutesDeps,
  request: FastifyRequest,
  id: number,
): Promise<RequestedOrder | undefined> {
  const { userId, memberGroup } = scopeOf(callerOf(request));
  const order = await stores.deviceOrders.find(id);
  if (order === undefined || order.requesterId !== userId) return undefined;
  return (await stores.memberGroups.userSeesDevice(userId, order.deviceId, memberGroup)) ? order : undefined;
}
