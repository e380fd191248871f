// Runs the rules of all devices: gives them the reports of terminals, wakes those that wait for a time, and passes on their signals.
import type { Report } from '../../device/reportFeed.ts';
import { DeviceRules } from '../rules/deviceRules.ts';
import { inputBit, type OpenCondition, type PreparedRule } from '../rules/rule.ts';
import type { PresenceInput, RecordingInput, RuleInput } from '../rules/ruleInput.ts';
import { NO_SIGNALS } from '../rules/ruleSignals.ts';
import { type Observation, Origin, type Signal } from '../signals/signal.ts';
import { DueTimes } from './dueTimes.ts';
import { ruleInputOf } from './ruleInputOf.ts';
import type { EventDevice, TrackedEvent } from './trackedEvent.ts';

export type RecordingBits = Pick<RecordingInput, 'dueBits' | 'writtenBits'>;

export interface RuleRunnerDeps {
  /** The same list as long as none of its rules changes. */
  readonly rulesOf: (device: EventDevice) => readonly PreparedRule[];
  /** `sinceMs`: when the terminal came or went; undefined: not since the start. */
  readonly presenceOf: (deviceId: string) => { readonly isOnline: boolean; readonly sinceMs: number | undefined };
  /** Channels that should be recorded now and channels that are, by device id; devices without any may be left out. */
  readonly recordings: () => ReadonlyMap<string, RecordingBits>;
  /** Called when rules have found something without a report of the terminal. */
  readonly onObservation: (device: EventDevice, observation: Observation) => void;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
}

/** A device whose terminal may be away, and perhaps never was here. */
export interface WatchedDevice extends EventDevice {
  readonly wasSeen: boolean;
  readonly disabled: boolean;
}

const TICK_MS = 1_000;
const RECORDING_LOOK_MS = 30_000;
/** After a start terminals need some time to dial again. Until then, none of them is offline. */
const DIAL_AGAIN_MS = 2 * 60_000;
const NOTHING_RECORDED: RecordingBits = { dueBits: 0, writtenBits: 0 };
const PRESENCE = inputBit('presence');
const RECORDING = inputBit('recording');

interface Run {
  device: EventDevice;
  readonly rules: DeviceRules;
  /** The rules of the last evaluation. */
  used: readonly PreparedRule[];
  /** Undefined until it is known: after a start, or with the first rule. */
  isOnline: boolean | undefined;
  wasDue: boolean;
}

export class RuleRunner {
  readonly #deps: RuleRunnerDeps;
  /** Runs by archive number; devices without rules have none. */
  readonly #runs = new Map<number, Run>();
  readonly #due = new DueTimes<Run>();
  readonly #cancels = new Map<string, () => void>();
  #startedAtMs = Number.POSITIVE_INFINITY;
  #evaluated = 0;

  constructor(deps: RuleRunnerDeps) {
    this.#deps = deps;
  }

  /** Resumes after a restart: a raised condition goes on, or ends where no rule is on for it. `events`: those that last. */
  start(events: Iterable<TrackedEvent>, devices: () => readonly WatchedDevice[]): void {
    const { now } = this.#deps;
    this.#startedAtMs = now();
    for (const [device, open] of openConditions(events)) this.#resume(device, open);
    this.#every('tick', TICK_MS, () => this.#tickRound());
    this.#every('recording', RECORDING_LOOK_MS, () => this.#recordingRound());
    const cancel = this.#deps.runAfter(DIAL_AGAIN_MS, () => this.look(devices()));
    this.#cancels.set('dial', cancel);
  }

  /** Number of inputs that rules were given since the start. */
  get evaluatedCount(): number {
    return this.#evaluated;
  }

  get deviceCount(): number {
    return this.#runs.size;
  }

  /** Number of rules that remember something about a device. */
  get stateCount(): number {
    let count = 0;
    for (const { used } of this.#runs.values()) count += used.length;
    return count;
  }

  /** Conditions that begin, end or have happened with this report. */
  evaluate(report: Report): readonly Signal[] {
    const { device } = report;
    const rules = this.#deps.rulesOf(device);
    const known = this.#runs.get(device.archiveNumber);
    if (known === undefined && rules.length === 0) return NO_SIGNALS;
    const input = ruleInputOf(report);
    if (input === undefined) return NO_SIGNALS;
    const run = known ?? this.#begin(device);
    run.device = device;
    return this.#give(run, input, rules);
  }

  /** Rechecks devices that may not report: applies changed settings, and finds out which of their terminals are offline. */
  look(devices: readonly WatchedDevice[]): void {
    const isSettled = this.#deps.now() - this.#startedAtMs >= DIAL_AGAIN_MS;
    for (const device of devices) {
      const rules = this.#deps.rulesOf(device);
      const run = this.#runs.get(device.archiveNumber);
      if (run !== undefined && run.used !== rules) this.#tell(run, this.#give(run, this.#tick(), rules));
      const isUnknown = run === undefined || run.isOnline === undefined;
      if (isUnknown && isSettled && isWatched(device, rules)) this.#tellPresence(device, rules);
    }
  }

  /** Called when the device was deleted. */
  forget(deviceId: string): void {
    for (const run of this.#runs.values()) if (run.device.deviceId === deviceId) this.#end(run);
  }

  close(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }

  #begin(device: EventDevice): Run {
    const { deviceId, incarnation, archiveNumber } = device;
    const kept = { deviceId, incarnation, archiveNumber };
    const run: Run = { device: kept, rules: new DeviceRules(), used: NO_RULES, isOnline: undefined, wasDue: false };
    this.#runs.set(archiveNumber, run);
    return run;
  }

  #end(run: Run): void {
    this.#runs.delete(run.device.archiveNumber);
    this.#due.forget(run);
  }

  #resume(device: EventDevice, open: readonly OpenCondition[]): void {
    const rules = this.#deps.rulesOf(device);
    const run = this.#begin(device);
    run.used = rules;
    this.#tell(run, run.rules.resume(open, rules, this.#deps.now()));
    if (rules.length === 0) this.#end(run);
    else this.#due.schedule(run, run.rules.nextTickAtMs);
  }

  /** A bug in a rule must not cost the terminal's own signals. */
  #give(run: Run, input: RuleInput, rules: readonly PreparedRule[]): readonly Signal[] {
    this.#evaluated++;
    // Late positions have states of their own: conditions that were raised live end with another input.
    if (input.kind !== 'position' || !input.isLate) run.used = rules;
    if (input.kind === 'presence') run.isOnline = input.isOnline;
    try {
      const signals = run.rules.evaluate(input, rules);
      if (rules.length === 0) this.#end(run);
      else this.#due.schedule(run, run.rules.nextTickAtMs);
      return signals;
    } catch (cause) {
      this.#end(run);
      this.#deps.onFault(new Error(`the rules of ${run.device.deviceId} failed`, { cause }));
      return NO_SIGNALS;
    }
  }

  #tell(run: Run, signals: readonly Signal[]): void {
    if (signals.length === 0) return;
    const atMs = this.#deps.now();
    this.#deps.onObservation(run.device, { atMs, deviceTimeMs: atMs, isLate: false, covered: 0, signals });
  }

  #tick(): RuleInput {
    return { kind: 'tick', atMs: this.#deps.now() };
  }

  #tickRound(): void {
    const { now, rulesOf, onObservation } = this.#deps;
    for (const run of this.#due.takeDue(now())) {
      const late = run.rules.endLate(now());
      if (late !== undefined) onObservation(run.device, late);
      this.#tell(run, this.#give(run, this.#tick(), rulesOf(run.device)));
    }
  }

  #recordingRound(): void {
    const recordings = this.#deps.recordings();
    for (const run of this.#runs.values()) {
      if (!takes(run.used, RECORDING)) continue;
      const bits = recordings.get(run.device.deviceId) ?? NOTHING_RECORDED;
      if (bits.dueBits === 0 && !run.wasDue) continue;
      run.wasDue = bits.dueBits !== 0;
      const input: RecordingInput = { kind: 'recording', atMs: this.#deps.now(), ...bits };
      this.#tell(run, this.#give(run, input, this.#deps.rulesOf(run.device)));
    }
  }

  /** A terminal that hasn't connected since the start is away since then: before that, it had nowhere to sign in. */
  #tellPresence(device: EventDevice, rules: readonly PreparedRule[]): void {
    const { isOnline, sinceMs: atMs = this.#startedAtMs } = this.#deps.presenceOf(device.deviceId);
    const run = this.#runs.get(device.archiveNumber) ?? this.#begin(device);
    const input: PresenceInput = { kind: 'presence', atMs, isOnline };
    this.#tell(run, this.#give(run, input, rules));
  }

  #every(name: string, intervalMs: number, run: () => void): void {
    const cancel = this.#deps.runAfter(intervalMs, () => {
      this.#every(name, intervalMs, run);
      run();
    });
    this.#cancels.set(name, cancel);
  }
}

const NO_RULES: readonly PreparedRule[] = [];

function takes(rules: readonly PreparedRule[], bit: number): boolean {
  return rules.some(({ inputBits }) => (inputBits & bit) !== 0);
}

/** A device whose terminal never connected isn't expected online. */
function isWatched({ wasSeen, disabled }: WatchedDevice, rules: readonly PreparedRule[]): boolean {
  return wasSeen && !disabled && takes(rules, PRESENCE);
}

/** Conditions that rules have raised, by device. Late ones are left out: they end by themselves. */
function openConditions(events: Iterable<TrackedEvent>): Map<EventDevice, OpenCondition[]> {
  const ofDevice = new Map<EventDevice, OpenCondition[]>();
  for (const { device, isLate, origins, type, unit, area, beginAtMs: sinceMs } of events) {
    if (device === undefined || isLate || (origins & Origin.Rule) === 0) continue;
    const open = ofDevice.get(device) ?? [];
    ofDevice.set(device, open);
    open.push({ type, unit, area, sinceMs });
  }
  return ofDevice;
}
