// Follows the reports of devices: their tracks are computed as positions arrive, and written periodically. Days with late positions are
// computed again in the background, a few devices at a time, so that their database queries travel together.

import type { ClockStep } from '../../../shared/protocol/tracks/deviceClock.ts';
import type { PositionReport, Report, ReportingDevice } from '../../device/reportFeed.ts';
import { inBackground } from '../../faults/background.ts';
import type { TrackStore } from '../../store/tracks/tracks.ts';
import type { TrackWrite } from '../../store/tracks/trackWriting.ts';
import { noTrack, parseState, type TrackState } from '../trips/trackState.ts';
import { TripDetector, type TripRules } from '../trips/tripDetector.ts';
import { DeviceTrack, type DeviceTrackDeps, type Dirt } from './deviceTrack.ts';
import { DirtyDays } from './dirtyDays.ts';
import type { PositionReader } from './positionReader.ts';
import { type Replayed, type ReplayFrom, replay } from './replay.ts';
import { WorkQueue } from './workQueue.ts';

export interface TrackEngineDeps extends DeviceTrackDeps {
  readonly store: TrackStore;
  readonly reader: PositionReader;
  readonly rules: TripRules;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly nextTurn: () => Promise<void>;
  readonly onFault: (error: Error) => void;
}

interface Followed {
  readonly track: DeviceTrack;
  /** Settles when the clock is known. */
  readonly loaded: Promise<void>;
}

/** Interval for writing tracks under way. */
const WRITE_INTERVAL_MS = 15_000;
/** Interval for writing the state with which a start would continue: later positions are read again. */
const STATE_INTERVAL_MS = 60_000;
/** Terminals send stored positions message after message, and the database has them a moment after they came. */
const QUIET_MS = 10_000;
const MAX_QUIET_MS = 60_000;
const RETRY_MS = 30_000;
const DEVICES_PER_WRITE = 500;
/** Devices that are computed at once: each holds the positions of two hours at most. */
const DEVICES_AT_ONCE = 32;

export class TrackEngine {
  recomputedDays = 0;
  failures = 0;
  readonly #deps: TrackEngineDeps;
  readonly #dirty: DirtyDays;
  readonly #queue: WorkQueue<DeviceTrack>;
  /** Followed devices by incarnation. */
  readonly #followed = new Map<number, Followed>();
  #cancelWrite: (() => void) | undefined;
  #isClosed = false;

  constructor(deps: TrackEngineDeps) {
    this.#deps = deps;
    this.#dirty = new DirtyDays(deps.store);
    this.#queue = new WorkQueue({ ...deps, atOnce: DEVICES_AT_ONCE, work: (track) => this.#work(track) });
  }

  /** Finds the days again that an earlier run has not computed. */
  async start(): Promise<void> {
    for (const { deviceId, ...day } of await this.#deps.store.dirty()) {
      this.#dirty.resume(day);
      const { track } = this.#follow({ deviceId, incarnation: day.incarnation, archiveNumber: 0 });
      this.#queue.add(track, QUIET_MS);
    }
    this.#writeLater();
  }

  /** For a late position: settles when it is stored that its day has to be computed again. */
  handle(report: Report): Promise<void> | undefined {
    if (report.kind !== 'position' || this.#isClosed) return undefined;
    const { track, loaded } = this.#follow(report.device);
    if (report.isLive) {
      this.#note(track, track.addLive(report.position));
      return undefined;
    }
    return this.#late(track, loaded, report);
  }

  /** Time of the gateway's clock for a device time in a message. */
  async gatewayTime(device: ReportingDevice, deviceMs: number): Promise<number> {
    const { track, loaded } = this.#follow(device);
    await loaded;
    return deviceMs + track.clock.offsetAt(deviceMs);
  }

  mayReport(device: ReportingDevice): boolean {
    return this.#follow(device).track.mayReport();
  }

  /** Called when the device was deleted. */
  forget(deviceId: string): void {
    for (const [incarnation, { track }] of this.#followed) {
      if (track.device.deviceId !== deviceId) continue;
      this.#drop(track);
      this.#dirty.forget(incarnation);
    }
  }

  /** Writes the present state of all tracks. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelWrite?.();
    await this.#queue.close();
    await this.#dirty.settled();
    const tracks = [...this.#followed.values()].map(({ track }) => track);
    await this.#write(
      tracks.filter(({ hasChanged }) => hasChanged),
      true,
    );
  }

  /** Ends like a killed process: nothing more is written. */
  async abandon(): Promise<void> {
    this.#isClosed = true;
    this.#cancelWrite?.();
    await this.#queue.close();
    await this.#dirty.settled();
  }

  /** Number of devices with something that waits to be computed. */
  get waitingCount(): number {
    return this.#queue.count;
  }

  get dirtyCount(): number {
    return this.#dirty.count;
  }

  #follow(device: ReportingDevice): Followed {
    const known = this.#followed.get(device.incarnation);
    if (known !== undefined) return known;
    const track = new DeviceTrack(device, this.#deps);
    const followed = { track, loaded: this.#load(track) };
    this.#followed.set(device.incarnation, followed);
    inBackground(`the track of ${device.deviceId} could not be read`, followed.loaded, this.#deps.onFault);
    this.#queue.add(track, 0);
    return followed;
  }

  async #load(track: DeviceTrack): Promise<void> {
    try {
      const { steps } = await this.#deps.store.load(track.device.incarnation);
      this.#note(track, track.resumeClock(steps));
    } catch (error) {
      // The next report tries again.
      this.#followed.delete(track.device.incarnation);
      throw error;
    }
  }

  async #late(track: DeviceTrack, loaded: Promise<void>, { position }: PositionReport): Promise<void> {
    await loaded;
    for (const day of track.addLate(position)) await this.#mark(track, day);
  }

  #note(track: DeviceTrack, dirt: readonly Dirt[]): void {
    for (const day of dirt) {
      const kept = this.#mark(track, day);
      inBackground('a day that is to be worked out anew could not be noted', kept, this.#deps.onFault);
    }
  }

  /** Settles when the mark is stored. */
  #mark(track: DeviceTrack, day: Dirt): Promise<void> {
    if (track.isRunning(day)) track.isBehind = true;
    this.#queue.add(track, QUIET_MS, MAX_QUIET_MS);
    return this.#dirty.mark(track.device.incarnation, day);
  }

  async #work(track: DeviceTrack): Promise<void> {
    const { incarnation } = track.device;
    const followed = this.#followed.get(incarnation);
    if (followed?.track !== track) return;
    await followed.loaded;
    if (track.detector !== undefined && track.hasChanged) await this.#write([track], true);
    if (this.#followed.get(incarnation) !== followed) return;
    const dirt = this.#dirty.take(incarnation);
    try {
      if (track.detector === undefined) await this.#resume(track);
      for (const day of dirt) {
        await this.#recompute(track, day.fromMs);
        this.recomputedDays++;
      }
      if (track.isBehind) await this.#catchUp(track);
      await this.#dirty.done(incarnation, dirt);
    } catch (cause) {
      this.failures++;
      track.isBehind = true;
      for (const day of dirt) inBackground('tracks', this.#dirty.mark(incarnation, day), () => undefined);
      this.#queue.add(track, RETRY_MS);
      throw new Error(`the track of ${track.device.deviceId} could not be worked out`, { cause });
    }
  }

  async #resume(track: DeviceTrack): Promise<void> {
    const { state } = await this.#deps.store.load(track.device.incarnation);
    track.resume(this.#detector(track, state === undefined ? noTrack() : parseState(state)));
  }

  #detector(track: DeviceTrack, state: TrackState): TripDetector {
    return new TripDetector(this.#deps.rules, track.localDays, state);
  }

  async #recompute(track: DeviceTrack, fromMs: number): Promise<void> {
    const { before, after } = await this.#deps.store.startsAround(track.device.incarnation, fromMs);
    const running = track.detector?.state ?? noTrack();
    if (isBefore(running, fromMs)) return this.#catchUp(track, fromMs);
    if (after !== undefined) {
      const state = parseState(after.state);
      if (isBefore(state, fromMs)) return this.#replay(track, { state, beginMs: fromMs, changedMs: fromMs });
    }
    if (before === undefined) return this.#replay(track, { state: noTrack(), beginMs: fromMs, changedMs: fromMs });
    const { beginMs } = before;
    return this.#replay(track, { state: parseState(before.state), beginMs, changedMs: fromMs });
  }

  /** Computes from where the running track is. */
  #catchUp(track: DeviceTrack, fromMs = Number.POSITIVE_INFINITY): Promise<void> {
    const state = copyOf(track.detector?.state ?? noTrack());
    const beginMs = state.last?.atMs ?? Math.min(fromMs, track.firstWaitingMs() ?? this.#deps.now());
    track.isBehind = true;
    return this.#replay(track, { state, beginMs, changedMs: Number.POSITIVE_INFINITY });
  }

  async #replay(track: DeviceTrack, begin: Pick<ReplayFrom, 'state' | 'beginMs' | 'changedMs'>): Promise<void> {
    const { device, clock, localDays, isBehind } = track;
    const untilDay = isBehind ? undefined : track.detector?.state.day;
    const waiting = (fromMs: number, toMs: number) => track.takeWaiting(fromMs, toMs);
    const from = { ...begin, untilDay, waiting };
    const replayed = await replay({ ...device, clock, localDays }, from, this.#deps);
    await this.#keep(track, replayed);
  }

  async #keep(track: DeviceTrack, replayed: Replayed): Promise<void> {
    const { replacement } = replayed;
    if (replacement !== undefined) await this.#deps.store.replace(replacement);
    if (replayed.kind === 'continues') {
      const { localDay, beginMs } = replayed.start;
      this.#note(track, [{ localDay, fromMs: beginMs }]);
    }
    if (replayed.kind === 'ended') {
      track.stateWrittenAtMs = this.#deps.now();
      this.#note(track, track.takeUp(replayed.detector));
    }
  }

  #writeLater(): void {
    if (this.#isClosed) return;
    this.#cancelWrite = this.#deps.runAfter(WRITE_INTERVAL_MS, () => {
      const tracks = [...this.#followed.values()].map(({ track }) => track);
      for (const track of tracks) track.forgetStored(this.#deps.now());
      const due = tracks.filter(({ hasChanged }) => hasChanged);
      this.#queue.first(() => this.#write(due, false));
      this.#writeLater();
    });
  }

  async #write(tracks: readonly DeviceTrack[], withState: boolean): Promise<void> {
    for (let start = 0; start < tracks.length; start += DEVICES_PER_WRITE) {
      const part = tracks.slice(start, start + DEVICES_PER_WRITE);
      try {
        await this.#deps.store.write(part.map((track) => this.#writeOf(track, withState)));
      } catch (cause) {
        this.failures++;
        // These tracks continue from what was written last: the positions since are stored.
        for (const track of part) this.#drop(track);
        this.#deps.onFault(new Error(`${part.length} tracks could not be written`, { cause }));
      }
    }
  }

  #writeOf(track: DeviceTrack, withState: boolean): TrackWrite {
    const { detector, device } = track;
    const nowMs = this.#deps.now();
    const isDue = withState || nowMs - track.stateWrittenAtMs >= STATE_INTERVAL_MS;
    const rows = detector?.takeChanges() ?? { trips: [], stops: [], gaps: [], days: [], starts: [] };
    const steps: ClockStep[] = track.newSteps.splice(0);
    track.hasChanged = false;
    if (isDue) track.stateWrittenAtMs = nowMs;
    const state = isDue && detector !== undefined ? JSON.stringify(detector.state) : undefined;
    return { incarnation: device.incarnation, rows, state, steps };
  }

  #drop(track: DeviceTrack): void {
    this.#followed.delete(track.device.incarnation);
    this.#queue.remove(track);
  }
}

/** Whether the track is at an earlier moment. */
function isBefore({ last }: TrackState, atMs: number): boolean {
  return last === null || last.atMs < atMs;
}

function copyOf(state: TrackState): TrackState {
  return structuredClone(state);
}
