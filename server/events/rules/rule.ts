// What a rule is made of: its kind, the kind with settings, and what is remembered of one device.
import type { RuleCode } from '../../../shared/protocol/events/ruleSettings.ts';
import type { Signal } from '../signals/signal.ts';
import type { DeviceFacts } from './deviceFacts.ts';
import type { InputKind, RuleInput } from './ruleInput.ts';
import type { RuleSchedule } from './ruleSchedule.ts';

/** A kind of rule. */
export interface Rule {
  /** The kinds of input that it gets. Ticks come to all rules that wait for one. */
  readonly inputs: readonly InputKind[];
  /** Whether it also judges positions that terminals have recorded without a connection. */
  readonly isForLate: boolean;
  /** A condition that wasn't seen for this time is over: it isn't known what happened meanwhile. Left out: it lasts. */
  readonly gapMs?: number;
  start(rule: PreparedRule, facts: DeviceFacts): RuleState;
}

/** A rule with its settings, ready to be used; devices with the same settings share one. */
export interface PreparedRule {
  readonly rule: Rule;
  readonly code: RuleCode;
  /** The same for the same code, settings and time zone. */
  readonly key: string;
  /** Bits of `Rule.inputs`: see `inputBit`. */
  readonly inputBits: number;
  /** NaN where there is no such number: no value is above it, and none below. */
  readonly threshold: number;
  readonly clearThreshold: number;
  readonly lowThreshold: number;
  readonly durationMs: number;
  readonly gapMs: number;
  /** Undefined: the rule applies at any time. */
  readonly schedule: RuleSchedule | undefined;
}

/** A condition that was raised before the gateway started. */
export interface OpenCondition {
  readonly type: string;
  readonly unit: number;
  readonly area: number;
  readonly sinceMs: number;
}

/** A rule's memory of one device. It only changes with the inputs, and reads no clock. */
export interface RuleState {
  /** When a tick is needed, by the clock of the inputs; Infinity: never in the present state. */
  readonly dueAtMs: number;
  step(input: RuleInput, facts: DeviceFacts): readonly Signal[];
  /** Ends the raised conditions: the rule is turned off or has other settings. */
  end(): readonly Signal[];
  /** Begins with a condition that was raised before. */
  resume(open: OpenCondition, atMs: number): void;
}

const INPUT_BITS: Readonly<Record<InputKind, number>> = {
  position: 1,
  presence: 2,
  'driver-card': 4,
  passengers: 8,
  recording: 16,
  tick: 32,
};

export function inputBit(kind: InputKind): number {
  return INPUT_BITS[kind];
}

export function inputBitsOf(kinds: readonly InputKind[]): number {
  return kinds.reduce((bits, kind) => bits | INPUT_BITS[kind], 0);
}
