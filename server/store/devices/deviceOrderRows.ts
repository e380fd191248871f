// An order as the database has it, and as the gateway's parts know it.
import type { Selectable } from 'kysely';
import type { OrderState } from '../../../shared/protocol/api/deviceOrders.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { DeviceOrderTable } from './tables.ts';

/** Who requested an order; undefined: the gateway itself. */
export interface OrderRequester {
  readonly id: number;
  readonly username: string;
}

export interface NewDeviceOrder {
  /** Tells a second attempt to add the same order from another order. */
  readonly token: string;
  readonly incarnation: number;
  /** Kind of the message. */
  readonly message: string;
  readonly body: string;
  readonly requestedBy: OrderRequester | undefined;
  /** Short, for programs: `event.confirm`. */
  readonly reason: string;
  /** What the reason is about: the number of an event, for example. */
  readonly reference: number | undefined;
  readonly expiresAtMs: WallMs;
}

/** An order without the message itself. */
export interface DeviceOrder extends Pick<NewDeviceOrder, 'incarnation' | 'message' | 'reason' | 'reference'> {
  readonly id: number;
  /** '' for the gateway itself. */
  readonly requestedBy: string;
  readonly state: OrderState;
  /** The terminal's code, of one that it refused. */
  readonly result: number | undefined;
  readonly createdAtMs: WallMs;
  readonly expiresAtMs: WallMs;
  /** 0: it has not gone out. */
  readonly sentAtMs: WallMs;
  /** 0 while it waits or is on its way. */
  readonly finishedAtMs: WallMs;
  /** Number of the driver's answer to a question. */
  readonly answerId: number | undefined;
  /** 0: no answer. */
  readonly answeredAtMs: WallMs;
}

export const ORDER_COLUMNS = [
  'id',
  'incarnation',
  'message',
  'requested_by_name',
  'reason',
  'reference',
  'state',
  'result',
  'created_at_ms',
  'expires_at_ms',
  'sent_at_ms',
  'finished_at_ms',
  'answer_id',
  'answered_at_ms',
] as const;

export type OrderRow = Pick<Selectable<DeviceOrderTable>, (typeof ORDER_COLUMNS)[number]>;

export function toOrder(row: OrderRow): DeviceOrder {
  const { id, incarnation, message, reason } = row;
  return {
    id,
    incarnation,
    message,
    reason,
    reference: row.reference ?? undefined,
    requestedBy: row.requested_by_name,
    // Written by this module alone.
    state: row.state as OrderState,
    result: row.result ?? undefined,
    createdAtMs: wallMs(row.created_at_ms),
    expiresAtMs: wallMs(row.expires_at_ms),
    sentAtMs: wallMs(row.sent_at_ms),
    finishedAtMs: wallMs(row.finished_at_ms),
    answerId: row.answer_id ?? undefined,
    answeredAtMs: wallMs(row.answered_at_ms),
  };
}
