// The orders of one device, sent one at a time and in the order in which they were added.
import { wallMs } from '../../../shared/protocol/time.ts';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import type { DeviceOrderStore } from '../../store/devices/deviceOrders.ts';
import { GeneralResult } from '../jt808/codec/codes.ts';
import { createSerialQueue } from '../jt808/serialQueue.ts';
import type { DeviceRegistry } from '../registry.ts';
import type { TerminalSession } from '../terminalSession.ts';
import type { DatabaseRetry } from './databaseRetry.ts';
import { isKnownTo } from './driverQuestion.ts';
import { inEdition } from './driverText.ts';
import type { FinishedOrders } from './finishedOrders.ts';
import type { OpenOrder, OrderedDevice } from './openOrder.ts';
import { readOrderBody } from './orderBody.ts';
import { nextStep, type OrderResult, resultOf } from './orderSteps.ts';

export interface DeviceQueueDeps {
  readonly store: Pick<DeviceOrderStore, 'claim' | 'release' | 'noteSerial'>;
  readonly registry: Pick<DeviceRegistry, 'session'>;
  readonly retry: DatabaseRetry;
  /** Terminals that have left a command unanswered: no more orders go to one until it has shown that it is still connected. */
  readonly doubtful: WeakSet<TerminalSession>;
  readonly finished: Pick<FinishedOrders, 'end' | 'keep'>;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
  /** Takes back an order that was not sent. */
  readonly onUnsent: (queue: DeviceQueue, order: OpenOrder) => void;
  /** Called when no order waits and none is on its way. */
  readonly onIdle: (queue: DeviceQueue) => void;
}

/** Pause before a terminal that answers nothing is probed again, and before an order that did not go through is sent again. */
const PAUSE_MS = 30_000;

export class DeviceQueue {
  readonly device: OrderedDevice;
  /** Orders are added one at a time, so that their ids have the order in which they were requested. */
  readonly #inTurn = createSerialQueue();
  readonly #deps: DeviceQueueDeps;
  /** Waiting orders, by id. */
  #waiting: OpenOrder[] = [];
  /** Orders that are being added. */
  #adding = 0;
  #running: Promise<void> | undefined;
  /** Ends the pause. */
  #wake: (() => void) | undefined;
  /** Ends the wait for the terminal; there is at most one. */
  #interrupt: (() => void) | undefined;
  #isStopped = false;

  constructor(device: OrderedDevice, deps: DeviceQueueDeps) {
    this.device = device;
    this.#deps = deps;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Keeps the queue until the order has been added. */
  async whileAdding<Result>(add: () => Promise<Result>): Promise<Result> {
    this.#adding++;
    try {
      return await this.#inTurn(add);
    } finally {
      this.#adding--;
      this.#tellIfIdle();
    }
  }

  /** Must not be called on a stopped queue. */
  push(order: OpenOrder): void {
    const at = this.#waiting.findIndex(({ id }) => id > order.id);
    this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, order);
    this.wake();
  }

  /** Call this when a terminal has connected, or an order was added. */
  wake(): void {
    this.#wake?.();
    if (this.#running !== undefined || this.#isStopped || this.#next().kind === 'rest') return;
    this.#running = this.#run().then(() => {
      this.#running = undefined;
      // Takes up what came after the run's last look.
      this.wake();
      this.#tellIfIdle();
    });
  }

  /** Takes out the expired orders. */
  takeExpired(nowMs: number): OpenOrder[] {
    return this.take(({ expiresAtMs }) => expiresAtMs <= nowMs);
  }

  /** Takes out the chosen waiting orders. */
  take(isTaken: (order: OpenOrder) => boolean): OpenOrder[] {
    const taken = this.#waiting.filter(isTaken);
    if (taken.length > 0) this.#waiting = this.#waiting.filter((order) => !isTaken(order));
    return taken;
  }

  /** Time at which the next waiting order expires; Infinity if none waits. */
  get nextExpiryMs(): number {
    return this.#waiting.reduce((next, { expiresAtMs }) => Math.min(next, expiresAtMs), Number.POSITIVE_INFINITY);
  }

  /** Sends nothing more and gives the waiting orders. The order on its way is noted as unknown, unless it is answered first. */
  stop(): OpenOrder[] {
    this.#isStopped = true;
    this.#interrupt?.();
    this.#wake?.();
    return this.#waiting.splice(0);
  }

  /** Settles when orders that are being added, and the one that was on its way, have ended. */
  async stopped(): Promise<void> {
    await this.#inTurn(async () => undefined);
    await this.#running;
  }

  #tellIfIdle(): void {
    if (this.#waiting.length === 0 && this.#adding === 0 && this.#running === undefined) this.#deps.onIdle(this);
  }

  #next() {
    const session = this.#session();
    const terminal = session === undefined ? 'away' : this.#deps.doubtful.has(session) ? 'doubtful' : 'here';
    return nextStep({ terminal, waiting: this.#waiting, nowMs: this.#deps.now() });
  }

  /** The session that orders may be sent to. */
  #session(): TerminalSession | undefined {
    const session = this.#deps.registry.session(this.device.deviceId);
    return session?.incarnation === this.device.incarnation ? session : undefined;
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const step = this.#next();
      const session = this.#session();
      if (step.kind === 'rest' || session === undefined) return;
      try {
        if (step.kind === 'probe') await this.#probe(session);
        else await this.#deliver(step.order, session);
      } catch (cause) {
        this.#deps.onFault(faultOf(`the orders of ${this.device.deviceId} are interrupted`, cause));
        await this.#pause();
      }
    }
  }

  async #probe(session: TerminalSession): Promise<void> {
    if ((await this.#unlessStopped(session.isAlive())) === true) this.#deps.doubtful.delete(session);
    else await this.#pause();
  }

  /** Ends early when something changes. */
  async #pause(): Promise<void> {
    if (this.#isStopped) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#deps.runAfter(PAUSE_MS, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    this.#wake = undefined;
  }

  /** Gives undefined as soon as the queue is stopped. */
  async #unlessStopped<Result>(work: Promise<Result>): Promise<Result | undefined> {
    try {
      return await new Promise<Result | undefined>((resolve, reject) => {
        this.#interrupt = () => resolve(undefined);
        work.then(resolve, reject);
      });
    } finally {
      this.#interrupt = undefined;
    }
  }

  async #deliver(order: OpenOrder, session: TerminalSession): Promise<void> {
    this.#waiting = this.#waiting.filter((each) => each !== order);
    try {
      await this.#claimAndSend(order, session);
    } catch (cause) {
      order.end({ state: 'unknown' });
      throw cause;
    }
  }

  async #claimAndSend(order: OpenOrder, session: TerminalSession): Promise<void> {
    const { store, retry, finished, now, onUnsent } = this.#deps;
    const claimedAt = wallMs(now());
    const claimed = await retry.run('an order could not be noted as sent', () => store.claim(order.id, claimedAt));
    if (claimed === undefined || (claimed.value === undefined && order.expiresAtMs <= now())) {
      onUnsent(this, order);
      return;
    }
    if (claimed.value === undefined) {
      // The order was deleted with its device, by another program for example.
      order.end({ state: 'unknown' });
      return;
    }
    // The session or the time may have changed while the database was asked.
    const isDue = session === this.#session() && order.expiresAtMs > now() && !this.#isStopped;
    const sent = isDue ? await this.#send(order.id, claimed.value, session) : 'unsent';
    if (sent !== 'unsent') return finished.end([order], 'sent', sent);
    await retry.run('an order could not be noted as unsent', () => store.release(order.id, claimedAt));
    onUnsent(this, order);
    // The connection is over, though the registry may not know yet, or has too many commands under way.
    if (isDue && !this.#isStopped) await this.#pause();
  }

  /** Stores the serial, by which the driver's answer is recognized seconds or minutes later. */
  #noteSerial(id: number, serial: number): void {
    const { store, retry, finished } = this.#deps;
    const noted = retry.run('the serial of a question could not be noted', () => store.noteSerial(id, serial));
    finished.keep(noted.then(() => undefined));
  }

  async #send(id: number, stored: string, session: TerminalSession): Promise<OrderResult | 'unsent'> {
    const { deviceId } = this.device;
    const body = readOrderBody(stored);
    if (body === undefined) {
      this.#deps.onFault(new Error(`an order of ${deviceId} can't be read`));
      return { state: 'unknown' };
    }
    if (!isKnownTo(session.edition, body)) return { state: 'refused', result: GeneralResult.NotSupported };
    try {
      const onSent = (serial: number): void => {
        if (body.kind === 'question') this.#noteSerial(id, serial);
      };
      const result = await this.#unlessStopped(session.command(inEdition(body, session.edition), onSent));
      if (result?.ok === false && result.reason === 'timeout') this.#deps.doubtful.add(session);
      return result === undefined ? { state: 'unknown' } : resultOf(result);
    } catch (cause) {
      this.#deps.onFault(faultOf(`an order of ${deviceId} can't be sent`, cause));
      return { state: 'unknown' };
    }
  }
}
