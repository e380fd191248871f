// The levels of a fuel sensor: fuel sloshes on the road, and a level is a value on which several readings agree.
import type { PreparedRule } from '../rule.ts';

/** Number of consecutive readings, which differ by at most this share of the threshold, that make a level. */
const READINGS = 5;
const STEADY_SHARE = 0.5;
/** A level that changes by no more than this from reading to reading has settled. */
const SETTLED_LITERS = 0.5;

/** Compares the present level with levels from between half a window and a whole one ago. */
export class FuelLevels {
  readonly #rule: PreparedRule;
  readonly #sign: 1 | -1;
  readonly #readings: number[] = new Array<number>(READINGS).fill(Number.NaN);
  #next = 0;
  /** Levels that were measured earlier, and their age; NaN liters: none. */
  #oldLiters = Number.NaN;
  #oldAgeMs = Number.POSITIVE_INFINITY;
  #newLiters = Number.NaN;
  #newAgeMs = Number.POSITIVE_INFINITY;
  #changeLiters = 0;

  /** `sign`: 1 looks for more fuel, -1 for less. The rule's duration is the window. */
  constructor(rule: PreparedRule, sign: 1 | -1) {
    this.#rule = rule;
    this.#sign = sign;
  }

  /** Adds time in which fuel may have been burnt. */
  age(elapsedMs: number): void {
    this.#oldAgeMs += elapsedMs;
    this.#newAgeMs += elapsedMs;
    // A change that is still going on is reported as a whole, once the level has settled.
    if (this.#changeLiters >= this.#rule.threshold) return;
    if (this.#oldAgeMs > this.#rule.durationMs) this.#oldLiters = Number.NaN;
    if (this.#newAgeMs > this.#rule.durationMs) this.#newLiters = Number.NaN;
  }

  /** By how much the level has changed; undefined while that is less than the threshold, or the change still goes on. */
  take(liters: number): number | undefined {
    this.#readings[this.#next] = liters;
    this.#next = (this.#next + 1) % READINGS;
    const { threshold, durationMs } = this.#rule;
    const level = steadyLevel(this.#readings, threshold * STEADY_SHARE);
    if (level === undefined) return undefined;
    const change = Math.max(this.#changeFrom(this.#oldLiters, level), this.#changeFrom(this.#newLiters, level));
    const isSettled = change <= this.#changeLiters + SETTLED_LITERS;
    this.#changeLiters = change;
    if (change < threshold) {
      if (this.#newAgeMs >= durationMs / 2) this.#keep(level, this.#newLiters);
      return undefined;
    }
    if (!isSettled) return undefined;
    this.#keep(level, Number.NaN);
    this.#changeLiters = 0;
    return change;
  }

  #changeFrom(liters: number, level: number): number {
    return Number.isNaN(liters) ? 0 : this.#sign * (level - liters);
  }

  #keep(level: number, oldLiters: number): void {
    this.#oldLiters = oldLiters;
    this.#oldAgeMs = this.#newAgeMs;
    this.#newLiters = level;
    this.#newAgeMs = 0;
  }
}

/** The mean of the readings; undefined where they differ by more. */
function steadyLevel(readings: readonly number[], mostLiters: number): number | undefined {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (const liters of readings) {
    lowest = Math.min(lowest, liters);
    highest = Math.max(highest, liters);
    sum += liters;
  }
  return highest - lowest <= mostLiters ? sum / readings.length : undefined;
}
