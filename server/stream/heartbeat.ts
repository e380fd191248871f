import type { WebSocket } from 'ws';

/** Of viewers: what one that is lost costs until then is some memory. */
const VIEWER_PING_INTERVAL_MS = 15_000;

/**
 * A viewer whose laptop sleeps never says goodbye: whoever leaves a whole interval's ping unanswered is cut. A ping is numbered,
 * and only its own number answers it: to read it, a client must have read what was sent before, so none can make the gateway hold
 * back more and more while it sends pongs of its own accord.
 */
export class Heartbeat {
  readonly #awaited = new Map<WebSocket, string | undefined>();
  readonly #timer: NodeJS.Timeout;
  #beats = 0;

  constructor(intervalMs = VIEWER_PING_INTERVAL_MS) {
    this.#timer = setInterval(() => this.#beat(), intervalMs);
  }

  add(socket: WebSocket): void {
    this.#awaited.set(socket, undefined);
    socket.on('pong', (data) => {
      if (String(data) === this.#awaited.get(socket)) this.#awaited.set(socket, undefined);
    });
    socket.on('close', () => this.#awaited.delete(socket));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    const number = String(++this.#beats);
    for (const [socket, awaited] of this.#awaited) {
      if (awaited !== undefined) {
        socket.terminate();
        continue;
      }
      this.#awaited.set(socket, number);
      socket.ping(number);
    }
  }
}
