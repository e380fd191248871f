// Computes the trips, stops, gaps and days of one device, position by position in the order of time. Pure: the same positions in the same
// order give the same result, from any state on.
import { TRACK_GAP_MS } from '../../../shared/protocol/api/tracks/track.ts';
import type { DayRow, DayStart, GapRow, StopRow, TripRow } from '../../store/tracks/trackRows.ts';
import { metersBetween, type Place } from './distance.ts';
import { beginDrive, moveOn } from './drive.ts';
import type { LocalDays } from './localDays.ts';
import { MAX_SPEED_KMH, type TrackPoint } from './trackPoint.ts';
import { addTrip, dayTotals, stopRow, tripRow } from './trackRows.ts';
import { type DaySums, type Drive, noSums, type TrackState } from './trackState.ts';

export interface TripRules {
  readonly minMeters: number;
  readonly minMs: number;
  readonly stopMs: number;
}

export interface TrackChanges {
  readonly trips: TripRow[];
  readonly stops: StopRow[];
  readonly gaps: GapRow[];
  readonly days: DayRow[];
  readonly starts: DayStart[];
}

interface MeasuredPlace {
  readonly isMeasured: boolean;
  /** Meters from where the line continues. */
  readonly fromAnchor: number;
  /** Meters from the previous place. */
  readonly fixMeters: number;
  /** Whether the vehicle has moved until now. */
  readonly isArrival: boolean;
}

interface Step extends MeasuredPlace {
  readonly isMoving: boolean;
  readonly elapsedMs: number;
  readonly speedKmh: number;
}

/** A receiver at rest also reports lower speeds. */
const MOVING_KMH = 5;
const CRAWLING_KMH = 1;
/** A line between two places that are further apart in time says little about the way. */
const DENSE_MS = 30_000;
/** A receiver at rest is off by less. */
const DRIFT_METERS = 100;
/** Number of consecutive places that can't have been reached, but follow each other, after which the vehicle counts as there. */
const STRAYS_THAT_COUNT = 3;
const METERS_PER_MS = MAX_SPEED_KMH / 3_600;

export class TripDetector {
  readonly state: TrackState;
  readonly #rules: TripRules;
  #localDays: LocalDays;
  #changes: TrackChanges = noChanges();

  /** `state`: the detector continues from there, and changes it. */
  constructor(rules: TripRules, localDays: LocalDays, state: TrackState) {
    this.#rules = rules;
    this.#localDays = localDays;
    this.state = state;
  }

  /** Adds a point after the last one; others are left out. */
  add(point: TrackPoint): void {
    const { state } = this;
    const { last } = state;
    if (last !== null && point.atMs <= last.atMs) return;
    this.#enterDay(point.atMs);
    const today = this.#sums(state.day);
    today.points++;
    const elapsedMs = last === null ? 0 : point.atMs - last.atMs;
    const isAfterGap = last !== null && elapsedMs > TRACK_GAP_MS;
    const place = this.#placeOf(point, isAfterGap);
    const speedKmh = this.#speedOf(point, place);
    const isMoving = speedKmh >= MOVING_KMH || crawls(point, place);
    if (isAfterGap) this.#passGap(last, point, place, isMoving);
    if (last !== null && !isAfterGap) this.#step(point, { ...place, isMoving, elapsedMs, speedKmh }, today);
    else this.#begin(point, isMoving);
    if (place.isMeasured) {
      state.fix = { latitude: point.latitude, longitude: point.longitude, atMs: point.atMs };
      // Drift is not added up: while the vehicle stands, the line continues from where it stopped, or was brought to.
      const isBrought = place.fromAnchor > DRIFT_METERS;
      if (isMoving || place.isArrival || isBrought || state.anchor === null) state.anchor = state.fix;
    }
    state.last = point;
    state.isMoving = isMoving;
  }

  /** The changes since the last call, including the present form of open trips and stops. */
  takeChanges(): TrackChanges {
    const { drive, stop, last, days } = this.state;
    const changes = this.#changes;
    this.#changes = noChanges();
    if (last === null) return changes;
    if (drive?.isTrip === true) changes.trips.push(tripRow(drive, last.atMs));
    if (stop !== null) changes.stops.push(stopRow(stop, last.atMs, true));
    changes.days.push(...days.map((sums) => dayTotals(sums, drive)));
    return changes;
  }

  /** State of the track if a day begins with a position of this moment. */
  startOfDayAt(atMs: number): DayStart | undefined {
    const { state } = this;
    const day = this.#localDays.dayOf(atMs);
    if (day <= state.day) return undefined;
    const beginMs = Math.max(this.#localDays.startOf(atMs), (state.last?.atMs ?? 0) + 1);
    return { localDay: day, beginMs, state: JSON.stringify({ ...state, days: unsettledDays(state, day) }) };
  }

  /** Called when the device is in another zone; days that have begun don't change. */
  moveTo(localDays: LocalDays): void {
    this.#localDays = localDays;
  }

  #enterDay(atMs: number): void {
    const { state } = this;
    const start = this.startOfDayAt(atMs);
    if (start === undefined) return;
    this.#changes.starts.push(start);
    const unsettled = unsettledDays(state, start.localDay);
    const settled = state.days.filter((sums) => !unsettled.includes(sums));
    this.#changes.days.push(...settled.map((sums) => dayTotals(sums, null)));
    state.days = unsettled;
    state.day = start.localDay;
  }

  #sums(day: number): DaySums {
    const known = this.state.days.find((sums) => sums.day === day);
    if (known !== undefined) return known;
    const sums = noSums(day);
    this.state.days.push(sums);
    return sums;
  }

  /** Whether the point's place counts, and how far it is from where the line continues. */
  #placeOf(point: TrackPoint, isAfterGap: boolean): MeasuredPlace {
    const { state } = this;
    const { fix } = state;
    const fromAnchor = state.anchor === null || !point.hasFix ? 0 : metersBetween(state.anchor, point);
    if (!point.hasFix) return { isMeasured: false, fromAnchor, fixMeters: 0, isArrival: false };
    const isJoined = fix !== null && !isAfterGap && point.atMs - fix.atMs <= TRACK_GAP_MS;
    const fixMeters = fix === null || !isJoined ? 0 : metersBetween(fix, point);
    if (fix !== null && isJoined && fixMeters > METERS_PER_MS * (point.atMs - fix.atMs)) {
      if (!this.#isThereAfterAll(point)) return { isMeasured: false, fromAnchor, fixMeters: 0, isArrival: false };
      state.anchor = null;
    } else if (!isJoined) state.anchor = this.#standsAt(point, fromAnchor) ? state.anchor : null;
    state.strays = null;
    const isKnown = state.anchor !== null;
    return { isMeasured: true, fromAnchor: isKnown ? fromAnchor : 0, fixMeters, isArrival: state.isMoving };
  }

  #standsAt({ speedKmh }: TrackPoint, fromAnchor: number): boolean {
    return !this.state.isMoving && speedKmh < MOVING_KMH && fromAnchor <= DRIFT_METERS;
  }

  #isThereAfterAll({ latitude, longitude, atMs }: TrackPoint): boolean {
    const { strays } = this.state;
    const follows =
      strays !== null && metersBetween(strays, { latitude, longitude }) <= METERS_PER_MS * (atMs - strays.atMs);
    const count = follows ? strays.count + 1 : 1;
    this.state.strays = { latitude, longitude, atMs, count };
    return count >= STRAYS_THAT_COUNT;
  }

  #speedOf(point: TrackPoint, { isMeasured, fixMeters }: MeasuredPlace): number {
    const { fix } = this.state;
    if (point.speedKmh >= 0) return point.speedKmh;
    // The speed is in tenths, like terminals report it.
    return isMeasured && fix !== null ? Math.round((fixMeters * 36_000) / (point.atMs - fix.atMs)) / 10 : 0;
  }

  /** Begins after the first position, or a gap. */
  #begin(point: TrackPoint, isMoving: boolean): void {
    const { state } = this;
    if (!point.hasFix && state.anchor === null) return;
    if (isMoving) state.drive = beginDrive(point, state.anchor ?? point);
    else if (state.stop === null) this.#beginStop(point, state.anchor ?? point, 0);
  }

  #step(point: TrackPoint, step: Step, today: DaySums): void {
    const { state } = this;
    const { last, isMoving: wasMoving } = state;
    if (last === null) return;
    const { elapsedMs, isMoving } = step;
    const idleMs = last.ignitionOn && !isMoving && !wasMoving ? elapsedMs : 0;
    today.idleMs += idleMs;
    if (last.ignitionOn) today.ignitionMs += elapsedMs;
    if (isMoving && state.drive === null) this.#beginDrive(last, point);
    const wasMeasured = state.fix !== null && state.fix.atMs === last.atMs;
    const isDense = step.isMeasured && wasMeasured && elapsedMs <= DENSE_MS;
    if (state.drive !== null && !isDense) state.drive.unmeasuredMs += elapsedMs;
    if (state.drive === null) this.#stand(point, idleMs);
    else if (isMoving || wasMoving) this.#drive(state.drive, point, step);
    else this.#standInDrive(state.drive, idleMs);
    if (state.drive !== null && !isMoving) this.#endDriveIfOver(state.drive, point);
  }

  #beginDrive(last: TrackPoint, point: TrackPoint): void {
    const { state } = this;
    const place = state.anchor ?? (point.hasFix ? point : undefined);
    if (place !== undefined) state.drive = beginDrive(last, place);
  }

  #drive(drive: Drive, point: TrackPoint, { isMeasured, fromAnchor, isMoving, elapsedMs, speedKmh }: Step): void {
    const { state } = this;
    const place = isMeasured ? point : (state.anchor ?? endOf(drive));
    const { idleMs = 0 } = drive.standing ?? {};
    drive.idleMs += idleMs;
    drive.standing = isMoving ? null : { sinceMs: point.atMs, idleMs: 0 };
    const meters = isMeasured ? fromAnchor : 0;
    moveOn(drive, { ...point, speedKmh }, { day: state.day, elapsedMs, meters, place });
    if (drive.isTrip) return;
    drive.isTrip = drive.meters >= this.#rules.minMeters && drive.toMs - drive.fromMs >= this.#rules.minMs;
    if (drive.isTrip) this.#closeStop(drive.fromMs);
  }

  #standInDrive(drive: Drive, idleMs: number): void {
    if (drive.standing !== null) drive.standing.idleMs += idleMs;
  }

  #stand(point: TrackPoint, idleMs: number): void {
    const { state } = this;
    if (state.stop !== null) state.stop.idleMs += idleMs;
    else if (state.anchor !== null || point.hasFix) this.#beginStop(point, state.anchor ?? point, 0);
  }

  #endDriveIfOver(drive: Drive, point: TrackPoint): void {
    const { standing } = drive;
    if (standing === null) return;
    if (point.ignitionOn && point.atMs - standing.sinceMs < this.#rules.stopMs) return;
    this.#endDrive(drive, true);
  }

  /** Ends the drive where the vehicle stopped, or was seen last. */
  #endDrive(drive: Drive, stands: boolean): void {
    const { state } = this;
    const standingIdleMs = drive.standing?.idleMs ?? 0;
    state.drive = null;
    if (drive.isTrip) {
      this.#changes.trips.push(tripRow(drive, undefined));
      addTrip(state.days, drive);
      if (stands) this.#beginStop({ atMs: drive.toMs, offsetMs: drive.offsetMs }, endOf(drive), standingIdleMs);
    } else if (state.stop !== null) state.stop.idleMs += drive.idleMs + standingIdleMs;
    else if (stands) {
      const from = { atMs: drive.fromMs, offsetMs: drive.offsetMs };
      this.#beginStop(from, endOf(drive), drive.idleMs + standingIdleMs);
    }
  }

  #beginStop({ atMs, offsetMs }: Pick<TrackPoint, 'atMs' | 'offsetMs'>, place: Place, idleMs: number): void {
    const { state } = this;
    const { latitude, longitude } = place;
    state.stop = { fromMs: atMs, offsetMs, latitude, longitude, idleMs };
    // The vehicle may have stopped yesterday: a day that ended with the drive is still there.
    const day = this.#localDays.dayOf(atMs);
    const sums = state.days.find((each) => each.day === day) ?? this.#sums(state.day);
    sums.stops++;
  }

  #closeStop(toMs: number): void {
    const { stop } = this.state;
    if (stop === null) return;
    this.state.stop = null;
    this.#changes.stops.push(stopRow(stop, Math.max(stop.fromMs, toMs), false));
  }

  #passGap(
    last: TrackPoint,
    point: TrackPoint,
    { fromAnchor }: { readonly fromAnchor: number },
    isMoving: boolean,
  ): void {
    const { state } = this;
    this.#changes.gaps.push({ fromMs: last.atMs, toMs: point.atMs });
    if (state.drive !== null) this.#endDrive(state.drive, state.drive.standing !== null);
    // A terminal sleeps while its vehicle is parked: the vehicle still stands there.
    const stays = !isMoving && (!point.hasFix || (state.anchor !== null && fromAnchor <= DRIFT_METERS));
    if (!stays) this.#closeStop(last.atMs);
  }
}

/** The days before a beginning day to which the open drive may still add. */
export function unsettledDays({ days, drive }: TrackState, beginningDay: number): DaySums[] {
  const firstDay = drive?.parts[0]?.day ?? beginningDay;
  return days.filter((sums) => sums.day >= firstDay);
}

/** Whether the vehicle moves slowly: in a jam, or with a receiver that measures speeds badly. */
function crawls(point: TrackPoint, { isMeasured, fromAnchor }: MeasuredPlace): boolean {
  return isMeasured && point.ignitionOn && point.speedKmh >= CRAWLING_KMH && fromAnchor > DRIFT_METERS;
}

function endOf({ toLatitude, toLongitude }: Drive): Place {
  return { latitude: toLatitude, longitude: toLongitude };
}

function noChanges(): TrackChanges {
  return { trips: [], stops: [], gaps: [], days: [], starts: [] };
}
