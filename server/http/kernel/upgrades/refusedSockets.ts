import type { Duplex } from 'node:stream';
import type { After } from '../../../faults/timers.ts';
import type { Limit, OnLimit } from '../../../limits/limit.ts';

/** Refused upgrades that the client has not closed yet, in the process; each is closed after a second. The oldest is closed. */
export const REFUSED_SOCKETS_LIMIT: Limit = { name: 'upgrades.refused.process', max: 256 };

/** Time for the answer to arrive: when a connection is cut with unread data in it, its answer is lost. */
const LINGER_MS = 1_000;

export interface RefusedSocketsDeps {
  readonly runAfter: After;
  readonly onLimit: OnLimit;
}

/** Answers upgrades with a refusal, and closes connections that were refused something, whatever the other end does. */
export class RefusedSockets {
  readonly #deps: RefusedSocketsDeps;
  readonly #lingering = new Set<Duplex>();

  constructor(deps: RefusedSocketsDeps) {
    this.#deps = deps;
  }

  refuse(socket: Duplex, status: string): void {
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    this.closeSoon(socket);
  }

  /** The refusal is written; what still comes is read and forgotten, until the other end has closed or the time is up. */
  closeSoon(socket: Duplex): void {
    if (socket.destroyed) return;
    this.#makeRoom();
    this.#lingering.add(socket);
    const cancel = this.#deps.runAfter(LINGER_MS, () => socket.destroy());
    socket.on('close', () => {
      cancel();
      this.#lingering.delete(socket);
    });
    socket.on('end', () => socket.destroy());
    socket.resume();
  }

  #makeRoom(): void {
    if (this.#lingering.size < REFUSED_SOCKETS_LIMIT.max) return;
    this.#deps.onLimit(REFUSED_SOCKETS_LIMIT);
    const [oldest] = this.#lingering;
    if (oldest === undefined) return;
    this.#lingering.delete(oldest);
    oldest.destroy();
  }
}
