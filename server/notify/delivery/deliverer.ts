// Sends the messages that wait in the outbox. Each sender has a loop of its own, so that a slow one doesn't hold up others.
import { Rounds } from '../../faults/rounds.ts';
import type { StoredHealth } from '../../store/notify/outbox/senderHealth.ts';
import type { DeliveryDeps } from './deliveryDeps.ts';
import { SenderLoop } from './senderLoop.ts';

export interface DelivererDeps extends DeliveryDeps {
  /** Senders whose last attempt failed before the gateway's start. */
  readonly failedBefore: () => Promise<readonly StoredHealth[]>;
}

const ROUND_MS = 60_000;
const ROUND_DELAY_MS = 1_000;
/** Time for messages that are being sent at the end; a transport ends soon after its signal. */
export const CLOSE_GRACE_MS = 3_000;

export class Deliverer {
  readonly #deps: DelivererDeps;
  readonly #loops = new Map<number, SenderLoop>();
  #rounds: Rounds | undefined;
  #isClosed = false;

  constructor(deps: DelivererDeps) {
    this.#deps = deps;
  }

  /** Begins sending, with the messages of an earlier run first. */
  async start(): Promise<void> {
    const { failedBefore, health } = this.#deps;
    const failed = await failedBefore();
    health.start(failed);
    this.wake(failed.map(({ sender }) => sender));
    await this.#lookForWaiting();
    const { runAfter, onFault } = this.#deps;
    this.#rounds = new Rounds({
      work: () => this.#lookForWaiting(),
      failure: 'waiting messages could not be looked for',
      intervalMs: ROUND_MS,
      delayMs: ROUND_DELAY_MS,
      runAfter,
      onFault,
    });
  }

  /** Called when these senders have new messages, or messages with a new due time. */
  wake(senders: Iterable<number>): void {
    for (const sender of new Set(senders)) this.#loopOf(sender)?.wake();
  }

  /** Called when senders were edited, turned on or off, or deleted. */
  sendersChanged(): void {
    for (const loop of [...this.#loops.values()]) loop.reload();
  }

  /** Ends within seconds; interrupted messages wait for the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const loops = [...this.#loops.values()].map((loop) => loop.close());
    let cancel: () => void = () => undefined;
    const tooLate = new Promise<void>((resolve) => {
      cancel = this.#deps.runAfter(CLOSE_GRACE_MS, resolve);
    });
    await Promise.race([Promise.all([...loops, this.#rounds?.close()]), tooLate]);
    cancel();
  }

  async #lookForWaiting(): Promise<void> {
    const { queue, figures } = this.#deps;
    this.wake(await queue.sendersWaiting());
    figures.waiting = await queue.waitingCount();
  }

  #loopOf(sender: number): SenderLoop | undefined {
    if (this.#isClosed) return undefined;
    const known = this.#loops.get(sender);
    if (known !== undefined) return known;
    const loop = new SenderLoop(sender, this.#deps, () => this.#loops.delete(sender));
    this.#loops.set(sender, loop);
    return loop;
  }
}
