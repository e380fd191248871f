// Sends packages one after the other, no faster than socket, gateway and terminal take them. Which package comes next is decided elsewhere.
import { inBackground } from '../../../faults/background.ts';
import type { OnFault } from '../../../faults/onFault.ts';
import type { Outbox } from '../outbox.ts';
import type { PackagePace } from './packagePace.ts';

export interface PackagePumpDeps {
  readonly outbox: Pick<Outbox, 'onDrained'>;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  /** The pace of all terminals together; undefined: as fast as each takes them. */
  readonly pace?: Pick<PackagePace, 'take'> | undefined;
  readonly onFault: OnFault;
}

export interface PackageFlow {
  /** Between two packages; undefined: none. */
  readonly intervalMs: number | undefined;
  /** Undefined while there is nothing to send. */
  readonly next: () => number | undefined;
  readonly send: (number: number) => Promise<void>;
}

export class PackagePump {
  readonly #deps: PackagePumpDeps;
  readonly #flow: PackageFlow;
  #isRunning = false;
  #isStopped = false;
  #cancelDrain: (() => void) | undefined;
  #cancelTurn: (() => void) | undefined;
  #cancelInterval: (() => void) | undefined;

  constructor(deps: PackagePumpDeps, flow: PackageFlow) {
    this.#deps = deps;
    this.#flow = flow;
  }

  /** The socket has bytes that it could not send yet. */
  get waitsForSocket(): boolean {
    return this.#cancelDrain !== undefined;
  }

  run(): void {
    if (this.#isRunning || this.#isStopped) return;
    this.#isRunning = true;
    inBackground('a long message could not be sent', this.#sendWhatFits(), this.#deps.onFault);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelDrain?.();
    this.#cancelTurn?.();
    this.#cancelInterval?.();
  }

  async #sendWhatFits(): Promise<void> {
    try {
      while (!this.#isStopped && this.#cancelInterval === undefined && !this.#isSocketFull()) {
        const number = this.#flow.next();
        if (number === undefined || this.#waitsForTurn()) return;
        this.#startInterval();
        await this.#flow.send(number);
      }
    } finally {
      this.#isRunning = false;
    }
  }

  #startInterval(): void {
    const { intervalMs } = this.#flow;
    if (intervalMs === undefined) return;
    this.#cancelInterval = this.#deps.runAfter(intervalMs, () => {
      this.#cancelInterval = undefined;
      this.run();
    });
  }

  /** Packages never fill the socket: other commands have to get through. */
  #isSocketFull(): boolean {
    this.#cancelDrain?.();
    this.#cancelDrain = this.#deps.outbox.onDrained(() => {
      this.#cancelDrain = undefined;
      this.run();
    });
    return this.#cancelDrain !== undefined;
  }

  #waitsForTurn(): boolean {
    this.#cancelTurn?.();
    this.#cancelTurn = this.#deps.pace?.take(() => {
      this.#cancelTurn = undefined;
      this.run();
    });
    return this.#cancelTurn !== undefined;
  }
}
