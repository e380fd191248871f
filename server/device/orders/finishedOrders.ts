// Orders that end: noted in the database with their entries in the audit, and told to whoever wants to know.
import { wallMs } from '../../../shared/protocol/time.ts';
import { inBackground } from '../../faults/background.ts';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import type { DeviceOrder } from '../../store/devices/deviceOrderRows.ts';
import type { DeviceOrderStore, OrderEnd } from '../../store/devices/deviceOrders.ts';
import type { DatabaseRetry } from './databaseRetry.ts';
import type { OpenOrder } from './openOrder.ts';
import { failureEntry } from './orderAudit.ts';
import type { OrderResult } from './orderSteps.ts';

export interface FinishedOrder extends DeviceOrder {
  readonly deviceId: string;
}

export interface FinishedOrdersDeps {
  readonly store: Pick<DeviceOrderStore, 'finish'>;
  readonly retry: DatabaseRetry;
  readonly now: () => number;
  readonly onFault: OnFault;
}

/** In one transaction, each with an entry in the audit: the statements of others wait meanwhile. */
const ENDED_AT_ONCE = 50;

export class FinishedOrders {
  readonly #deps: FinishedOrdersDeps;
  readonly #listeners = new Set<(order: FinishedOrder) => void>();
  readonly #works = new Set<Promise<void>>();

  constructor(deps: FinishedOrdersDeps) {
    this.#deps = deps;
  }

  /** Returns its own removal. */
  subscribe(listener: (order: FinishedOrder) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Never rejects. When the database can't be reached until the gateway stops, its next start finds the orders as they are there. */
  async end(orders: readonly OpenOrder[], from: OrderEnd['from'], { state, result }: OrderResult): Promise<void> {
    for (let start = 0; start < orders.length; start += ENDED_AT_ONCE) {
      const part = orders.slice(start, start + ENDED_AT_ONCE);
      const finished = await this.#note(part, { from, state, result, atMs: wallMs(this.#deps.now()) });
      for (const order of part) order.end({ state, result });
      for (const order of finished) this.#tell(order);
    }
  }

  /** The same, where nobody waits for it but `close`. */
  endInBackground(orders: readonly OpenOrder[], from: OrderEnd['from'], result: OrderResult): void {
    if (orders.length > 0) this.keep(this.end(orders, from, result));
  }

  /** Work that `close` waits for. */
  keep(work: Promise<void>): void {
    const kept = work.finally(() => this.#works.delete(kept));
    this.#works.add(kept);
    inBackground('an order could not be ended', kept, this.#deps.onFault);
  }

  async close(): Promise<void> {
    while (this.#works.size > 0) await Promise.all(this.#works);
  }

  async #note(orders: readonly OpenOrder[], end: OrderEnd): Promise<readonly FinishedOrder[]> {
    const ids = orders.map(({ id }) => id);
    const deviceIds = new Map(orders.map(({ device }) => [device.incarnation, device.deviceId]));
    const withDevice = (order: DeviceOrder) => ({ ...order, deviceId: deviceIds.get(order.incarnation) ?? '' });
    const audited = end.state === 'done' ? {} : { entryOf: (order: DeviceOrder) => failureEntry(withDevice(order)) };
    const noted = await this.#deps.retry.run('the end of an order could not be noted', () =>
      this.#deps.store.finish(ids, { ...end, ...audited }),
    );
    return noted?.value.map(withDevice) ?? [];
  }

  #tell(order: FinishedOrder): void {
    for (const listener of this.#listeners) {
      try {
        listener(order);
      } catch (cause) {
        this.#deps.onFault(faultOf(`the end of an order of ${order.deviceId} could not be used`, cause));
      }
    }
  }
}
