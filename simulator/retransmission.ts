// What a terminal sends again while it is not acknowledged: after 10, 20, 60 seconds, then it dials anew.
import { runAfter } from '../server/faults/timers.ts';
import { reportFault } from './reportFault.ts';

export interface RetransmissionDeps {
  readonly send: (frame: Uint8Array) => void;
  readonly giveUp: () => void;
}

const FIRST_WAIT_MS = 10_000;
const MAX_RETRANSMISSIONS = 3;

/** Each wait is the one before times its number. */
export function waitBeforeMs(retransmission: number): number {
  let waitMs = FIRST_WAIT_MS;
  for (let round = 2; round <= retransmission; round++) waitMs *= round;
  return waitMs;
}

/** Owns its timers until `close`. */
export class Retransmission {
  readonly #deps: RetransmissionDeps;
  readonly #waiting = new Map<number, () => void>();

  constructor(deps: RetransmissionDeps) {
    this.#deps = deps;
  }

  expect(serial: number, frame: Uint8Array): void {
    this.acknowledge(serial);
    this.#wait(serial, frame, 1);
  }

  acknowledge(serial: number): void {
    this.#waiting.get(serial)?.();
    this.#waiting.delete(serial);
  }

  close(): void {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }

  #wait(serial: number, frame: Uint8Array, retransmission: number): void {
    const resend = (): void => {
      if (retransmission > MAX_RETRANSMISSIONS) {
        this.#deps.giveUp();
        return;
      }
      this.#deps.send(frame);
      this.#wait(serial, frame, retransmission + 1);
    };
    this.#waiting.set(serial, runAfter(waitBeforeMs(retransmission), resend, reportFault));
  }
}
