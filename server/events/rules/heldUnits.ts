import type { Signal } from '../signals/signal.ts';
import type { OpenCondition, PreparedRule } from './rule.ts';
import { NO_SIGNALS, ruleSignal } from './ruleSignals.ts';

const UNITS = 32;

/** A condition for each channel or storage of a device, which has to last for the rule's duration before it is raised. */
export class HeldUnits {
  /** Bit n: unit n + 1. */
  #metBits = 0;
  #raisedBits = 0;
  /** Begins at the index of the bit; defined only where the condition is met. */
  #sinceMs: number[] | undefined;

  get raisedBits(): number {
    return this.#raisedBits;
  }

  /** `bits`: the units where the condition is met now. */
  step(bits: number, atMs: number, rule: PreparedRule): readonly Signal[] {
    if (bits === 0 && this.#metBits === 0) return NO_SIGNALS;
    const signals: Signal[] = [];
    const since = roomFor(bits, this.#sinceMs);
    for (let at = 0; at < UNITS; at++) {
      const bit = 1 << at;
      if ((bits & bit) === 0) {
        if ((this.#raisedBits & bit) !== 0) signals.push({ ...ruleSignal(rule, 'end'), unit: at + 1 });
        continue;
      }
      // The gateway's clock may have been set back.
      if ((this.#metBits & bit) === 0 || atMs < (since[at] ?? atMs)) since[at] = atMs;
      const sinceMs = since[at] ?? atMs;
      if ((this.#raisedBits & bit) !== 0 || atMs - sinceMs < rule.durationMs) continue;
      this.#raisedBits |= bit;
      signals.push({ ...ruleSignal(rule, 'begin', { sinceMs }), unit: at + 1 });
    }
    this.#metBits = bits;
    this.#raisedBits &= bits;
    this.#sinceMs = bits === 0 ? undefined : since;
    return signals.length === 0 ? NO_SIGNALS : signals;
  }

  resume({ unit, sinceMs }: OpenCondition, atMs: number): void {
    const bit = 1 << (unit - 1);
    this.#metBits |= bit;
    this.#raisedBits |= bit;
    this.#sinceMs = roomFor(bit, this.#sinceMs);
    this.#sinceMs[unit - 1] = Math.min(sinceMs, atMs);
  }

  /** When the first waiting condition has lasted long enough. */
  raisedAtMs({ durationMs }: PreparedRule): number {
    let waiting = this.#metBits & ~this.#raisedBits;
    let sinceMs = Number.POSITIVE_INFINITY;
    for (let at = 0; waiting !== 0; at++, waiting >>>= 1) {
      if ((waiting & 1) === 1) sinceMs = Math.min(sinceMs, this.#sinceMs?.[at] ?? sinceMs);
    }
    return sinceMs + durationMs;
  }
}

/** An array that reaches to the highest of the bits: most devices have a few channels. */
function roomFor(bits: number, sinceMs: number[] = []): number[] {
  const length = UNITS - Math.clz32(bits);
  if (length <= sinceMs.length) return sinceMs;
  return Array.from({ length }, (_, at) => sinceMs[at] ?? Number.NaN);
}
