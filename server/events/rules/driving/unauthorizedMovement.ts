import type { Signal } from '../../signals/signal.ts';
import type { DeviceFacts } from '../deviceFacts.ts';
import { metersTo } from '../distance.ts';
import { HeldCondition } from '../heldCondition.ts';
import type { OpenCondition, PreparedRule, Rule, RuleState } from '../rule.ts';
import type { PositionInput, RuleInput } from '../ruleInput.ts';
import { NO_SIGNALS } from '../ruleSignals.ts';

/** Number of consecutive positions, and the time that they must span: a receiver that has jumped is back by then. */
const POSITIONS = 3;
const POSITIONS_MS = 10_000;
/** A drifting receiver doesn't report such speeds in a row. */
const TOWED_KMH = 15;
/** A vehicle that stays within this radius for the time below has been put down. */
const REST_M = 50;
const REST_MS = 5 * 60_000;
/** Parked terminals report at least this often. After a longer gap, the vehicle may have been driven here. */
const GAP_MS = 60 * 60_000;

/** The vehicle moves while its ignition is off: it is being towed, lifted or pushed. */
export const unauthorizedMovement: Rule = {
  inputs: ['position', 'presence'],
  isForLate: true,
  start: (rule) => new UnauthorizedMovement(rule),
};

/** The place where the vehicle was parked, or rested last. */
interface RestingPlace {
  readonly latitude: number;
  readonly longitude: number;
  readonly atMs: number;
  /** Consecutive positions that say that the vehicle is gone, and the time of the first. */
  goneCount: number;
  goneFromMs: number;
}

class UnauthorizedMovement implements RuleState {
  readonly #rule: PreparedRule;
  readonly #held = new HeldCondition();
  /** Defined only while the ignition is off. */
  #place: RestingPlace | undefined;

  constructor(rule: PreparedRule) {
    this.#rule = rule;
  }

  get dueAtMs(): number {
    return Number.POSITIVE_INFINITY;
  }

  step(input: RuleInput, facts: DeviceFacts): readonly Signal[] {
    if (input.kind === 'position') return this.#judge(input, facts);
    // Movement without a connection isn't seen: the vehicle may be driven elsewhere in that time.
    if (input.kind === 'presence' && !input.isOnline) this.#place = undefined;
    return NO_SIGNALS;
  }

  end(): readonly Signal[] {
    return this.#held.end(this.#rule);
  }

  resume(open: OpenCondition, atMs: number): void {
    this.#held.resume(open, atMs);
  }

  #judge(position: PositionInput, facts: DeviceFacts): readonly Signal[] {
    if (position.ignitionOn || !facts.isScheduled) {
      this.#place = undefined;
      return this.#held.end(this.#rule);
    }
    // A repeated position doesn't count again.
    if (!position.hasFix || facts.sinceLastMs === 0) return NO_SIGNALS;
    const isRecent = facts.sinceLastMs > 0 && facts.sinceLastMs < GAP_MS;
    if (this.#place === undefined || !isRecent) {
      this.#place = placeOf(position);
      return NO_SIGNALS;
    }
    return this.#held.isRaised ? this.#follow(this.#place, position) : this.#compare(this.#place, position);
  }

  #compare(place: RestingPlace, position: PositionInput): readonly Signal[] {
    const movedM = metersTo(position, place.latitude, place.longitude);
    const isTowed = (position.speedKmh ?? 0) >= TOWED_KMH && movedM > REST_M;
    if (!isTowed && movedM <= this.#rule.threshold) {
      place.goneCount = 0;
      return NO_SIGNALS;
    }
    if (place.goneCount === 0) place.goneFromMs = position.atMs;
    place.goneCount++;
    if (place.goneCount < POSITIONS || position.atMs - place.goneFromMs < POSITIONS_MS) return NO_SIGNALS;
    this.#place = placeOf(position);
    return this.#held.step(true, place.goneFromMs, this.#rule, Math.round(movedM));
  }

  /** The place moves with the vehicle until it rests. */
  #follow(place: RestingPlace, position: PositionInput): readonly Signal[] {
    if (metersTo(position, place.latitude, place.longitude) > REST_M) this.#place = placeOf(position);
    else if (position.atMs - place.atMs >= REST_MS) return this.#held.end(this.#rule, place.atMs);
    return NO_SIGNALS;
  }
}

function placeOf({ latitude, longitude, atMs }: PositionInput): RestingPlace {
  return { latitude, longitude, atMs, goneCount: 0, goneFromMs: atMs };
}
