// The running track of one device: what the next position means for it, and which days have to be computed again. Waits for nothing.
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

/**
 * Positions of a device that wait while its track is read or computed again. They are dropped from memory; they are stored, and their days
 * are read again.
 */
export const WAITING_LIMIT: Limit = { name: 'tracks.waiting.device', max: 5_000 };
/**
 * Changes of a device's clock in a day: a clock that drifts is set about once a day. Further ones are not recorded, and the trips have the
 * difference that was measured last.
 */
export const CLOCK_STEPS_LIMIT: Limit = { name: 'tracks.clock-steps.device', max: 24 };
/** Driver cards (0x0702) and passenger counts (0x1005) of a device in an hour. Further ones are not kept. */
export const MESSAGES_LIMIT: Limit = { name: 'tracks.messages.device', max: 240 };
/** Maximum of positions in a message: they are stored half a second after they came. */
const MAX_RECENT_LATE = 2_000;
/** Time after which positions are stored, even if the database was busy. */
const STORED_AFTER_MS = 2 * 60_000;
const HOUR_S = 3_600;
const DAY_S = 86_400;
/** Larger changes of the clock mean that positions were placed wrongly before the change was noticed. */
const MISPLACED_MS = 10_000;

/** A day with new positions that were not counted when it was computed. */
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
  /** First late position of each day that can't be placed by the clock as known so far. */
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

  /** Measures the reports that came while the clock was being read. */
  resumeClock(steps: readonly ClockStep[]): Dirt[] {
    this.clock = new MeasuredClock(steps);
    this.#isClockKnown = true;
    return this.#waiting.flatMap((position) => this.#measure(position));
  }

  /** Takes the stored detector; later reports are not in it yet. */
  resume(detector: TripDetector): void {
    this.#detector = detector;
  }

  dirtAt(atMs: number): Dirt {
    return { localDay: this.localDays.dayOf(atMs), fromMs: atMs };
  }

  /** Adds a position that came as it happened. Returns what has to be computed again because of it. */
  addLive(position: Position): Dirt[] {
    if (!this.#isClockKnown) return this.#wait(position);
    const dirt = this.#measure(position);
    if (this.isBehind) return [...dirt, ...this.#wait(position)];
    const point = trackPoint(position, this.clock);
    return point === undefined ? dirt : [...dirt, ...this.#take(point)];
  }

  /** Adds a position that was recorded without a connection. */
  addLate(position: Position): Dirt[] {
    const point = trackPoint(position, this.clock);
    if (point === undefined) return this.#leaveOut(position);
    if (this.#recentLate.length >= 2 * MAX_RECENT_LATE) this.#recentLate = this.#recentLate.slice(-MAX_RECENT_LATE);
    this.#recentLate.push(position);
    return [this.dirtAt(point.atMs)];
  }

  /** Forgets late positions that are stored by now: they are read from the database. */
  forgetStored(nowMs: number): void {
    const last = this.#recentLate.at(-1);
    if (last !== undefined && last.receivedAtMs < nowMs - STORED_AFTER_MS) this.#recentLate = [];
  }

  /** Takes the waiting positions of a stretch that is being computed: they may not be stored yet. */
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

  /** Called when the track has been computed to its end: positions that came meanwhile follow. */
  takeUp(detector: TripDetector): Dirt[] {
    this.#detector = detector;
    this.isBehind = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    const points = waiting.flatMap((position) => trackPoint(position, this.clock) ?? []);
    return points.sort(comparePoints).flatMap((point) => this.#take(point));
  }

  /** Time of the first waiting position. */
  firstWaitingMs(): number | undefined {
    const times = this.#waiting.flatMap((position) => trackPoint(position, this.clock)?.atMs ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  mayReport(): boolean {
    if (this.#messages.take(this.#deps.now())) return true;
    this.#deps.onLimit(MESSAGES_LIMIT);
    return false;
  }

  /** Whether the day belongs to the part of the track that is still running. */
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

  /** A terminal that has just got the time from satellites sends recordings of the time before its clock is known to be right. */
  #leaveOut({ deviceTimeMs, receivedAtMs }: Position): Dirt[] {
    // There is no end of other times, and they don't come from its clock anyway.
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
    // The waiting positions are stored: their days are read again.
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
      // The reports that follow find the step again, so that it is recorded once the limit allows.
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
    // Positions that were far off were left out, or placed where nothing else is.
    return [
      ...this.#takeLeftOut(),
      this.dirtAt(Math.abs(changeMs) < DAY_S * 1_000 ? atMs - Math.max(0, changeMs) : atMs),
    ];
  }
}
