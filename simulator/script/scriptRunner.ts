// Sends what a terminal's script says, at the times of the script.
import type { AlarmMark } from '../../server/device/jt808/codec/alarmMark.ts';
import { AlarmBit, SafetyAlarmFlag } from '../../server/device/jt808/codec/codes.ts';
import type { BodyOf, MessageBody } from '../../server/device/jt808/codec/message.ts';
import { AreaKind } from '../../server/device/jt808/codec/messages/areas.ts';
import type { PositionItem } from '../../server/device/jt808/codec/messages/position.ts';
import type { PositionDetails } from '../../server/device/jt808/codec/positionItems.ts';
import type { After } from '../../server/faults/timers.ts';
import type { WallMs } from '../../shared/protocol/time.ts';
import { DEFAULT_POSITION_SECONDS } from '../answers/parameterTable.ts';
import { wireChannel } from '../channelQuirks.ts';
import { positionReport, type ReportedPosition, terminalClock } from '../positionReport.ts';
import { terminalIdOf, type VehicleProfile } from '../vehicleProfile.ts';
import { Acknowledgements } from './acknowledgements.ts';
import { type AlarmIdentity, AlarmMarks } from './alarmMarks.ts';
import { type AlarmMasks, withoutMasked } from './alarmMasks.ts';
import { positionItemsOf } from './itemBytes.ts';
import { momentsIn, type ScriptMoment } from './moments.ts';
import { safetyItemOf } from './safetyItems.ts';
import { messageOf } from './scriptMessages.ts';
import { type ScriptState, stateAt } from './scriptState.ts';
import { StoredReports } from './storedReports.ts';
import { StormRunner } from './stormRunner.ts';
import { nextChangeMs, timesBeforeStart } from './timing.ts';
import type { SafetyStep, VehicleScript } from './vehicleScript.ts';

export interface ScriptRunnerDeps {
  readonly profile: VehicleProfile;
  readonly now: () => number;
  readonly runAfter: After;
  readonly masks: () => AlarmMasks;
  /** The area whose edge lies between this position and the one before. */
  readonly areaCrossing: (position: ReportedPosition) => PositionDetails['areaCrossed'];
  /** Sends a message until it is acknowledged; gives its serial. */
  readonly report: (body: MessageBody) => number;
  readonly sendOnce: (body: MessageBody) => void;
  /** Gives the picture's media id. */
  readonly takePicture: (channel: number, event: number, atMs: number) => number;
  /** Keeps files of this alarm, for which the platform may ask. */
  readonly keepFiles: (mark: AlarmMark, step: SafetyStep, atMs: number) => void;
  readonly onAbsence: (isAbsent: boolean) => void;
}

const AREA_CROSSED_ITEM = 0x12;
/** Longest wait of a timer: one of more than 24 days would run at once. */
const MAX_WAIT_MS = 3_600_000;
/** Time between the positions of an absence that began before the terminal was started. */
const BACK_FILL_MS = 15_000;

/** Owns its timers from `start` to `stop`. */
export class ScriptRunner {
  readonly #deps: ScriptRunnerDeps;
  readonly #script: VehicleScript;
  readonly #positionMs: number;
  #acknowledgements = new Acknowledgements();
  readonly #stored = new StoredReports();
  readonly #marks: AlarmMarks;
  readonly #storm: StormRunner | undefined;
  /** Identities of the alarms that have begun and not ended. */
  readonly #begun = new Map<string, AlarmIdentity>();
  #startedMs = 0;
  /** Everything up to this time has been reported. */
  #doneMs = -1;
  /** Time of the latest position. */
  #toldMs = -1;
  #isAbsent = false;
  #isSignedIn = false;
  /** True from the beginning of an absence until the terminal has signed in again. */
  #isStoring = false;
  #cancelChange: (() => void) | undefined;
  #cancelPosition: (() => void) | undefined;

  constructor(deps: ScriptRunnerDeps) {
    const { profile } = deps;
    this.#deps = deps;
    this.#script = profile.script ?? [];
    this.#positionMs = (profile.positionSeconds ?? DEFAULT_POSITION_SECONDS) * 1000;
    this.#marks = new AlarmMarks(terminalIdOf(profile));
    const storm = profile.quirks?.alarmStorm;
    if (storm !== undefined) {
      this.#storm = new StormRunner({ ...deps, storm, marks: this.#marks, position: () => this.position() });
    }
  }

  get isAbsent(): boolean {
    return this.#isAbsent;
  }

  start(): void {
    this.#startedMs = this.#deps.now();
    this.#acknowledgements = new Acknowledgements();
    this.#begun.clear();
    const before = timesBeforeStart(this.#script, BACK_FILL_MS);
    this.#doneMs = (before[0] ?? 0) - 1;
    for (const elapsedMs of before) this.#goOn(elapsedMs);
    this.#goOn(0);
    this.#scheduleChange();
  }

  stop(): void {
    this.disconnected();
    this.#cancelChange?.();
    this.#cancelPosition?.();
  }

  signedIn(): void {
    this.#isSignedIn = true;
    this.#isStoring = false;
    for (const body of this.#stored.take()) this.#deps.report(body);
    this.#tellPosition(this.#elapsedMs, []);
    this.#schedulePosition();
    this.#storm?.start();
  }

  disconnected(): void {
    this.#isSignedIn = false;
    this.#storm?.stop();
    if (!this.#isAbsent) this.#cancelPosition?.();
  }

  /** The position at this moment. */
  position(): ReportedPosition {
    return this.positionAt(this.#deps.now());
  }

  /** The position at a moment, which may be in the future. */
  positionAt(atMs: number): ReportedPosition {
    const elapsedMs = atMs - this.#startedMs;
    return this.#positionOf(this.#stateAt(elapsedMs), elapsedMs);
  }

  confirm(order: Pick<BodyOf<'confirmAlarm'>, 'alarmSerial' | 'types'>): void {
    this.#acknowledgements.confirm(order);
  }

  /** The platform has processed the alarms of a position. */
  processed(serial: number): void {
    this.#acknowledgements.processed(serial);
  }

  get #elapsedMs(): number {
    return this.#deps.now() - this.#startedMs;
  }

  #scheduleChange(): void {
    const dueMs = nextChangeMs(this.#script, this.#doneMs);
    if (dueMs === undefined) return;
    const waitMs = Math.min(Math.max(dueMs - this.#elapsedMs, 0), MAX_WAIT_MS);
    this.#cancelChange = this.#deps.runAfter(waitMs, () => {
      if (this.#elapsedMs >= dueMs) this.#change();
      this.#scheduleChange();
    });
  }

  #change(): void {
    const wasAbsent = this.#isAbsent;
    this.#goOn(this.#elapsedMs);
    if (this.#isAbsent === wasAbsent) return;
    this.#deps.onAbsence(this.#isAbsent);
    if (this.#isAbsent) this.#schedulePosition();
  }

  /** Sends or stores what has happened up to this time. */
  #goOn(elapsedMs: number): void {
    const moments = momentsIn(this.#script, this.#doneMs, elapsedMs);
    this.#doneMs = elapsedMs;
    this.#isAbsent = this.#stateAt(elapsedMs).isAbsent;
    this.#isStoring ||= this.#isAbsent;
    for (const moment of moments) if (moment.kind === 'message') this.#tell(this.#messageOf(moment));
    this.#tellPosition(elapsedMs, moments);
  }

  #messageOf({ step, atMs }: Extract<ScriptMoment, { readonly kind: 'message' }>): MessageBody {
    const { profile, takePicture } = this.#deps;
    const momentMs = this.#startedMs + atMs;
    return messageOf(step, {
      clock: terminalClock(profile, momentMs, atMs),
      wireChannel: (channel) => wireChannel(channel, profile.quirks),
      takePicture: (channel, event) => takePicture(channel, event, momentMs),
    });
  }

  #tell(body: MessageBody): void {
    if (this.#isSignedIn && !this.#isStoring) this.#deps.report(body);
    else this.#stored.addMessage(body);
  }

  #tellPosition(elapsedMs: number, moments: readonly ScriptMoment[]): void {
    this.#toldMs = elapsedMs;
    const state = this.#stateAt(elapsedMs);
    const position = this.#withCrossing(this.#positionOf(state, elapsedMs));
    const safetyItems = this.#safetyItems(moments, position);
    const body = { ...position, items: [...position.items, ...safetyItems] };
    if (this.#isSignedIn && !this.#isStoring) this.#acknowledgements.sent(this.#deps.report(body), state.kept);
    // Where the connection is lost without a scripted absence, only one-time reports are worth keeping.
    else if (this.#isStoring || safetyItems.length > 0) this.#stored.addPosition(body);
  }

  /** Adds an area crossing to the position, unless the script has set one. */
  #withCrossing(position: ReportedPosition): ReportedPosition {
    if (position.items.some(({ id }) => id === AREA_CROSSED_ITEM)) return position;
    const areaCrossed = this.#deps.areaCrossing(position);
    if (areaCrossed === undefined) return position;
    const bit = areaCrossed.areaType === AreaKind.Route ? AlarmBit.RouteCrossed : AlarmBit.AreaCrossed;
    const alarm = (position.alarm | (1 << bit)) >>> 0;
    return { ...position, alarm, items: [...position.items, ...positionItemsOf({ areaCrossed })] };
  }

  #safetyItems(moments: readonly ScriptMoment[], position: ReportedPosition): PositionItem[] {
    return moments.flatMap((moment) => {
      if (moment.kind !== 'safety') return [];
      const { step, flag } = moment;
      const identity = this.#identityOf(moment, position.time);
      return [safetyItemOf(step.alarm, { ...identity, flag }, position)];
    });
  }

  /** An alarm ends under the same numbers under which it began. */
  #identityOf(moment: Extract<ScriptMoment, { readonly kind: 'safety' }>, clock: WallMs): AlarmIdentity {
    const { alarm, flag, step, atMs } = moment;
    const begun = this.#begun.get(alarm);
    if (begun !== undefined) {
      this.#begun.delete(alarm);
      return begun;
    }
    const identity = this.#marks.next(clock, fileCountOf(step));
    if (flag === SafetyAlarmFlag.Begin) this.#begun.set(alarm, identity);
    if (step.files !== undefined) this.#deps.keepFiles(identity.mark, step, this.#startedMs + atMs);
    return identity;
  }

  #schedulePosition(): void {
    this.#cancelPosition?.();
    let dueMs = this.#deps.now() + this.#positionMs;
    const next = (): void => {
      // The position is not sent twice where something has just begun or ended.
      if (this.#elapsedMs !== this.#toldMs) this.#tellPosition(this.#elapsedMs, []);
      // Counted from the clock, so that delays do not add up; positions missed while the process stood still are not made up for.
      dueMs = Math.max(dueMs + this.#positionMs, this.#deps.now());
      this.#cancelPosition = this.#deps.runAfter(dueMs - this.#deps.now(), next);
    };
    this.#cancelPosition = this.#deps.runAfter(this.#positionMs, next);
  }

  #stateAt(elapsedMs: number): ScriptState {
    const { profile, masks } = this.#deps;
    const isAcknowledged = (step: number, occurrence: number): boolean =>
      this.#acknowledgements.isAcknowledged(step, occurrence);
    return withoutMasked(stateAt(this.#script, elapsedMs, { edition: profile.edition, isAcknowledged }), masks());
  }

  #positionOf(state: ScriptState, elapsedMs: number): ReportedPosition {
    const { profile } = this.#deps;
    const atMs = this.#startedMs + elapsedMs;
    const clock = terminalClock(profile, atMs, elapsedMs);
    return positionReport(profile, { atMs, clock, elapsedMs, state });
  }
}

function fileCountOf({ files }: SafetyStep): number {
  return files === undefined ? 0 : files.pictures + (files.videoSeconds > 0 ? 1 : 0);
}
