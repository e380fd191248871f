import { dayNumber, dayStarts, isTimeZone } from '../../../shared/protocol/timeZones.ts';

/** The local day of moments that mostly follow each other: asking the platform's calendar is slow. */
export class LocalDays {
  readonly #timeZone: string;
  #fromMs = 0;
  #toMs = 0;
  #day = 0;

  /** `timeZone`: IANA name; '' or an unknown one: the gateway's own. */
  constructor(timeZone: string) {
    this.#timeZone = isTimeZone(timeZone) ? timeZone : '';
  }

  /** Day as a number, such as 20261123. */
  dayOf(atMs: number): number {
    if (atMs < this.#fromMs || atMs >= this.#toMs) this.#look(atMs);
    return this.#day;
  }

  startOf(atMs: number): number {
    if (atMs < this.#fromMs || atMs >= this.#toMs) this.#look(atMs);
    return this.#fromMs;
  }

  #look(atMs: number): void {
    const [fromMs = atMs, toMs = atMs + 1] = dayStarts(atMs, atMs + 1, this.#timeZone);
    this.#fromMs = fromMs;
    this.#toMs = toMs;
    this.#day = dayNumber(atMs, this.#timeZone);
  }
}
