// Decisions of a device's queue. Pure: no clock, no terminal, no database.
import type { OrderState } from '../../../shared/protocol/api/deviceOrders.ts';
import type { CommandResult } from '../terminalSession.ts';

/** How an order ended. */
export interface OrderResult {
  readonly state: Exclude<OrderState, 'waiting' | 'sent'>;
  /** The terminal's code, where it refused. */
  readonly result?: number | undefined;
}

/** `waiting`: the gateway stops before the order was sent, which goes on waiting after the next start. */
export type OrderOutcome = OrderResult | { readonly state: 'waiting' };

export function resultOf(result: CommandResult): OrderResult | 'unsent' {
  if (result.ok) return { state: 'done' };
  if (result.reason === 'refused') return { state: 'refused', result: result.result };
  if (result.isUnsent === true) return 'unsent';
  // When a connection ends, the terminal may have obeyed or not.
  return { state: result.reason === 'timeout' ? 'no-answer' : 'unknown' };
}

export type QueueStep<Order> =
  /** Until an order is added or a terminal signs in. */
  | { readonly kind: 'rest' }
  /** Asks whether the terminal is still there, before another order is lost on it. */
  | { readonly kind: 'probe' }
  | { readonly kind: 'send'; readonly order: Order };

export interface QueueState<Order> {
  readonly terminal: 'away' | 'doubtful' | 'here';
  /** In the order in which they go out. */
  readonly waiting: readonly Order[];
  readonly nowMs: number;
}

/** Orders whose time is over are left to whoever ends them. */
export function nextStep<Order extends { readonly expiresAtMs: number }>({
  terminal,
  waiting,
  nowMs,
}: QueueState<Order>): QueueStep<Order> {
  const order = waiting.find(({ expiresAtMs }) => expiresAtMs > nowMs);
  if (order === undefined || terminal === 'away') return { kind: 'rest' };
  return terminal === 'doubtful' ? { kind: 'probe' } : { kind: 'send', order };
}
