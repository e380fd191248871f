// Which devices are in alarm, and which alarm it is: an alarm is a lasting event of severity major or higher that nobody has closed.
import type { DeviceAlarm } from '../../shared/protocol/api/liveUpdates.ts';
import { isMajorOrHigher, SEVERITIES } from '../../shared/protocol/events/eventWords.ts';
import type { TrackedEvent } from './engine/trackedEvent.ts';

export interface AlarmBoard {
  /** `alarm` undefined: the device is not in alarm. */
  setAlarm(deviceId: string, alarm: DeviceAlarm | undefined): void;
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
    this.#board.setAlarm(deviceId, worstOf(lasting));
  }
}

function isAlarm({ origins, isAnswered, severity }: TrackedEvent): boolean {
  return origins !== 0 && !isAnswered && isMajorOrHigher(severity);
}

/** The most severe; of several, the one that began first. */
function worstOf(events: ReadonlySet<TrackedEvent>): DeviceAlarm | undefined {
  const [worst] = [...events].sort(
    (left, right) =>
      SEVERITIES.indexOf(left.severity) - SEVERITIES.indexOf(right.severity) || left.beginAtMs - right.beginAtMs,
  );
  return worst && { type: worst.type, severity: worst.severity, sinceMs: worst.beginAtMs };
}
