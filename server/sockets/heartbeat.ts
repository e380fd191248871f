import type { WebSocket } from 'ws';
import type { OnFault } from '../faults/onFault.ts';
import { runEvery } from '../faults/timers.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';

/**
 * Time between two pings to a viewer, the first of which is unanswered. The connection is closed; until then a dead viewer costs no more
 * than some memory.
 */
export const VIEWER_PING_LIMIT: Limit = { name: 'stream.unanswered-ping-seconds.socket', max: 15 };
/**
 * Time between two pings to a page that moves a camera or talks, the first of which is unanswered. The connection is closed, and the camera
 * stops: it has to be missed sooner than a viewer.
 */
export const CONTROL_PING_LIMIT: Limit = { name: 'control.unanswered-ping-seconds.socket', max: 5 };

export interface HeartbeatDeps {
  readonly onFault: OnFault;
  readonly onLimit?: OnLimit | undefined;
}

/**
 * Cuts connections that leave a ping unanswered for a whole interval, such as that of a laptop that went to sleep. Pings
 * are numbered, and only the same number answers: a client must have read everything before it, so none can send pongs
 * while the gateway buffers more and more for it.
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
