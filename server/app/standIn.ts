// Answers browsers at the gateway's port while no gateway does: a page that asks in between learns what happens.
import type { RestoringServer } from '../http/system/restoring/restoringServer.ts';
import type { Log } from '../process/log.ts';

/** Takes turns with a gateway at its port. Neither call rejects: where one fails, the restart continues and browsers are refused. */
export interface StandIn {
  /** The gateway no longer listens for browsers; what else it does may still be closing. */
  take(): Promise<void>;
  /** The gateway is about to listen. */
  leave(): Promise<void>;
}

export interface RestartStandInDeps {
  readonly answer: () => Promise<RestoringServer>;
  readonly log: Log;
}

/** Stands in during restarts alone: a gateway that is closed for good leaves its port to nobody. */
export class RestartStandIn implements StandIn {
  readonly #deps: RestartStandInDeps;
  #isRestarting = false;
  #server: RestoringServer | undefined;

  constructor(deps: RestartStandInDeps) {
    this.#deps = deps;
  }

  begin(): void {
    this.#isRestarting = true;
  }

  async end(): Promise<void> {
    this.#isRestarting = false;
    await this.leave();
  }

  async take(): Promise<void> {
    if (!this.#isRestarting || this.#server !== undefined) return;
    try {
      this.#server = await this.#deps.answer();
    } catch (error) {
      this.#deps.log.error({ err: error }, 'nobody answers while the gateway is closed');
    }
  }

  /** Its port may stay taken: then no gateway starts, and what was changed is undone. */
  async leave(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    try {
      await server?.close();
    } catch (error) {
      this.#deps.log.error({ err: error }, 'what has answered meanwhile could not be closed');
    }
  }
}
