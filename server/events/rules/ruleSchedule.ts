import type { WeekSchedule } from '../../../shared/protocol/api/weekWindows.ts';
import { isScheduled } from '../../../shared/protocol/weekSchedule.ts';

const MINUTE_MS = 60_000;

/**
 * When a rule applies. The answer is the same for a whole minute, and is kept for that long: reading the wall clock of a
 * time zone takes a thousand times as long as the rest of a rule, and positions come by the thousand.
 */
export class RuleSchedule {
  readonly #schedule: WeekSchedule;
  readonly #timeZone: string;
  #minute = Number.NaN;
  #applies = false;

  constructor(schedule: WeekSchedule, timeZone: string) {
    this.#schedule = schedule;
    this.#timeZone = timeZone;
  }

  appliesAt(atMs: number): boolean {
    const minute = Math.floor(atMs / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#applies = isScheduled(this.#schedule, this.#timeZone, atMs);
    }
    return this.#applies;
  }
}
