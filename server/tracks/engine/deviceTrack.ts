// The track of one device as it goes on: what the next position means for it, and what has to be worked out anew. Waits for nothing.
import type { ClockStep } from '../../../shared/protocol/tracks/deviceClock.ts';
import type { ReportingDevice } from '../../device/reportFeed.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import { TokenBucket } from '../../limits/tokenBucket.ts';
import type { Position } from '../../store/fleet/positions.ts';
import { ClockMeter } from '../clock/clockMeter.ts';
import { MeasuredClock } from '../clock/measuredClock.ts';
import { LocalDays } from '../trips/localDays.ts';
import { comparePoints, isReportTime, type TrackPoint, trackPoint } from '../trips/trackPoint.ts';
import type { TripDetector } from '../trips/tripDetector.ts';

/** Positions of a device that wait until its track is known, or worked out anew. */
export const WAITING_LIMIT: Limit = { name: 'tracks.waiting.device', max: 5_000 };
/** A clock that drifts is set once a day. */
export const CLOCK_STEPS_LIMIT: Limit = { name: 'tracks.clock-steps.device', max: 24 };
export const MESSAGES_LIMIT: Limit = { name: 'tracks.messages.device', max: 240 };
/** As many as a message has: positions are stored half a second after they came. */
const MAX_RECENT_LATE = 2_000;
/** By then they are, also where the database was held up. */
const STORED_AFTER_MS = 2 * 60_000;
const HOUR_S = 3_600;
const DAY_S = 86_400;
/** Where the clock has changed by more, positions were placed wrongly before it was noticed. */
const MISPLACED_MS = 10_000;

/** Positions of a day have come that were not counted when it was worked out. */
export interface Dirt {
  readonly localDay: number;
  readonly fromMs: number;
}

export interface DeviceTrackDeps {
  readonly now: () => number;
  readonly timeZoneOf: (deviceId: string) => string;
  readonly onLimit: OnLimit;
}

export class DeviceTrack {
  readonly device: ReportingDevice;
  readonly newSteps: ClockStep[] = [];
  /** Whether positions wait until the track has been worked out to its end. */
  isBehind = true;
  hasChanged = false;
  stateWrittenAtMs = 0;
  clock = new MeasuredClock([]);
  readonly #deps: DeviceTrackDeps;
  readonly #steps: TokenBucket;
  readonly #messages: TokenBucket;
  #detector: TripDetector | undefined;
  #meter: ClockMeter | undefined;
  #waiting: Position[] = [];
  #recentLate: Position[] = [];
  /** Late positions that can't be placed by the clock as it is known: by day, the first. */
  readonly #leftOut = new Map<number, number>();
  #isClockKnown = false;
  #timeZone: string;
  #localDays: LocalDays;

  constructor(device: ReportingDevice, deps: DeviceTrackDeps) {
    this.device = device;
    this.#deps = deps;
    this.#timeZone = deps.timeZoneOf(device.deviceId);
    this.#localDays = new LocalDays(this.#timeZone);
    const nowMs = deps.now();
    this.#steps = new TokenBucket({ burst: CLOCK_STEPS_LIMIT.max, perSecond: CLOCK_STEPS_LIMIT.max / DAY_S }, nowMs);
    this.#messages = new TokenBucket({ burst: MESSAGES_LIMIT.max, perSecond: MESSAGES_LIMIT.max / HOUR_S }, nowMs);
  }

  get detector(): TripDetector | undefined {
    return this.#detector;
  }

  get localDays(): LocalDays {
    this.#followZone();
    return this.#localDays;
  }

  /** What was reported while it was read is measured now. */
  resumeClock(steps: readonly ClockStep[]): Dirt[] {
    this.clock = new MeasuredClock(steps);
    this.#isClockKnown = true;
    return this.#waiting.flatMap((position) => this.#measure(position));
  }

  /** What was reported since is behind it. */
  resume(detector: TripDetector): void {
    this.#detector = detector;
  }

  dirtAt(atMs: number): Dirt {
    return { localDay: this.localDays.dayOf(atMs), fromMs: atMs };
  }

  /** Of a report that came as it happened. Gives what has to be worked out anew because of it. */
  addLive(position: Position): Dirt[] {
    if (!this.#isClockKnown) return this.#wait(position);
    const dirt = this.#measure(position);
    if (this.isBehind) return [...dirt, ...this.#wait(position)];
    const point = trackPoint(position, this.clock);
    return point === undefined ? dirt : [...dirt, ...this.#take(point)];
  }

  /** Recorded without a connection. */
  addLate(position: Position): Dirt[] {
    const point = trackPoint(position, this.clock);
    if (point === undefined) return this.#leaveOut(position);
    if (this.#recentLate.length >= 2 * MAX_RECENT_LATE) this.#recentLate = this.#recentLate.slice(-MAX_RECENT_LATE);
    this.#recentLate.push(position);
    return [this.dirtAt(point.atMs)];
  }

  /** What is stored by now is read from there. */
  forgetStored(nowMs: number): void {
    const last = this.#recentLate.at(-1);
    if (last !== undefined && last.receivedAtMs < nowMs - STORED_AFTER_MS) this.#recentLate = [];
  }

  /** Those of a stretch wait no longer: it is being worked out, and they may not be stored yet. */
  takeWaiting(fromMs: number, toMs: number): TrackPoint[] {
    const taken: TrackPoint[] = [];
    this.#waiting = this.#waiting.filter((position) => {
      const point = trackPoint(position, this.clock);
      if (point === undefined || point.atMs < fromMs || point.atMs >= toMs) return true;
      taken.push(point);
      return false;
    });
    for (const position of this.#recentLate) {
      const point = trackPoint(position, this.clock);
      if (point !== undefined && point.atMs >= fromMs && point.atMs < toMs) taken.push(point);
    }
    return taken;
  }

  /** The track has been worked out to its end: what came meanwhile follows. */
  takeUp(detector: TripDetector): Dirt[] {
    this.#detector = detector;
    this.isBehind = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    const points = waiting.flatMap((position) => trackPoint(position, this.clock) ?? []);
    return points.sort(comparePoints).flatMap((point) => this.#take(point));
  }

  /** Of those that wait, when the first was. */
  firstWaitingMs(): number | undefined {
    const times = this.#waiting.flatMap((position) => trackPoint(position, this.clock)?.atMs ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  mayReport(): boolean {
    if (this.#messages.take(this.#deps.now())) return true;
    this.#deps.onLimit(MESSAGES_LIMIT);
    return false;
  }

  /** Whether a day's positions are part of what the running track is at. */
  isRunning({ localDay }: Dirt): boolean {
    const state = this.#detector?.state;
    return state === undefined || localDay >= state.day;
  }

  #followZone(): void {
    const timeZone = this.#deps.timeZoneOf(this.device.deviceId);
    if (timeZone === this.#timeZone) return;
    this.#timeZone = timeZone;
    this.#localDays = new LocalDays(timeZone);
    this.#detector?.moveTo(this.#localDays);
  }

  /** A terminal that has just got the time from satellites sends what it recorded before its clock is known to be right. */
  #leaveOut({ deviceTimeMs, receivedAtMs }: Position): Dirt[] {
    // Of other times there is no end, and they aren't those of its clock anyway.
    if (!isReportTime(deviceTimeMs, receivedAtMs)) return [];
    const day = Math.floor(deviceTimeMs / (DAY_S * 1_000));
    this.#leftOut.set(day, Math.min(this.#leftOut.get(day) ?? deviceTimeMs, deviceTimeMs));
    return [];
  }

  #takeLeftOut(): Dirt[] {
    const times = [...this.#leftOut.values()];
    this.#leftOut.clear();
    return times.map((deviceMs) => this.dirtAt(deviceMs + this.clock.offsetAt(deviceMs)));
  }

  #take(point: TrackPoint): Dirt[] {
    const last = this.#detector?.state.last;
    if (last === undefined || last === null || point.atMs > last.atMs) {
      this.#followZone();
      this.#detector?.add(point);
      this.hasChanged = true;
      return [];
    }
    return comparePoints(point, last) === 0 ? [] : [this.dirtAt(point.atMs)];
  }

  #wait(position: Position): Dirt[] {
    this.#waiting.push(position);
    if (this.#waiting.length <= WAITING_LIMIT.max) return [];
    // They are stored: their days are read again.
    this.#deps.onLimit(WAITING_LIMIT);
    const fromMs = this.firstWaitingMs();
    this.#waiting = [];
    return fromMs === undefined ? [] : [this.dirtAt(fromMs)];
  }

  #measure({ deviceTimeMs, receivedAtMs }: Position): Dirt[] {
    const wasOffsetMs = this.clock.offsetOfLive(deviceTimeMs, receivedAtMs);
    this.#meter ??= new ClockMeter(this.clock.isMeasured ? wasOffsetMs : undefined);
    const step = this.#meter.add(deviceTimeMs, receivedAtMs);
    if (step === undefined) return [];
    if (!this.#steps.take(this.#deps.now())) {
      this.#deps.onLimit(CLOCK_STEPS_LIMIT);
      // It is found again by the reports that follow, so that it is recorded once there is room.
      this.#meter = new ClockMeter(this.clock.offsetAt(deviceTimeMs));
      return [];
    }
    const wasMeasured = this.clock.isMeasured;
    this.clock = this.clock.with(step);
    this.newSteps.push(step);
    this.hasChanged = true;
    const changeMs = step.offsetMs - wasOffsetMs;
    if (!wasMeasured || Math.abs(changeMs) <= MISPLACED_MS) return [];
    const atMs = step.deviceFromMs + step.offsetMs;
    // What lay far off was left out, or placed where nothing else is.
    return [
      ...this.#takeLeftOut(),
      this.dirtAt(Math.abs(changeMs) < DAY_S * 1_000 ? atMs - Math.max(0, changeMs) : atMs),
    ];
  }
}
