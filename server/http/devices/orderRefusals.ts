// Why commands to terminals are refused.
import type { OrderRequested } from '../../device/orders/deviceOrders.ts';
import { type Refusal, Refused } from '../kernel/envelope.ts';

const TOO_MANY_ORDERS = {
  status: 429,
  code: 'too-many-orders',
  message: 'Too many commands are waiting. Try again later.',
} as const;
/** The database has been away all the while, or the gateway stops. */
const NOT_READY = {
  status: 503,
  code: 'not-ready',
  message: "The server isn't ready. Try again in a moment.",
} as const;

export function refusalOfOrder({ reason }: Extract<OrderRequested, { ok: false }>): Refusal {
  switch (reason) {
    case 'too-many':
      return TOO_MANY_ORDERS;
    case 'no-such-device':
      return Refused.device;
    case 'expired':
    case 'closed':
      return NOT_READY;
  }
}
