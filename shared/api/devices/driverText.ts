import {
  DEVICE_ORDER_PATH,
  DEVICE_QUESTION_PATH,
  DEVICE_TEXT_PATH,
  type DriverQuestion,
  type DriverText,
  KeptOrder,
  OrderOutcome,
} from '../../protocol/api/deviceOrders.ts';
import type { ApiResult } from '../client.ts';
import { requestRecord } from '../requestRecord.ts';

/**
 * Text on the terminal's display. The gateway keeps it for a terminal that is offline for a moment. Codes of a refusal: `no-talk`,
 * `too-many-orders`, `no-such-device`; field code `required` (`text`).
 */
export function sendDriverText(text: DriverText): Promise<ApiResult<KeptOrder>> {
  return requestRecord(DEVICE_TEXT_PATH, KeptOrder, { method: 'POST', body: text });
}

/** A question with answers to choose from. As a text; `no-questions`: the terminal has none; field code `required` (`text`, `answers`). */
export function askDriver(question: DriverQuestion): Promise<ApiResult<KeptOrder>> {
  return requestRecord(DEVICE_QUESTION_PATH, KeptOrder, { method: 'POST', body: question });
}

/** What became of a command that the user has requested. Codes of a refusal: `no-such-order`. */
export function loadOrderOutcome(order: number, signal?: AbortSignal): Promise<ApiResult<OrderOutcome>> {
  return requestRecord(DEVICE_ORDER_PATH, OrderOutcome, { query: { order: String(order) }, signal });
}
