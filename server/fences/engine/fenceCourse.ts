// A device on its way through fences, along one course of time: live, or by late positions. No clock, no timer.
import { GAP_MS } from '../../events/rules/deviceFacts.ts';
import type { Limit } from '../../limits/limit.ts';
import { covers, type DevicePlace } from '../directory/devicePlaces.ts';
import type { FenceSet } from '../directory/fenceSet.ts';
import { isInForce, type PreparedFence } from '../directory/preparedFence.ts';
import { longitudeNear, type Place } from '../geometry/earth.ts';
import { type Box, boxOf } from '../geometry/shape.ts';
import { findCalmBox, isWithin } from './calmBox.ts';
import type { FenceLog } from './fenceLog.ts';
import type { FencePoint } from './fencePoint.ts';
import { dueAtMs, endAll, endUnheard, type Look, lookAtDirection, lookAtRules } from './fenceRules.ts';
import { fenceSignal } from './fenceSignal.ts';
import { type FenceState, isForgettable, newState, shiftClock } from './fenceState.ts';
import { laterBy, type Moment, middleOf } from './moment.ts';
import { canFollow, clockStepMs, isWay } from './plausibleWay.ts';
import { CLEAR_METERS, nextPresence, wasWayThrough } from './presence.ts';

/** Geofences that a device is in, or about to be. Further ones don't notice the device. */
export const INSIDE_LIMIT: Limit = { name: 'fences.inside.device', max: 256 };
/** Geofences that watch how long a device is outside. Further ones don't notice how long it is outside. */
export const OUTSIDE_LIMIT: Limit = { name: 'fences.outside.device', max: 64 };

export interface CourseSurroundings {
  readonly set: FenceSet;
  readonly device: DevicePlace;
  readonly log: FenceLog;
}

type Mutable<Of> = { -readonly [Name in keyof Of]: Of[Name] };
type Heard = Mutable<Pick<FencePoint, 'atMs' | 'deviceMs' | 'motion'>>;
type Fix = Heard & Mutable<Place>;

export class FenceCourse {
  /** States of the fences that the device isn't clearly outside of. */
  readonly #states = new Map<number, FenceState>();
  /** A fence that the device is in at its first point counts as entered earlier. */
  #isUnknown: boolean;
  #set: FenceSet | undefined;
  /** The fences that watch how long the device is outside. */
  #watched: readonly PreparedFence[] = [];
  /**
   * Overwritten by the next fix, as `#heard` is: with millions of objects that live for seconds each, collecting them is half of the
   * work.
   */
  #fix: Fix | undefined;
  /** A box within which no fence is entered, left or crossed. */
  #calm: Box | undefined;
  /** A point too far from the last one for a vehicle: one of both is wrong. */
  #suspect: FencePoint | undefined;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  /** The rules have changed since the last look. */
  #isUnseen = false;
  #heard: Heard | undefined;

  constructor({ isUnknown = false }: { readonly isUnknown?: boolean } = {}) {
    this.#isUnknown = isUnknown;
  }

  get fix(): Moment | undefined {
    return momentOf(this.#fix);
  }

  get heard(): Moment | undefined {
    return momentOf(this.#heard);
  }

  get stateCount(): number {
    return this.#states.size;
  }

  stateOf(fence: number): FenceState | undefined {
    return this.#states.get(fence);
  }

  get states(): Iterable<FenceState> {
    return this.#states.values();
  }

  /** Resumes after a restart, before the first point. `now`: as if the device had just reported. */
  resume(state: FenceState, now: Moment): void {
    this.#states.set(state.fence.id, state);
    this.#calm = undefined;
    this.#isUnseen = true;
    this.#heard ??= { ...now, motion: 'unknown' };
  }

  step(point: FencePoint, around: CourseSurroundings): void {
    if (this.#isOld(point)) return;
    this.#setClock(point);
    this.use(around);
    const fix = this.#acceptedFix(point);
    const unheard = this.#unheardBefore(point);
    this.#noteHeard(point);
    if (unheard !== undefined) for (const state of this.#states.values()) endUnheard(state, unheard, around.log.emit);
    if (fix !== undefined) this.#move(fix, around);
    this.#look(point, point.speedKmh, around);
    if (fix === undefined) return;
    this.#noteFix(fix);
    this.#isUnknown = false;
  }

  #noteHeard({ atMs, deviceMs, motion }: FencePoint): void {
    const heard = this.#heard;
    if (heard === undefined) {
      this.#heard = { atMs, deviceMs, motion };
      return;
    }
    heard.atMs = atMs;
    heard.deviceMs = deviceMs;
    heard.motion = motion;
  }

  #noteFix({ atMs, deviceMs, latitude, longitude, motion }: FencePoint): void {
    const fix = this.#fix;
    if (fix === undefined) {
      this.#fix = { atMs, deviceMs, latitude, longitude, motion };
      return;
    }
    fix.atMs = atMs;
    fix.deviceMs = deviceMs;
    fix.latitude = latitude;
    fix.longitude = longitude;
    fix.motion = motion;
  }

  /** Evaluates the passing of time. */
  tick(atMs: number, around: CourseSurroundings): void {
    this.use(around);
    const heard = this.#heard;
    if (heard === undefined || atMs < heard.atMs) return;
    const now = laterBy(heard, atMs - heard.atMs);
    if (atMs - heard.atMs >= GAP_MS)
      for (const state of this.#states.values()) endUnheard(state, heard, around.log.emit);
    this.#look({ ...now, motion: heard.motion }, undefined, around);
  }

  /** Uses these fences from now on: events of those that are gone end. */
  use(around: CourseSurroundings): void {
    if (this.#set === around.set) return;
    this.#set = around.set;
    this.#calm = undefined;
    this.#isUnseen = this.#states.size > 0;
    this.#watched = around.set.watchedOutside(around.device);
    for (const state of this.#states.values()) {
      const fence = around.set.find(state.fence.id);
      if (fence === undefined || !covers(fence, around.device)) this.#drop(state, around.log);
      else state.fence = fence;
    }
  }

  /** Ends all raised events; where the device is remains known. */
  endRules(log: FenceLog): void {
    for (const state of this.#states.values()) endAll(state, log.emit);
  }

  /** Forgets a fence that the device has left according to other positions. */
  leaveUntold(fence: number): void {
    this.#states.delete(fence);
    this.#calm = undefined;
  }

  /** Time at which a tick is needed, by the clock of `atMs`; Infinity for never. */
  get dueAtMs(): number {
    let dueMs = Number.POSITIVE_INFINITY;
    const heard = this.#heard;
    if (heard === undefined) return dueMs;
    if (this.#isUnseen) return heard.atMs;
    for (const state of this.#states.values()) dueMs = Math.min(dueMs, dueAtMs(state, heard, this.#lookedAtMs));
    return dueMs;
  }

  /** Whether the point was sent again, or overtaken on its way. */
  #isOld({ deviceMs, atMs }: FencePoint): boolean {
    const heard = this.#heard;
    if (heard === undefined) return false;
    return deviceMs <= heard.deviceMs && clockStepMs(heard, { deviceMs, atMs }) === 0;
  }

  #setClock(point: FencePoint): void {
    const stepMs = this.#heard === undefined ? 0 : clockStepMs(this.#heard, point);
    if (stepMs === 0) return;
    for (const state of this.#states.values()) shiftClock(state, stepMs);
    if (this.#fix !== undefined) this.#fix.deviceMs += stepMs;
    this.#suspect = undefined;
  }

  #unheardBefore(point: FencePoint): Moment | undefined {
    const heard = this.#heard;
    return heard !== undefined && point.atMs - heard.atMs >= GAP_MS ? momentOf(heard) : undefined;
  }

  /** Undefined for a point that no vehicle can have driven to. */
  #acceptedFix(point: FencePoint): FencePoint | undefined {
    if (!point.hasFix) return undefined;
    if (this.#fix === undefined || canFollow(this.#fix, point)) {
      this.#suspect = undefined;
      return point;
    }
    const suspect = this.#suspect;
    this.#suspect = point;
    if (suspect === undefined || !canFollow(suspect, point)) return undefined;
    // Two points agree that the device is elsewhere, and nothing is known of the way there.
    this.#noteFix(suspect);
    this.#suspect = undefined;
    return point;
  }

  #move(fix: FencePoint, around: CourseSurroundings): void {
    const before = this.#fix;
    const calm = this.#calm;
    if (calm !== undefined && before !== undefined && isWithin(calm, before) && isWithin(calm, fix)) {
      if (this.#states.size > 0) this.#stay(fix, around);
      return;
    }
    this.#moveOn(before, fix, around);
    this.#calm = this.#findCalm(fix, around);
  }

  /** The device is in the same fences as before. */
  #stay(fix: FencePoint, { log }: CourseSurroundings): void {
    for (const state of this.#states.values()) {
      if (!isInForce(state.fence, fix.atMs)) this.#drop(state, log, fix);
      else if (state.presence.isInside) lookAtDirection(state, fix, log.emit);
    }
  }

  #findCalm(fix: FencePoint, { set, device }: CourseSurroundings): Box | undefined {
    for (const { presence } of this.#states.values()) if (presence.pending !== undefined) return undefined;
    // A fence that isn't in force yet may be the next time.
    if (!this.#watched.every(({ id }) => this.#states.has(id))) return undefined;
    return findCalmBox(set, fix, (fence) => this.#states.has(fence.id) || !covers(fence, device), this.#calm);
  }

  #moveOn(before: Fix | undefined, fix: FencePoint, around: CourseSurroundings): void {
    const { set, device, log } = around;
    const way = before !== undefined && isWay(before, fix) ? before : undefined;
    for (const state of this.#states.values()) {
      if (!isInForce(state.fence, fix.atMs)) this.#drop(state, log, fix);
      else this.#see(state, fix, around);
    }
    const at = { latitude: fix.latitude, longitude: fix.longitude };
    set.visit(way === undefined ? boxOfPlaces(at, at) : boxOfPlaces(way, at), (fence) => {
      if (this.#states.has(fence.id)) return;
      const isIn = fence.shape.contains(fix.latitude, fix.longitude);
      const isPassed = !isIn && way !== undefined && fence.shape.isCrossed(way, fix);
      if (!isIn && !isPassed) return;
      if (!covers(fence, device) || !isInForce(fence, fix.atMs)) return;
      if (isIn) this.#meet(fence, fix, around);
      else if (way !== undefined) this.#pass(fence, { from: middleOf(way, fix), to: middleOf(way, fix) }, around);
    });
    this.#watchOutside(fix, around);
  }

  /** The device lies in a fence that it was not known to be near. */
  #meet(fence: PreparedFence, fix: FencePoint, around: CourseSurroundings): void {
    if (this.#states.size - this.#outsideCount >= INSIDE_LIMIT.max) {
      around.log.onStatesFull(false);
      return;
    }
    const state = newState(fence, this.#isUnknown, fix);
    state.isCarried = this.#isUnknown;
    this.#states.set(fence.id, state);
    if (!this.#isUnknown) this.#see(state, fix, around);
    else around.log.entered(state);
  }

  #watchOutside(fix: FencePoint, around: CourseSurroundings): void {
    for (const fence of this.#watched) {
      if (this.#states.has(fence.id) || !isInForce(fence, fix.atMs)) continue;
      if (this.#outsideCount >= OUTSIDE_LIMIT.max) {
        around.log.onStatesFull(true);
        return;
      }
      const state = newState(fence, false, fix);
      this.#states.set(fence.id, state);
      around.log.watchedOutside(state);
    }
  }

  #see(state: FenceState, fix: FencePoint, around: CourseSurroundings): void {
    const { shape } = state.fence;
    const before = state.presence;
    const isIn = shape.contains(fix.latitude, fix.longitude);
    if (isIn === before.isInside && before.pending === undefined) {
      if (isIn) lookAtDirection(state, fix, around.log.emit);
      return;
    }
    const isClear = shape.borderMeters(fix.latitude, fix.longitude) >= CLEAR_METERS;
    const sighting = { isIn, isClear, wasClear: this.#wasClear(state), at: fix };
    const through = wasWayThrough(before, sighting) ? before.pending : undefined;
    state.presence = nextPresence(before, sighting);
    if (state.presence.isInside !== before.isInside) this.#cross(state, before.since, fix, around);
    else if (through !== undefined) this.#pass(state.fence, { from: through.at, to: fix }, around);
  }

  #wasClear({ fence: { shape } }: FenceState): boolean {
    const fix = this.#fix;
    return fix !== undefined && shape.borderMeters(fix.latitude, fix.longitude) >= CLEAR_METERS;
  }

  #cross(state: FenceState, from: Moment, fix: FencePoint, { log, device }: CourseSurroundings): void {
    const { fence, presence } = state;
    const { enter, leave } = fence.rules;
    const isNews = log.isNews(state, this.#fix);
    if (presence.isInside) {
      log.entered(state);
      lookAtDirection(state, fix, log.emit);
    } else log.left(state, { from, to: presence.since });
    const isWanted = presence.isInside ? enter : leave;
    if (!isWanted || !isNews || !fence.schedule.appliesAt(fix.atMs, device.timeZone)) return;
    const code = presence.isInside ? 'fence-entered' : 'fence-left';
    log.emit(fenceSignal(code, 'momentary', fence.id, { sinceMs: presence.since.atMs }));
  }

  #pass(fence: PreparedFence, visit: { from: Moment; to: Moment }, { log, device }: CourseSurroundings): void {
    log.passed(fence, visit);
    if (!fence.schedule.appliesAt(visit.from.atMs, device.timeZone)) return;
    const { enter, leave } = fence.rules;
    if (enter) log.emit(fenceSignal('fence-entered', 'momentary', fence.id, { sinceMs: visit.from.atMs }));
    if (leave) log.emit(fenceSignal('fence-left', 'momentary', fence.id, { sinceMs: visit.to.atMs }));
  }

  #look(at: Moment & Pick<Look, 'motion'>, speedKmh: number | undefined, around: CourseSurroundings): void {
    this.#lookedAtMs = at.atMs;
    this.#isUnseen = false;
    if (this.#states.size === 0) return;
    const { device, log } = around;
    for (const state of this.#states.values()) {
      if (!isInForce(state.fence, at.atMs)) {
        this.#drop(state, log, at);
        continue;
      }
      const isScheduled = state.fence.schedule.appliesAt(at.atMs, device.timeZone);
      lookAtRules(state, { now: at, isScheduled, motion: at.motion, speedKmh }, log.emit);
      if (isForgettable(state)) this.#forget(state);
    }
  }

  #drop(state: FenceState, log: FenceLog, at: Moment = momentOf(this.#heard) ?? state.presence.since): void {
    endAll(state, log.emit);
    this.#forget(state);
    this.#calm = undefined;
    log.dropped(state, at);
  }

  #forget(state: FenceState): void {
    this.#states.delete(state.fence.id);
  }

  /** The watched fences that the device is outside of without a pending change. */
  get #outsideCount(): number {
    let count = 0;
    for (const { presence } of this.#states.values()) {
      if (!presence.isInside && presence.pending === undefined) count++;
    }
    return count;
  }
}

function momentOf(moment: Moment | undefined): Moment | undefined {
  return moment && { atMs: moment.atMs, deviceMs: moment.deviceMs };
}

function boxOfPlaces(from: Place, to: Place): Box {
  const east = longitudeNear(to.longitude, from.longitude);
  return boxOf(
    Math.min(from.latitude, to.latitude),
    Math.min(from.longitude, east),
    Math.max(from.latitude, to.latitude),
    Math.max(from.longitude, east),
  );
}
