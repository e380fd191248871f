// Which of the alarms that a terminal keeps up were acknowledged by the platform.
import type { KeptAlarm } from './scriptState.ts';

/** Positions that an acknowledgement can still name. */
const MAX_REMEMBERED = 64;

export class Acknowledgements {
  /** The alarms of each position, by its serial. */
  readonly #sent = new Map<number, readonly KeptAlarm[]>();
  /** By step: the latest occurrence that was acknowledged, and with it all before. */
  readonly #answered = new Map<number, number>();

  isAcknowledged(step: number, occurrence: number): boolean {
    return occurrence <= (this.#answered.get(step) ?? -1);
  }

  /** A position went out with these alarms. */
  sent(serial: number, alarms: readonly KeptAlarm[]): void {
    this.#sent.delete(serial);
    if (alarms.length === 0) return;
    this.#sent.set(serial, alarms);
    const [oldest] = this.#sent.keys();
    if (this.#sent.size > MAX_REMEMBERED && oldest !== undefined) this.#sent.delete(oldest);
  }

  /** 0x8203: alarms of these types, those of one position or, with serial 0, all that last. */
  confirm({ alarmSerial, types }: { readonly alarmSerial: number; readonly types: number }): void {
    const sent = alarmSerial === 0 ? [...this.#sent.values()].flat() : (this.#sent.get(alarmSerial) ?? []);
    this.#answer(sent.filter(({ alarm }) => (alarm & types) !== 0));
  }

  /** 0x8001 with the result that the alarms of the position are processed. */
  processed(serial: number): void {
    this.#answer(this.#sent.get(serial) ?? []);
  }

  #answer(alarms: readonly KeptAlarm[]): void {
    for (const { step, occurrence } of alarms) {
      this.#answered.set(step, Math.max(occurrence, this.#answered.get(step) ?? -1));
    }
  }
}
