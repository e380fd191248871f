import type { Socket } from 'node:net';

/** Some 5 ms of work. */
const ENDED_A_TURN = 100;

/**
 * Ends sockets whose other end has ended, a few in each turn of the event loop. Where thousands of terminals are cut at once, ending
 * all of them in the turn that reads their ends holds media, pages and the terminals that return for a third of a second.
 */
export class EndedSockets {
  readonly #runLater: (run: () => void) => unknown;
  #waiting: Socket[] = [];

  /** `runLater`: behind the input and output that is due, as setImmediate. */
  constructor(runLater: (run: () => void) => unknown) {
    this.#runLater = runLater;
  }

  /** Watches a socket of a server with `allowHalfOpen`; without it, Node ends the socket in the same turn. */
  watch(socket: Socket): void {
    socket.once('end', () => {
      this.#waiting.push(socket);
      if (this.#waiting.length === 1) this.#runLater(this.#endSome);
    });
  }

  readonly #endSome = (): void => {
    const ending = this.#waiting.slice(0, ENDED_A_TURN);
    this.#waiting = this.#waiting.slice(ENDED_A_TURN);
    for (const socket of ending) socket.end();
    if (this.#waiting.length > 0) this.#runLater(this.#endSome);
  };
}
