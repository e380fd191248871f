import type { OrderOutcome } from './orderSteps.ts';

/** The device as it was when the order was requested: another one may have the id by now. */
export interface OrderedDevice {
  readonly deviceId: string;
  readonly incarnation: number;
}

/** An order that has not ended, as the gateway's memory holds it; the message is in the database. */
export interface OpenOrder {
  readonly id: number;
  readonly device: OrderedDevice;
  readonly reason: string;
  readonly expiresAtMs: number;
  /** Tells whoever waits for it, and gives its place to another order. Once. */
  readonly end: (outcome: OrderOutcome) => void;
}
