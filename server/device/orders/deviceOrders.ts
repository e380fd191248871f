// Commands for terminals: stored in the database before they are sent, and sent when the terminal is connected, one at a time for
// each device.
import { randomUUID } from 'node:crypto';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { KeyedCount } from '../../limits/keyedCount.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { OrderRequester } from '../../store/devices/deviceOrderRows.ts';
import type { DeviceOrderStore } from '../../store/devices/deviceOrders.ts';
import type { MessageBody } from '../jt808/codec/message.ts';
import type { DeviceRegistry } from '../registry.ts';
import type { TerminalSession } from '../terminalSession.ts';
import { DatabaseRetry } from './databaseRetry.ts';
import { DeviceQueue } from './deviceQueue.ts';
import { ExpiryTimer } from './expiryTimer.ts';
import { type FinishedOrder, FinishedOrders } from './finishedOrders.ts';
import type { OpenOrder, OrderedDevice } from './openOrder.ts';
import { requestEntry } from './orderAudit.ts';
import { messageNameOf, writeOrderBody } from './orderBody.ts';
import type { OrderOutcome } from './orderSteps.ts';

/**
 * Commands of one device that wait for its terminal or its answer: two days for an offline terminal that gets two commands an hour. The
 * next one is refused; a text to the driver with 429 `too-many-orders`.
 */
export const DEVICE_ORDERS_LIMIT: Limit = { name: 'terminals.waiting-orders.device', max: 100 };
/**
 * Commands of all devices that wait for their terminals or their answers; each takes some 300 bytes of memory. The next one is refused; a
 * text to the driver with 429 `too-many-orders`.
 */
export const ALL_ORDERS_LIMIT: Limit = { name: 'terminals.waiting-orders.all', max: 20_000 };

export interface OrderRequest {
  readonly device: OrderedDevice;
  /** Any message that terminals answer with 0x0001. Texts have the flags of 2013: see driverText.ts. */
  readonly body: MessageBody;
  /** The requester; undefined: the gateway itself. */
  readonly by?: (OrderRequester & { readonly address: string }) | undefined;
  /** A short reason for programs, such as `event.confirm`. */
  readonly reason: string;
  /** The subject of the reason, such as the number of an event. */
  readonly reference?: number | undefined;
  /** The order is not sent from this time on. */
  readonly expiresAtMs: WallMs;
}

export type OrderRequested =
  /** The order is stored. `outcome` never rejects, and need not be awaited. */
  | { readonly ok: true; readonly id: number; readonly outcome: Promise<OrderOutcome> }
  | {
      readonly ok: false;
      /** `closed`: the gateway is stopping. `expired`: the order had expired before the database took it. */
      readonly reason: 'too-many' | 'no-such-device' | 'expired' | 'closed';
    };

export interface DeviceOrdersDeps {
  readonly store: Pick<
    DeviceOrderStore,
    'add' | 'retract' | 'unfinished' | 'claim' | 'release' | 'noteSerial' | 'finish'
  >;
  readonly registry: Pick<DeviceRegistry, 'session' | 'subscribe'>;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly random: () => number;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
}

/** Rows that one statement reads. */
const ROWS = 1_000;

/**
 * An order is marked as sent before it is sent, so that no restart sends it twice; the state of one that was on its way when the
 * gateway ended is unknown. Orders that wait for their terminal go on waiting.
 */
export class DeviceOrders {
  readonly #deps: DeviceOrdersDeps;
  readonly #retry: DatabaseRetry;
  readonly #finished: FinishedOrders;
  readonly #expiry: ExpiryTimer;
  readonly #ofDevice: KeyedCount;
  readonly #all: KeyedCount;
  /** Queues of the devices with orders that have not ended, by device ID. */
  readonly #queues = new Map<string, DeviceQueue>();
  readonly #doubtful = new WeakSet<TerminalSession>();
  readonly #started: Promise<void>;
  #tellStarted: () => void = () => undefined;
  #unsubscribe: () => void = () => undefined;
  #isClosed = false;

  constructor(deps: DeviceOrdersDeps) {
    this.#deps = deps;
    this.#retry = new DatabaseRetry(deps);
    this.#finished = new FinishedOrders({ ...deps, retry: this.#retry });
    this.#expiry = new ExpiryTimer({ ...deps, expire: (nowMs) => this.#expire(nowMs) });
    this.#ofDevice = new KeyedCount(DEVICE_ORDERS_LIMIT, deps.onLimit);
    this.#all = new KeyedCount(ALL_ORDERS_LIMIT, deps.onLimit);
    this.#started = new Promise((resolve) => {
      this.#tellStarted = resolve;
    });
  }

  /** The listener is called for every order that ends, also for those of an earlier run. Returns a function that removes it. */
  subscribe(listener: (order: FinishedOrder) => void): () => void {
    return this.#finished.subscribe(listener);
  }

  /** Orders of all devices that have not ended. */
  get openCount(): number {
    return this.#all.count('');
  }

  /** Reads the orders that an earlier run has left. Requests wait until then. */
  async start(): Promise<void> {
    const { store, registry } = this.#deps;
    const sent: OpenOrder[] = [];
    const waiting: OpenOrder[] = [];
    let page = await store.unfinished(0, ROWS);
    while (page.length > 0) {
      for (const { state, deviceId, incarnation, ...order } of page) {
        const device = { deviceId, incarnation };
        const leave = this.#enter(device) ?? (() => undefined);
        (state === 'sent' ? sent : waiting).push({ ...order, device, end: leave });
      }
      page = await store.unfinished(page.at(-1)?.id ?? 0, ROWS);
    }
    await this.#finished.end(sent, 'sent', { state: 'unknown' });
    this.#unsubscribe = registry.subscribe((deviceId, presence) => {
      if (presence !== undefined) this.#queues.get(deviceId)?.wake();
    });
    for (const order of waiting) this.#takeWaiting(order, this.#queueOf(order.device));
    this.#tellStarted();
  }

  /** Throws a RangeError for a message that can't be sent. Settles once the order is stored, however long the database is down. */
  async request(request: OrderRequest): Promise<OrderRequested> {
    const body = writeOrderBody(request.body);
    await this.#started;
    if (this.#isClosed) return { ok: false, reason: 'closed' };
    if (request.expiresAtMs <= this.#deps.now()) return { ok: false, reason: 'expired' };
    const leave = this.#enter(request.device);
    if (leave === undefined) return { ok: false, reason: 'too-many' };
    let added: OrderRequested = NO_SUCH_DEVICE;
    try {
      const queue = this.#queueOf(request.device);
      if (queue !== undefined) added = await queue.whileAdding(() => this.#add({ request, body, queue, leave }));
      return added;
    } finally {
      if (!added.ok) leave();
    }
  }

  /** Call this when the device was deleted or has another terminal: orders that waited for the old one are not sent any more. */
  forget(deviceId: string): void {
    const queue = this.#queues.get(deviceId);
    if (queue !== undefined) this.#retire(queue);
  }

  /** Call this when another order replaces those that wait: they are not sent any more. An order on its way is not affected. */
  withdraw(deviceId: string, { reason, exceptId }: { readonly reason: string; readonly exceptId: number | undefined }) {
    const withdrawn = this.#queues.get(deviceId)?.take((order) => order.reason === reason && order.id !== exceptId);
    this.#finished.endInBackground(withdrawn ?? [], 'waiting', { state: 'expired' });
  }

  /** Drops the waiting orders, and settles once this is stored. */
  async dropWaiting(deviceId: string): Promise<void> {
    await this.#finished.end(this.#queues.get(deviceId)?.take(() => true) ?? [], 'waiting', { state: 'expired' });
  }

  /** Closes without waiting for answers, which would take too long: the order on its way is noted as unknown. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#tellStarted();
    this.#unsubscribe();
    this.#expiry.close();
    this.#retry.close();
    const queues = [...this.#queues.values()];
    for (const order of queues.flatMap((queue) => queue.stop())) order.end({ state: 'waiting' });
    await Promise.all(queues.map((queue) => queue.stopped()));
    await this.#finished.close();
  }

  /** Undefined when the ID has passed to a later device. */
  #queueOf(device: OrderedDevice): DeviceQueue | undefined {
    const known = this.#queues.get(device.deviceId);
    if (known?.device.incarnation === device.incarnation) return known;
    if (known !== undefined && known.device.incarnation > device.incarnation) return undefined;
    if (known !== undefined) this.#retire(known);
    const queue = new DeviceQueue(device, {
      ...this.#deps,
      retry: this.#retry,
      finished: this.#finished,
      doubtful: this.#doubtful,
      onUnsent: (from, order) => this.#takeWaiting(order, from),
      onIdle: (idle) => {
        if (this.#queues.get(device.deviceId) === idle) this.#queues.delete(device.deviceId);
      },
    });
    this.#queues.set(device.deviceId, queue);
    return queue;
  }

  #retire(queue: DeviceQueue): void {
    this.#queues.delete(queue.device.deviceId);
    this.#finished.endInBackground(queue.stop(), 'waiting', { state: 'expired' });
    this.#finished.keep(queue.stopped());
  }

  /** Takes a place for an order and gives its release; undefined when all places are taken. */
  #enter({ incarnation }: OrderedDevice): (() => void) | undefined {
    const leaveAll = this.#all.enter('');
    if (leaveAll === undefined) return undefined;
    const leaveDevice = this.#ofDevice.enter(String(incarnation));
    if (leaveDevice === undefined) {
      leaveAll();
      return undefined;
    }
    return () => {
      leaveAll();
      leaveDevice();
    };
  }

  async #add({ request, body, queue, leave }: Addition): Promise<OrderRequested> {
    const { store, now } = this.#deps;
    const { device, by, reason, reference, expiresAtMs } = request;
    const what = { message: messageNameOf(request.body), reason, reference };
    const order = { token: randomUUID(), incarnation: device.incarnation, body, requestedBy: by, expiresAtMs, ...what };
    const entryOf = (id: number) => requestEntry({ deviceId: device.deviceId, by, ...what }, id);
    const at = wallMs(now());
    const added = await this.#retry.run('an order could not be kept', () => store.add(order, entryOf, at), expiresAtMs);
    if (added === undefined) {
      this.#retract(order.token);
      return { ok: false, reason: this.#isClosed ? 'closed' : 'expired' };
    }
    const id = added.value;
    if (id === undefined) return NO_SUCH_DEVICE;
    const outcome = new Promise<OrderOutcome>((settle) => {
      const end = (ended: OrderOutcome): void => {
        leave();
        settle(ended);
      };
      this.#takeWaiting({ id, device, reason, expiresAtMs, end }, queue);
    });
    return { ok: true, id, outcome };
  }

  /** Takes an order back from the database: it may have been committed, although its caller was told that it was not stored. */
  #retract(token: string): void {
    const at = wallMs(this.#deps.now());
    const work = this.#retry.run('an order could not be taken back', () => this.#deps.store.retract(token, at));
    this.#finished.keep(work.then(() => undefined));
  }

  /** Queues an order to be sent, unless its queue has been stopped meanwhile. */
  #takeWaiting(order: OpenOrder, queue: DeviceQueue | undefined): void {
    if (this.#isClosed) {
      order.end({ state: 'waiting' });
    } else if (queue === undefined || queue.isStopped) {
      this.#finished.endInBackground([order], 'waiting', { state: 'expired' });
    } else {
      queue.push(order);
      this.#expiry.schedule(order.expiresAtMs);
    }
  }

  #expire(nowMs: number): number {
    const queues = [...this.#queues.values()];
    const expired = queues.flatMap((queue) => queue.takeExpired(nowMs));
    this.#finished.endInBackground(expired, 'waiting', { state: 'expired' });
    return queues.reduce((next, { nextExpiryMs }) => Math.min(next, nextExpiryMs), Number.POSITIVE_INFINITY);
  }
}

interface Addition {
  readonly request: OrderRequest;
  readonly body: string;
  readonly queue: DeviceQueue;
  readonly leave: () => void;
}

const NO_SUCH_DEVICE = { ok: false, reason: 'no-such-device' } as const;
