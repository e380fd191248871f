// Decides what a task does next as a whole: go on, begin its next stage, pause, stop, or end. Pure.
import { FIRMWARE_ENDED_STATES, type FirmwareDeviceState } from '../../../shared/protocol/firmware/firmwareWords.ts';

export interface CourseRules {
  readonly requiredPercent: number;
  readonly abortDevices: number;
  readonly abortPercent: number;
  readonly pauseMinutes: number;
}

export interface CourseDevice {
  readonly stage: number;
  readonly state: FirmwareDeviceState;
}

export interface CoursePlace {
  /** Devices of later stages don't begin. */
  readonly stage: number;
  /** 0 while no stage waits. */
  readonly nextStageAtMs: number;
  /** All dates of the task have passed for every device that has not begun. */
  readonly isPastDates: boolean;
}

export type Course =
  | { readonly kind: 'go' }
  | { readonly kind: 'wait'; readonly nextStageAtMs: number }
  | { readonly kind: 'next'; readonly stage: number }
  | { readonly kind: 'pause'; readonly reason: 'stage-failed' }
  | { readonly kind: 'stop'; readonly reason: 'too-many-failures' | 'ended-dates' }
  | { readonly kind: 'done' };

const ENDED: ReadonlySet<FirmwareDeviceState> = new Set(FIRMWARE_ENDED_STATES);
const MINUTE_MS = 60_000;

export function hasEnded(state: FirmwareDeviceState): boolean {
  return ENDED.has(state);
}

/** `isAccepted`: a member has resumed the task although the stage had failed. */
export function courseOf(
  devices: readonly CourseDevice[],
  place: CoursePlace & { readonly isAccepted: boolean },
  rules: CourseRules,
  nowMs: number,
): Course {
  if (isBeyondAbort(devices, rules)) return { kind: 'stop', reason: 'too-many-failures' };
  const { stage, nextStageAtMs } = place;
  const isStageOver = devices.every((device) => device.stage > stage || hasEnded(device.state));
  const last = devices.reduce((most, device) => Math.max(most, device.stage), 0);
  if (isStageOver && stage >= last) return { kind: 'done' };
  if (place.isPastDates) return { kind: 'stop', reason: 'ended-dates' };
  if (!isStageOver) return { kind: 'go' };
  if (!place.isAccepted && !isStageGood(devices, stage, rules)) return { kind: 'pause', reason: 'stage-failed' };
  if (rules.pauseMinutes > 0 && nextStageAtMs === 0) {
    return { kind: 'wait', nextStageAtMs: nowMs + rules.pauseMinutes * MINUTE_MS };
  }
  return nextStageAtMs > nowMs ? { kind: 'wait', nextStageAtMs } : { kind: 'next', stage: stage + 1 };
}

function hasFailed({ state }: Pick<CourseDevice, 'state'>): boolean {
  return state === 'failed' || state === 'refused';
}

/**
 * Uses the number or the share, whichever is larger: of three devices, one failure is a third and says little. The share is a share
 * of the devices that aren't skipped: otherwise, where the image fits few of many devices, all of those could fail.
 */
function isBeyondAbort(
  devices: readonly Pick<CourseDevice, 'state'>[],
  { abortDevices, abortPercent }: Pick<CourseRules, 'abortDevices' | 'abortPercent'>,
): boolean {
  const failures = devices.filter(hasFailed).length;
  const taken = devices.filter(({ state }) => state !== 'skipped').length;
  return failures >= Math.max(abortDevices, Math.ceil((taken * abortPercent) / 100));
}

/** Counts the devices that were tried: skipped or canceled ones say nothing about the image. */
function isStageGood(
  devices: readonly CourseDevice[],
  stage: number,
  { requiredPercent }: Pick<CourseRules, 'requiredPercent'>,
): boolean {
  const ofStage = devices.filter((device) => device.stage === stage);
  const done = ofStage.filter(({ state }) => state === 'done').length;
  const tried = done + ofStage.filter(hasFailed).length;
  return tried === 0 || done * 100 >= tried * requiredPercent;
}
