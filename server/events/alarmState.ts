// Which devices are in alarm: those of which an event of severity major or higher lasts that nobody has closed.
import { isMajorOrHigher } from '../../shared/protocol/events/eventWords.ts';
import type { TrackedEvent } from './engine/trackedEvent.ts';

export interface AlarmBoard {
  setInAlarm(deviceId: string, isInAlarm: boolean): void;
}

export class AlarmState {
  readonly #board: AlarmBoard;
  readonly #lasting = new Map<string, Set<TrackedEvent>>();

  constructor(board: AlarmBoard) {
    this.#board = board;
  }

  /** The event has changed. */
  note(event: TrackedEvent): void {
    if (event.device === undefined) return;
    const { deviceId } = event.device;
    const lasting = this.#lasting.get(deviceId) ?? new Set();
    if (isAlarm(event)) lasting.add(event);
    else lasting.delete(event);
    if (lasting.size > 0) this.#lasting.set(deviceId, lasting);
    else this.#lasting.delete(deviceId);
    this.#board.setInAlarm(deviceId, lasting.size > 0);
  }
}

function isAlarm({ origins, isAnswered, severity }: TrackedEvent): boolean {
  return origins !== 0 && !isAnswered && isMajorOrHigher(severity);
}
