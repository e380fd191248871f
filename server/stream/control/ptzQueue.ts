// Decides when each command is sent to a camera. A terminal may take ten seconds to answer, so of the commands that wait only the
// newest are sent. A stop is always sent, and at once.

import type { PtzMessage } from '../../../shared/protocol/stream/controlMessages.ts';
import type { CommandFault } from '../../device/controls.ts';
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';

export interface PtzQueueDeps {
  readonly send: (message: PtzMessage) => Promise<CommandFault | undefined>;
  readonly onFailed: (fault: CommandFault) => void;
  /** Told of faults of our own code. */
  readonly onFault: OnFault;
}

type Switch = Extract<PtzMessage, { type: 'wiper' | 'infrared' }>;
type Movement = Exclude<PtzMessage, Switch | { type: 'stop' }>;

/** After release, a stop without an answer is sent again up to this often, each try waiting for the full answer timeout. */
const STOPS_AFTER_RELEASE = 3;

/**
 * One command at a time; behind it waits the newest movement and the newest state of each switch. `stop` waits for
 * nothing: the connection keeps its order, so it arrives behind the movement that it ends.
 */
export class PtzQueue {
  readonly #deps: PtzQueueDeps;
  readonly #waitingSwitches = new Map<Switch['type'], Switch>();
  #waitingMovement: Movement | undefined;
  #underWay = 0;
  #stops = 0;
  /** A movement was sent and no `stop` after it has been confirmed. */
  #isMoving = false;
  #isReleased = false;
  #stopsLeft = STOPS_AFTER_RELEASE;

  constructor(deps: PtzQueueDeps) {
    this.#deps = deps;
  }

  take(message: PtzMessage): void {
    if (this.#isReleased) return;
    switch (message.type) {
      case 'stop':
        this.#stop();
        return;
      case 'wiper':
      case 'infrared':
        this.#waitingSwitches.set(message.type, message);
        break;
      case 'move':
      case 'zoom':
      case 'focus':
      case 'iris':
        this.#waitingMovement = message;
        break;
    }
    this.#next();
  }

  /** The person has left: pending commands are dropped, and a moving camera is stopped. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#waitingSwitches.clear();
    this.#waitingMovement = undefined;
    this.#stopAfterRelease();
  }

  #stopAfterRelease(): void {
    if (!this.#isMoving || this.#stops > 0 || this.#stopsLeft === 0) return;
    this.#stopsLeft--;
    this.#send({ type: 'stop' });
  }

  #stop(): void {
    this.#waitingMovement = undefined;
    // One pending stop is enough, because no movement is sent before its answer.
    if (this.#stops === 0) this.#send({ type: 'stop' });
  }

  #next(): void {
    if (this.#underWay > 0) return;
    const movement = this.#waitingMovement;
    const [toggle] = this.#waitingSwitches.values();
    if (movement !== undefined) {
      this.#waitingMovement = undefined;
      this.#isMoving = true;
      this.#send(movement);
    } else if (toggle !== undefined) {
      this.#waitingSwitches.delete(toggle.type);
      this.#send(toggle);
    }
  }

  #send(message: PtzMessage): void {
    const isStop = message.type === 'stop';
    this.#underWay++;
    if (isStop) this.#stops++;
    const sent = this.#deps.send(message).then((fault) => {
      this.#underWay--;
      if (isStop) this.#stops--;
      if (isStop && fault === undefined) this.#isMoving = false;
      if (this.#isReleased) {
        if (fault === 'no-answer') this.#stopAfterRelease();
        return;
      }
      if (fault !== undefined) this.#deps.onFailed(fault);
      this.#next();
    });
    inBackground('a camera could not be moved', sent, this.#deps.onFault);
  }
}
