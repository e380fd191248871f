// What the next position of a terminal says, according to its script. Pure: the same times and acknowledgements give the same state.
import { acknowledgedAlarms, type Edition, VideoAlarmBit } from '../../server/device/jt808/codec/codes.ts';
import type { PositionDetails } from '../../server/device/jt808/codec/positionItems.ts';
import { type DrivenTime, detourMeters, drivenTime } from './drivenTime.ts';
import { lastingAt, type Occurrence, occurrenceAt } from './timing.ts';
import type { Condition, ConditionStep, Gauge, ScriptStep, VehicleScript, VideoDetails } from './vehicleScript.ts';

export interface ScriptState {
  /** Bits: AlarmBit. */
  readonly alarm: number;
  /** Bits: StatusBit. */
  readonly statusOn: number;
  readonly statusOff: number;
  readonly details: PositionDetails;
  readonly driven: DrivenTime;
  /** Distance to the right of the route. */
  readonly detourMeters: number;
  /** Reported in place of the speed on the route. */
  readonly speedKmh: number | undefined;
  readonly isAbsent: boolean;
  /** The alarms that last until they are acknowledged. */
  readonly kept: readonly KeptAlarm[];
}

/** An alarm that the terminal keeps up until the platform acknowledges it. */
export interface KeptAlarm {
  /** Index of the step in the script. */
  readonly step: number;
  readonly occurrence: number;
  /** Bits: AlarmBit. */
  readonly alarm: number;
  /** Bits: VideoAlarmBit. */
  readonly videoAlarms: number;
}

export interface StateOptions {
  readonly edition: Edition;
  /** Whether an alarm that is kept up was acknowledged; if left out, none was. */
  readonly isAcknowledged?: (step: number, occurrence: number) => boolean;
}

const KEPT_VIDEO_ALARMS = 1 << VideoAlarmBit.SpecialRecordingFull;

export function stateAt(script: VehicleScript, elapsedMs: number, options: StateOptions): ScriptState {
  const state: Building = { ...QUIET, details: { ...gaugesAt(script, elapsedMs) }, kept: [] };
  for (const [index, step] of script.entries()) {
    const occurrence = isCondition(step) ? lastingAt(step, elapsedMs) : undefined;
    if (occurrence !== undefined && isCondition(step)) add(state, step, { index, occurrence, ...options });
  }
  return { ...state, driven: drivenTime(script, elapsedMs), detourMeters: detourMeters(script, elapsedMs) };
}

type Building = {
  -readonly [Name in Exclude<keyof ScriptState, 'driven' | 'detourMeters' | 'kept'>]: ScriptState[Name];
} & {
  readonly kept: KeptAlarm[];
};

const QUIET = { alarm: 0, statusOn: 0, statusOff: 0, speedKmh: undefined, isAbsent: false } as const;

function isCondition(step: ScriptStep): step is ConditionStep {
  switch (step.kind) {
    case 'alarm':
    case 'video-alarm':
    case 'status':
    case 'pace':
    case 'detour':
    case 'speed':
    case 'gauge':
    case 'absence':
      return true;
    default:
      return false;
  }
}

interface Context extends StateOptions {
  readonly index: number;
  readonly occurrence: Occurrence;
}

function add(state: Building, condition: Condition, context: Context): void {
  switch (condition.kind) {
    case 'alarm':
      addAlarm(state, condition, context);
      return;
    case 'video-alarm':
      addVideoAlarm(state, condition, context);
      return;
    case 'status':
      state.statusOn |= maskOf(condition.on);
      state.statusOff |= maskOf(condition.off);
      return;
    case 'speed':
      state.speedKmh = condition.speedKmh;
      return;
    case 'absence':
      state.isAbsent = true;
      return;
    // These begin and end by ramps, or go on after their step has ended.
    case 'pace':
    case 'detour':
    case 'gauge':
      return;
  }
}

function addAlarm(state: Building, alarm: Extract<Condition, { readonly kind: 'alarm' }>, context: Context): void {
  const { overspeed, areaCrossed, sectionTime } = alarm;
  const all = maskOf(alarm.bits);
  const kept = (all & acknowledgedAlarms(context.edition)) >>> 0;
  const isAnswered = kept !== 0 && isAcknowledged(context);
  const bits = isAnswered ? (all & ~kept) >>> 0 : all;
  if (bits === 0) return;
  state.alarm = (state.alarm | bits) >>> 0;
  state.details = {
    ...state.details,
    ...(overspeed && { overspeed }),
    ...(areaCrossed && { areaCrossed }),
    ...(sectionTime && { sectionTime }),
  };
  if (kept !== 0 && !isAnswered) state.kept.push({ ...keyOf(context), alarm: kept, videoAlarms: 0 });
}

function addVideoAlarm(
  state: Building,
  alarm: Extract<Condition, { readonly kind: 'video-alarm' }>,
  context: Context,
): void {
  const all = maskOf(alarm.bits) | impliedBits(alarm);
  const kept = all & KEPT_VIDEO_ALARMS;
  const isAnswered = kept !== 0 && isAcknowledged(context);
  const bits = isAnswered ? all & ~kept : all;
  if (bits === 0) return;
  state.details = { ...state.details, ...videoDetails(state.details, alarm, bits) };
  if (kept !== 0 && !isAnswered) state.kept.push({ ...keyOf(context), alarm: 0, videoAlarms: kept });
}

function impliedBits({ lostChannels, coveredChannels, faultyStorages, abnormalDriving }: VideoDetails): number {
  return (
    (lostChannels === undefined ? 0 : 1 << VideoAlarmBit.SignalLost) |
    (coveredChannels === undefined ? 0 : 1 << VideoAlarmBit.Covered) |
    (faultyStorages === undefined ? 0 : 1 << VideoAlarmBit.StorageFault) |
    (abnormalDriving === undefined ? 0 : 1 << VideoAlarmBit.AbnormalDriving)
  );
}

/** The details of this alarm together with those before it. */
function videoDetails(before: PositionDetails, alarm: VideoDetails, bits: number): PositionDetails {
  const { lostChannels, coveredChannels, faultyStorages, abnormalDriving } = alarm;
  const joined = (known = 0, units: readonly number[] = []): number => (known | unitMask(units)) >>> 0;
  return {
    videoAlarms: (before.videoAlarms ?? 0) | bits,
    ...(lostChannels && { videoLostBits: joined(before.videoLostBits, lostChannels) }),
    ...(coveredChannels && { videoCoveredBits: joined(before.videoCoveredBits, coveredChannels) }),
    ...(faultyStorages && { storageFaultBits: joined(before.storageFaultBits, faultyStorages) }),
    ...(abnormalDriving && { abnormalDriving: joinedDriving(before.abnormalDriving, abnormalDriving) }),
  };
}

type AbnormalDriving = NonNullable<PositionDetails['abnormalDriving']>;

function joinedDriving(before: AbnormalDriving | undefined, added: AbnormalDriving): AbnormalDriving {
  return { ...before, ...added, types: added.types | (before?.types ?? 0) };
}

function isAcknowledged({ index, occurrence, isAcknowledged: asked }: Context): boolean {
  return asked?.(index, occurrence.number) === true;
}

function keyOf({ index, occurrence }: Context): Pick<KeptAlarm, 'step' | 'occurrence'> {
  return { step: index, occurrence: occurrence.number };
}

/** The value of each gauge, from its step that began last. */
function gaugesAt(script: VehicleScript, elapsedMs: number): PositionDetails {
  const latest = new Map<Gauge, { readonly startMs: number; readonly value: number }>();
  for (const step of script) {
    const occurrence = step.kind === 'gauge' ? occurrenceAt(step, elapsedMs) : undefined;
    if (step.kind !== 'gauge' || occurrence === undefined) continue;
    const { gauge, from, to = from, forSeconds = 0 } = step;
    const { startMs } = occurrence;
    if (startMs < (latest.get(gauge)?.startMs ?? Number.NEGATIVE_INFINITY)) continue;
    const share = forSeconds === 0 ? 1 : Math.min(1, (elapsedMs - startMs) / (forSeconds * 1000));
    latest.set(gauge, { startMs, value: from + (to - from) * share });
  }
  const [fuel, cabin] = [latest.get('fuelLitres'), latest.get('cabinCelsius')];
  return {
    ...(fuel && { fuelLitres: Math.round(fuel.value * 10) / 10 }),
    ...(cabin && { cabinCelsius: Math.round(cabin.value) }),
  };
}

export function maskOf(bits: readonly number[] = []): number {
  return bits.reduce((mask, bit) => (mask | (1 << bit)) >>> 0, 0);
}

function unitMask(units: readonly number[]): number {
  return maskOf(units.map((unit) => unit - 1));
}
