import type { WebSocket } from 'ws';
import type { OnFault } from '../faults/onFault.ts';
import { runEvery } from '../faults/timers.ts';

/** Of viewers: what one that is lost costs until then is some memory. */
const VIEWER_PING_INTERVAL_MS = 15_000;

/** A viewer whose laptop sleeps never says goodbye: whoever leaves a whole interval's ping unanswered is cut. */
export class Heartbeat {
  readonly #awaited = new Map<WebSocket, boolean>();
  readonly #stop: () => void;

  constructor(onFault: OnFault, intervalMs = VIEWER_PING_INTERVAL_MS) {
    this.#stop = runEvery(intervalMs, () => this.#beat(), onFault);
  }

  add(socket: WebSocket): void {
    this.#awaited.set(socket, false);
    socket.on('pong', () => this.#awaited.set(socket, false));
    socket.on('close', () => this.#awaited.delete(socket));
  }

  close(): void {
    this.#stop();
  }

  #beat(): void {
    for (const [socket, isAwaited] of this.#awaited) {
      if (isAwaited) {
        socket.terminate();
        continue;
      }
      this.#awaited.set(socket, true);
      socket.ping();
    }
  }
}
