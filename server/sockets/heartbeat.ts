import type { WebSocket } from 'ws';
import type { OnFault } from '../faults/onFault.ts';
import { runEvery } from '../faults/timers.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';

/** Seconds; what a viewer that is lost costs until then is some memory. */
export const VIEWER_PING_LIMIT: Limit = { name: 'stream.unanswered-ping-seconds.socket', max: 15 };
/** Whoever holds a camera that turns is missed sooner than a viewer. */
export const CONTROL_PING_LIMIT: Limit = { name: 'control.unanswered-ping-seconds.socket', max: 5 };

export interface HeartbeatDeps {
  readonly onFault: OnFault;
  readonly onLimit?: OnLimit | undefined;
}

/**
 * A viewer whose laptop sleeps never says goodbye: whoever leaves a whole interval's ping unanswered is cut. A ping is numbered,
 * and only its own number answers it: to read it, a client must have read what was sent before, so none can make the gateway hold
 * back more and more while it sends pongs of its own accord.
 */
export class Heartbeat {
  readonly #awaited = new Map<WebSocket, string | undefined>();
  readonly #stop: () => void;
  readonly #limit: Limit;
  readonly #onLimit: OnLimit | undefined;
  #beats = 0;

  /** Pings at the interval that an answer may take. */
  constructor(limit: Limit, { onLimit, onFault }: HeartbeatDeps) {
    this.#limit = limit;
    this.#onLimit = onLimit;
    this.#stop = runEvery(limit.max * 1_000, () => this.#beat(), onFault);
  }

  add(socket: WebSocket): void {
    this.#awaited.set(socket, undefined);
    socket.on('pong', (data) => {
      if (String(data) === this.#awaited.get(socket)) this.#awaited.set(socket, undefined);
    });
    socket.on('close', () => this.#awaited.delete(socket));
  }

  close(): void {
    this.#stop();
  }

  #beat(): void {
    const number = String(++this.#beats);
    for (const [socket, awaited] of this.#awaited) {
      if (awaited !== undefined) {
        this.#onLimit?.(this.#limit);
        socket.terminate();
        continue;
      }
      this.#awaited.set(socket, number);
      socket.ping(number);
    }
  }
}
