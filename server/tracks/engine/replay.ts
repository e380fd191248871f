// Computes a stretch of a track again from stored positions: from the begin of a day until a day begins as it did before, or to the end.
// Positions before and after the stretch are not read.

import type { TrackReplacement } from '../../store/tracks/trackReplacing.ts';
import type { DayStart, TrackRows } from '../../store/tracks/trackRows.ts';
import type { TrackStore } from '../../store/tracks/tracks.ts';
import type { MeasuredClock } from '../clock/measuredClock.ts';
import type { LocalDays } from '../trips/localDays.ts';
import { type TrackPoint, trackPoint } from '../trips/trackPoint.ts';
import type { TrackState } from '../trips/trackState.ts';
import { TripDetector, type TripRules, unsettledDays } from '../trips/tripDetector.ts';
import { DistinctPoints } from './distinctPoints.ts';
import type { DevicePositions, PositionReader } from './positionReader.ts';

export interface ReplayDeps {
  readonly store: Pick<TrackStore, 'dayStart'>;
  readonly reader: PositionReader;
  readonly rules: TripRules;
  readonly now: () => number;
  /** Lets other work on the thread go first. */
  readonly nextTurn: () => Promise<void>;
}

export interface ReplayedDevice {
  readonly deviceId: string;
  readonly incarnation: number;
  readonly clock: MeasuredClock;
  readonly localDays: LocalDays;
}

export interface ReplayFrom {
  readonly state: TrackState;
  readonly beginMs: number;
  /** After this time a day may begin as before; infinity: the stretch goes to the end. */
  readonly changedMs: number;
  /** The day of the running track: the stretch ends before it. Undefined: it goes to the end. */
  readonly untilDay: number | undefined;
  /** Positions that may not be stored yet. */
  readonly waiting: (fromMs: number, toMs: number) => readonly TrackPoint[];
}

export type Replayed =
  /** A day begins as before, or positions that were counted are no longer stored (no replacement). */
  | { readonly kind: 'settled'; readonly replacement: TrackReplacement | undefined }
  /** The running track's day begins in another state than before. */
  | { readonly kind: 'continues'; readonly replacement: TrackReplacement; readonly start: DayStart }
  | { readonly kind: 'ended'; readonly replacement: TrackReplacement; readonly detector: TripDetector };

/** A device sends one position per second at most: those of this time fit into memory. */
const WINDOW_MS = 2 * 3_600_000;
/** Positions of the near future are accepted: clocks differ. */
const AHEAD_MS = 11 * 60_000;
/** Points per turn: some milliseconds of the thread that relays media. */
const POINTS_PER_TURN = 500;
/** Positions of more recent days have never been removed. */
const MAY_BE_REMOVED_MS = 3 * 86_400_000;

export async function replay(device: ReplayedDevice, from: ReplayFrom, deps: ReplayDeps): Promise<Replayed> {
  const detector = new TripDetector(deps.rules, device.localDays, from.state);
  const { incarnation } = device;
  const fromDay = from.state.day + 1;
  const openFromMs = Math.min(from.beginMs, ...openFrom(from.state));
  const gapsFromMs = from.state.last?.atMs ?? from.beginMs;
  const stretch = { incarnation, fromMs: openFromMs, gapsFromMs, fromDay };
  const endMs = deps.now() + AHEAD_MS;
  const reading = { positions: deps.reader.open(incarnation), nextTurn: deps.nextTurn };
  for (let windowMs = from.beginMs; windowMs < endMs; windowMs += WINDOW_MS) {
    const toMs = Math.min(endMs, windowMs + WINDOW_MS);
    const points = await pointsOf(device.clock, { fromMs: windowMs, toMs, waiting: from.waiting }, reading);
    for (const [at, point] of points.entries()) {
      if (at % POINTS_PER_TURN === POINTS_PER_TURN - 1) await deps.nextTurn();
      const start = detector.startOfDayAt(point.atMs);
      if (start !== undefined && start.beginMs > from.changedMs) {
        const judged = await judge(device, { detector, start, untilDay: from.untilDay }, deps);
        if (judged === 'lost') return { kind: 'settled', replacement: undefined };
        if (judged === 'same') return { kind: 'settled', replacement: settledAt(detector, start, stretch) };
        if (judged === 'continues') {
          const until = { ...untilStart(detector, start), kept: NOTHING_KEPT };
          const rows = rowsOf(detector);
          const replacement = { ...stretch, ...until, rows: { ...rows, starts: [...rows.starts, start] } };
          return { kind: 'continues', start, replacement };
        }
      }
      detector.add(point);
    }
  }
  const rows = rowsOf(detector);
  const toEnd = {
    toMs: undefined,
    gapsToMs: undefined,
    toDay: undefined,
    kept: NOTHING_KEPT,
    state: JSON.stringify(detector.state),
  };
  return { kind: 'ended', detector, replacement: { ...stretch, ...toEnd, rows } };
}

const NOTHING_KEPT = { fromMs: [], days: [] };

async function judge(
  { incarnation }: ReplayedDevice,
  { detector, start, untilDay }: { detector: TripDetector; start: DayStart; untilDay: number | undefined },
  { store, now }: ReplayDeps,
): Promise<'same' | 'continues' | 'lost' | 'goes-on'> {
  const before = await store.dayStart(incarnation, start.localDay);
  const { day, days } = detector.state;
  if (start.beginMs < now() - MAY_BE_REMOVED_MS && day !== 0) {
    const known = await store.dayStart(incarnation, day);
    const points = days.find((sums) => sums.day === day)?.points;
    if (known !== undefined && points !== undefined && known.points > points) return 'lost';
  }
  if (before?.state === start.state) return 'same';
  return untilDay !== undefined && start.localDay >= untilDay ? 'continues' : 'goes-on';
}

type Stretch = Pick<TrackReplacement, 'incarnation' | 'fromMs' | 'gapsFromMs' | 'fromDay'>;

/** Trips and stops that are open then go on as before: what came after has written their rows. */
function settledAt(detector: TripDetector, start: DayStart, stretch: Stretch): TrackReplacement {
  const days = unsettledDays(detector.state, start.localDay).map(({ day }) => day);
  const kept = { fromMs: openFrom(detector.state), days };
  const rows = rowsOf(detector);
  const isDone = ({ fromMs }: { readonly fromMs: number }): boolean => !kept.fromMs.includes(fromMs);
  const done = {
    trips: rows.trips.filter(isDone),
    stops: rows.stops.filter(isDone),
    days: rows.days.filter(({ localDay }) => !kept.days.includes(localDay)),
  };
  return { ...stretch, ...untilStart(detector, start), kept, rows: { ...rows, ...done } };
}

function untilStart({ state }: TripDetector, { beginMs, localDay }: DayStart) {
  // A gap in which the day begins is reported with its first position.
  return { toMs: beginMs, gapsToMs: state.last?.atMs ?? beginMs, toDay: localDay, state: undefined };
}

function openFrom({ stop, drive }: TrackState): number[] {
  return [stop?.fromMs, drive?.fromMs].filter((fromMs) => fromMs !== undefined);
}

function rowsOf(detector: TripDetector): TrackRows {
  return detector.takeChanges();
}

async function pointsOf(
  clock: MeasuredClock,
  { fromMs, toMs, waiting }: { fromMs: number; toMs: number; waiting: ReplayFrom['waiting'] },
  { positions, nextTurn }: { readonly positions: DevicePositions } & Pick<ReplayDeps, 'nextTurn'>,
): Promise<TrackPoint[]> {
  const distinct = new DistinctPoints();
  const add = (point: TrackPoint | undefined): void => {
    if (point !== undefined && point.atMs >= fromMs && point.atMs < toMs) distinct.add(point);
  };
  for (const span of clock.deviceSpans(fromMs, toMs)) {
    for await (const page of positions.read(span)) {
      for (const position of page) add(trackPoint(position, clock));
      await nextTurn();
    }
  }
  for (const point of waiting(fromMs, toMs)) add(point);
  return distinct.sorted();
}
