// The rules of a fence that need time to pass. Decides on its arguments only: no clock, no timer.
import { GAP_MS, type Motion } from '../../events/rules/deviceFacts.ts';
import type { Signal } from '../../events/signals/signal.ts';
import { degreesBetween } from '../geometry/earth.ts';
import type { FencePoint } from './fencePoint.ts';
import { fenceSignal, type HeldCode } from './fenceSignal.ts';
import { type FenceState, HELD_CODES, type Held } from './fenceState.ts';
import type { Moment } from './moment.ts';

export interface Look {
  readonly now: Moment;
  /** The fence's rules apply now. */
  readonly isScheduled: boolean;
  /** The motion at the last position. */
  readonly motion: Motion;
  /** Undefined when only time has passed, or where the speed isn't known. */
  readonly speedKmh: number | undefined;
}

const MINUTE_MS = 60_000;
/** Hysteresis below the limit: speeds that vary around it are one event. */
const CLEAR_KMH = 5;
const AGAINST_POINTS = 3;
const AGAINST_METERS = 50;
/** Distance in the line's direction after which the vehicle counts as turned back. */
const WITH_METERS = 10;
const AGAINST_DEGREES = 90;

type Emit = (signal: Signal) => void;

/** Called with every position of a tracked device, and when time has passed. */
export function lookAtRules(state: FenceState, look: Look, emit: Emit): void {
  const { rules } = state.fence;
  const { isInside } = state.presence;
  const { isScheduled, motion, speedKmh, now } = look;
  stay(state, 'fence-inside-long', { isMet: isInside && isScheduled, minutes: rules.insideMinutes }, { now, emit });
  stay(state, 'fence-outside-long', { isMet: !isInside && isScheduled, minutes: rules.outsideMinutes }, { now, emit });
  const isParked = isInside && isScheduled && motion !== 'moving';
  // Unknown motion neither begins nor ends parking.
  const isMet = isParked && (motion === 'still' || state.held['fence-parked'] !== undefined);
  stay(state, 'fence-parked', { isMet, minutes: rules.parkedMinutes }, { now, emit });
  if (!isInside || !isScheduled || rules.speedKmh === 0) endHeld(state, 'area-speeding', emit);
  else if (speedKmh !== undefined) speed(state, speedKmh, now, emit);
  if (!isInside || !isScheduled || !rules.wrongDirection) endAgainst(state, emit);
}

/** Compares a fix with the previous one inside a corridor. */
export function lookAtDirection(state: FenceState, point: FencePoint, emit: Emit): void {
  const { fence, presence } = state;
  if (!fence.rules.wrongDirection || !presence.isInside) return;
  const progress = fence.shape.progressAt?.(point.latitude, point.longitude);
  if (progress === undefined) return;
  const { against } = state;
  if (against === undefined) {
    state.against = { alongMeters: progress.alongMeters, points: 0, meters: 0 };
    return;
  }
  if (point.motion !== 'moving') return;
  const backMeters = against.alongMeters - progress.alongMeters;
  against.alongMeters = progress.alongMeters;
  // Where a line leads past itself, the nearest part may be another one; the heading decides.
  const { headingDeg } = point;
  const turned = headingDeg === undefined ? 0 : degreesBetween(headingDeg, progress.bearingDeg);
  const isAgainst = backMeters > 0 && turned > AGAINST_DEGREES;
  if (isAgainst) driveAgainst(state, backMeters, point, emit);
  else if (backMeters < -WITH_METERS) {
    endHeld(state, 'fence-wrong-direction', emit);
    against.points = 0;
    against.meters = 0;
  }
}

/** Ends what depends on driving: after too long a silence, neither speed nor direction is known. */
export function endUnheard(state: FenceState, heard: Moment, emit: Emit): void {
  endHeld(state, 'area-speeding', emit, heard);
  endAgainst(state, emit, heard);
}

/** Ends all raised events. */
export function endAll(state: FenceState, emit: Emit): void {
  for (const code of HELD_CODES) endHeld(state, code, emit);
  state.against = undefined;
}

/** Time at which time alone may raise or end something, if no report comes after `heard`. By the gateway's clock; Infinity: never. */
export function dueAtMs(state: FenceState, heard: Moment, lookedAtMs: number): number {
  const { fence, held } = state;
  let dueMs = fence.validToMs === 0 ? Number.POSITIVE_INFINITY : fence.validToMs;
  const wait = (one: Held | undefined, minutes: number): void => {
    if (one === undefined || one.isRaised) return;
    dueMs = Math.min(dueMs, heard.atMs + one.since.deviceMs + minutes * MINUTE_MS - heard.deviceMs);
  };
  const { insideMinutes, outsideMinutes, parkedMinutes } = fence.rules;
  wait(held['fence-inside-long'], insideMinutes);
  wait(held['fence-outside-long'], outsideMinutes);
  wait(held['fence-parked'], parkedMinutes);
  const isDriven = held['area-speeding']?.isRaised === true || held['fence-wrong-direction']?.isRaised === true;
  if (isDriven) dueMs = Math.min(dueMs, heard.atMs + GAP_MS);
  const hasStays = insideMinutes > 0 || outsideMinutes > 0 || parkedMinutes > 0;
  // A schedule begins and ends without any report.
  return hasStays && !fence.schedule.isAlways ? Math.min(dueMs, lookedAtMs + MINUTE_MS) : dueMs;
}

interface Stay {
  readonly isMet: boolean;
  /** 0: no such rule. */
  readonly minutes: number;
}

function stay(
  state: FenceState,
  type: 'fence-inside-long' | 'fence-outside-long' | 'fence-parked',
  { isMet, minutes }: Stay,
  { now, emit }: { readonly now: Moment; readonly emit: Emit },
): void {
  if (minutes === 0 || !isMet) {
    endHeld(state, type, emit, now);
    return;
  }
  const { fence, presence, held } = state;
  // A stay counts from when it began; parking, and a stay that a schedule lets begin, from when it was first seen.
  const isWhole = type !== 'fence-parked' && fence.schedule.isAlways;
  held[type] ??= { since: isWhole ? presence.since : now, isRaised: false, worst: 0 };
  const one = held[type];
  if (one.isRaised || now.deviceMs - one.since.deviceMs < minutes * MINUTE_MS) return;
  one.isRaised = true;
  emit(fenceSignal(type, 'begin', fence.id, { value: minutes, limit: minutes, sinceMs: one.since.atMs }));
}

function speed(state: FenceState, speedKmh: number, now: Moment, emit: Emit): void {
  const { fence, held } = state;
  const limit = fence.rules.speedKmh;
  const one = held['area-speeding'];
  if (one === undefined) {
    if (speedKmh <= limit) return;
    held['area-speeding'] = { since: now, isRaised: true, worst: speedKmh };
    emit(fenceSignal('area-speeding', 'begin', fence.id, { value: speedKmh, limit }));
  } else if (speedKmh <= limit - CLEAR_KMH) endHeld(state, 'area-speeding', emit);
  else one.worst = Math.max(one.worst, speedKmh);
}

function driveAgainst(state: FenceState, backMeters: number, now: Moment, emit: Emit): void {
  const { against, held, fence } = state;
  if (against === undefined) return;
  against.points++;
  against.meters += backMeters;
  const isEnough = against.points >= AGAINST_POINTS || against.meters >= AGAINST_METERS;
  if (!isEnough || held['fence-wrong-direction'] !== undefined) return;
  held['fence-wrong-direction'] = { since: now, isRaised: true, worst: 0 };
  emit(fenceSignal('fence-wrong-direction', 'begin', fence.id));
}

function endAgainst(state: FenceState, emit: Emit, at?: Moment): void {
  state.against = undefined;
  endHeld(state, 'fence-wrong-direction', emit, at);
}

function endHeld(state: FenceState, code: HeldCode, emit: Emit, at?: Moment): void {
  const one = state.held[code];
  if (one === undefined) return;
  delete state.held[code];
  if (!one.isRaised) return;
  const { id } = state.fence;
  const isSpeed = code === 'area-speeding';
  const isStay = !isSpeed && code !== 'fence-wrong-direction';
  const minutes = at === undefined ? 0 : Math.floor((at.deviceMs - one.since.deviceMs) / MINUTE_MS);
  const measured = { ...(isSpeed && { value: one.worst }), ...(isStay && minutes > 0 && { value: minutes }) };
  emit(fenceSignal(code, 'end', id, { ...measured, ...(at !== undefined && { sinceMs: at.atMs }) }));
}
