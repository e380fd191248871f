import { DEVICE_TEXT_PATH, type DriverText, KeptOrder } from '../../protocol/api/deviceOrders.ts';
import type { ApiResult } from '../client.ts';
import { requestRecord } from '../requestRecord.ts';

/**
 * Text on the terminal's display. The gateway keeps it for a terminal that is offline for a moment. Codes of a refusal: `no-talk`,
 * `too-many-orders`, `no-such-device`; field code `required` (`text`).
 */
export function sendDriverText(text: DriverText): Promise<ApiResult<unknown>> {
  return requestRecord(DEVICE_TEXT_PATH, KeptOrder, { method: 'POST', body: text });
}
