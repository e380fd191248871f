// The recorder: watches the hub for every channel that its policies want, keeps the disk's limits, and reports its state.

import type { Limit, OnLimit } from '../limits/limit.ts';
import type { Hub } from '../media/hub.ts';
import type { Log } from '../process/log.ts';
import type { Device } from '../store/devices/devices.ts';
import type { RecordingPolicy } from '../store/recordings/recordingPolicies.ts';
import type { Segment } from '../store/recordings/segments.ts';
import type { OpenSegment } from './channelRecorder.ts';
import { ChannelSet } from './channelSet.ts';
import { type ChannelStates, channelStatesOf } from './channelStates.ts';
import { claimFolder, Disk } from './disk.ts';
import { bytesToRelease, type DiskState, mayRecord } from './diskState.ts';
import { errorCode, type RecordingFiles } from './files.ts';
import { MemoryBudget } from './memoryBudget.ts';
import { Ordering } from './ordering.ts';
import { PastSegments } from './past/pastSegments.ts';
import { createRecordedIndex, type RecordedIndex } from './recordedIndex.ts';
import type { RecorderStores } from './recorderStores.ts';
import { type RecordingKey, RecordingPlan } from './recordingPlan.ts';
import { emptyReport, type RecoveryReport, repairSegment, unknownSegments } from './recovery.ts';
import { RequestedChannels } from './requestedChannels.ts';
import {
  type Deleted,
  deleteExpired,
  deleteFirst,
  deleteOldest,
  deleteRecordingsOf,
  type RetentionDeps,
} from './retention.ts';
import { type SegmentName, segmentPath } from './segmentPath.ts';
import { SegmentRegister } from './segmentRegister.ts';

interface RecorderSettings {
  /** Interval at which written data is made safe from a power cut. */
  readonly syncIntervalMs: number;
  /** The oldest recordings make room when less is free. */
  readonly floorBytes: number;
  /** Bytes that all recordings together may take; 0: no limit. */
  readonly maximumBytes: number;
  /** Policy for devices without one, until the database has one for all devices. */
  readonly preset: RecordingPolicy;
}

export interface RecorderDeps {
  readonly files: RecordingFiles;
  readonly stores: RecorderStores;
  readonly channelsOf: (device: Device) => readonly number[];
  readonly ignitionOn: (deviceId: string) => boolean | undefined;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly settings: RecorderSettings;
  readonly onLimit?: OnLimit | undefined;
  /** `UNSTORED_SEGMENTS_LIMIT`, if missing. */
  readonly unstoredLimit?: Limit | undefined;
}

/** What starts after the recorder was made: the events before it may want recordings. */
export interface RecordedVideo {
  readonly hub: Pick<Hub, 'watch'>;
  /** Whether the device's data plan allows no video for that recording. Missing: there are no plans. */
  readonly isWithheld?: ((key: RecordingKey) => boolean) | undefined;
}

export interface RecorderCounters {
  writtenBytes: number;
  droppedPackets: number;
  failures: number;
  deletedSegments: number;
  deletedBytes: number;
  /** Segments that were repaired. */
  torn: number;
  /** Rows without files, files without rows, sidecars without segments. */
  orphans: number;
}

/** Together with the time for writing, a kill -9 costs less than a second. */
const FLUSH_INTERVAL_MS = 300;
const PLAN_INTERVAL_MS = 1_000;
const REMOVAL_INTERVAL_MS = 2_000;
const DISK_INTERVAL_MS = 5_000;
const EXPIRY_INTERVAL_MS = 60_000;
const PLANS_A_RELOAD = 5;
/** Packets come many times a second; a channel without any for so long has no stream, or a disk that doesn't answer. */
const WRITTEN_LATELY_MS = 60_000;
/**
 * Data that waits for the recording disk, over all channels: some seconds of two hundred cameras. Whole groups of pictures are left out,
 * and the next key frame starts a new segment.
 */
export const RECORDING_MEMORY_LIMIT: Limit = { name: 'recording.memory.process', max: 128 * 1024 * 1024 };
/** Time after which a round of writes counts as hanging: a network disk that is gone doesn't answer at all. */
const STALL_MS = 20_000;
/** Time before a torn segment that could yet be repaired is deleted: others may make room on a full disk. */
const PATIENCE_MS = 60_000;

export class Recorder {
  readonly disk: Disk;
  /** Everything that is recorded, up to this moment. */
  readonly index: RecordedIndex;
  /** Writes what devices recorded while the server did not. */
  readonly past: PastSegments;
  readonly counters: RecorderCounters = {
    writtenBytes: 0,
    droppedPackets: 0,
    failures: 0,
    deletedSegments: 0,
    deletedBytes: 0,
    torn: 0,
    orphans: 0,
  };
  readonly #deps: RecorderDeps;
  readonly #channels: ChannelSet;
  readonly #plan: RecordingPlan;
  readonly #requested: RequestedChannels;
  readonly #register: SegmentRegister;
  readonly #ordering: Ordering;
  readonly #budget: MemoryBudget;
  readonly #loops = new Set<Loop>();
  /** Segments left by failed writes while the disk as a whole works. */
  #torn: SegmentName[] = [];
  #isWithheld: (key: RecordingKey) => boolean = () => false;
  #isReady = false;
  /** Files and database are being reconciled because segments were forgotten, and not because recording begins. */
  #isFinding = false;
  /** The folder was there once: from then on, an unmarked folder is another one. */
  #isClaimed = false;
  #isClosed = false;
  #plansToReload = 0;
  /** Devices may have been deleted with their recordings. True at the start too: the last run may not have handled them. */
  #mayHaveRemovals = true;
  #abandoning: Promise<void> = Promise.resolve();
  #repairing: Promise<void> = Promise.resolve();
  #expiredAtMs = Number.NEGATIVE_INFINITY;
  /** Time at which the disk was last not full. */
  #hadRoomAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
    const { files, stores, settings, onLimit } = deps;
    this.#budget = new MemoryBudget(RECORDING_MEMORY_LIMIT.max, () => onLimit?.(RECORDING_MEMORY_LIMIT));
    this.disk = new Disk({ files, floorBytes: settings.floorBytes });
    this.#requested = new RequestedChannels(onLimit);
    this.#plan = new RecordingPlan({
      ...stores,
      ...deps,
      policies: stores.recordingPolicies,
      preset: settings.preset,
      requested: this.#requested,
    });
    this.#register = new SegmentRegister({
      segments: stores.segments,
      onFault: (error) => this.#fault(error),
      onLimit,
      limit: deps.unstoredLimit,
    });
    this.#ordering = new Ordering({
      files,
      stores,
      onDone: (found) => this.#ordered(found),
      onFailed: (error) => this.#orderingFailed(error),
    });
    const writing = {
      files: this.#ordering.files,
      onClosed: (segment: Segment) => {
        this.#ordering.finished(segment);
        this.#register.add(segment);
      },
      onFailed: (error: unknown, name: SegmentName | undefined) => this.#writeFailed(error, name),
      onWritten: (bytes: number) => {
        this.counters.writtenBytes += bytes;
      },
    };
    this.past = new PastSegments({
      ...writing,
      mayWrite: () => this.#isReady && this.disk.state === 'ok' && this.#isAllKnown(),
      inOrder: () => this.#inOrder(),
    });
    this.#channels = new ChannelSet({
      ...writing,
      now: deps.now,
      budget: this.#budget,
      syncIntervalMs: settings.syncIntervalMs,
      onDropped: (packets) => {
        this.counters.droppedPackets += packets;
      },
    });
    this.index = createRecordedIndex({
      segments: stores.segments,
      openSegments: () => this.#openSegments(),
      unstored: (isWanted) => this.#register.unstored(isWanted),
    });
    this.disk.subscribe((state, before) => this.#diskChanged(state, before));
  }

  get channelCount(): number {
    return this.#channels.size;
  }

  get heldBytes(): number {
    return this.#budget.heldBytes;
  }

  /** Ends the channels of a deleted device at once: another one with its ID may connect soon, and must not be recorded as this one. */
  deviceRemoved(deviceId: string): void {
    this.#plan.forget(deviceId);
    this.#recordWanted();
    this.#mayHaveRemovals = true;
    this.#plansToReload = 0;
  }

  /** Records channels until then, whatever the policies are; those that are already recorded continue as they are. */
  async record(deviceId: string, channels: readonly number[], untilMs: number): Promise<void> {
    const device = await this.#deps.stores.devices.findByDeviceId(deviceId);
    if (device === undefined || device.disabled) return;
    for (const channel of channels) this.#requested.add({ deviceId, archiveId: device.archiveId, channel }, untilMs);
    this.#recordWanted();
  }

  /** The wanted and the actual recording state now, by device ID. */
  channelStates(): ReadonlyMap<string, ChannelStates> {
    const nowMs = this.#deps.now();
    const wanted = this.#plan.wanted(nowMs);
    const withheld = wanted.filter((key) => this.#isWithheld(key));
    const due = wanted.filter((key) => !this.#isWithheld(key));
    return channelStatesOf(due, this.#channels.writtenSince(nowMs - WRITTEN_LATELY_MS), withheld);
  }

  /** Begins recording. Resolves when files and database agree too; or when the disk is gone, and then continues trying. */
  async start({ hub, isWithheld = () => false }: RecordedVideo): Promise<void> {
    this.#channels.connect(hub);
    this.#isWithheld = isWithheld;
    await this.#diskRound();
    if (this.#isClosed) return;
    this.#every(FLUSH_INTERVAL_MS, () => this.#flushRound());
    this.#every(PLAN_INTERVAL_MS, () => this.#planRound());
    this.#every(REMOVAL_INTERVAL_MS, () => this.#removalRound());
    this.#every(DISK_INTERVAL_MS, () => this.#diskRound());
    await this.#planRound();
    await this.#ordering.settled();
  }

  /** Stores complete segments in the database now instead of with the next round. */
  store(): Promise<void> {
    return this.#register.store();
  }

  #openSegments(): OpenSegment[] {
    return [...this.#channels.openSegments(), ...this.past.openSegments()];
  }

  /** Completes every segment and stores it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#loops].map((loop) => loop.stop()));
    await this.#ordering.stop();
    await Promise.all([this.#channels.close(), this.past.close()]);
    await this.#register.store();
  }

  async #flushRound(): Promise<void> {
    const cancel = this.#deps.runAfter(STALL_MS, () => this.disk.stalled());
    await this.#channels.flush();
    cancel();
    await this.#register.store();
  }

  /** Finds segments for which the register had no room by their files, once the database takes rows again. */
  async #findForgotten(): Promise<void> {
    if (!this.#register.hasForgotten || this.#register.size > 0 || this.#ordering.isRunning) return;
    if (!mayRecord(this.disk.state) && this.disk.state !== 'full') return;
    this.#register.hasForgotten = false;
    this.#isFinding = true;
    await this.#ordering.begin();
  }

  async #planRound(): Promise<void> {
    if (this.#plansToReload-- <= 0) {
      await this.#plan.reload();
      this.#plansToReload = PLANS_A_RELOAD - 1;
    }
    this.#recordWanted();
  }

  #recordWanted(): void {
    if (this.#isReady && !this.#isClosed) this.#channels.want(this.#plan.wanted(this.#deps.now()));
  }

  /** Deletes recordings of devices that were deleted with them. Evidence stays, and a device added meanwhile with the same ID has another archive. */
  async #removalRound(): Promise<void> {
    // A segment without a row would stay.
    if (!this.#mayHaveRemovals || !this.#isReady || this.#ordering.isRunning || this.#register.hasForgotten) return;
    this.#mayHaveRemovals = false;
    const { deviceRecords } = this.#deps.stores;
    for (const { archiveId, upToMs } of await deviceRecords.removals()) {
      await this.#register.store();
      const isOfIt = (each: SegmentName): boolean => each.archiveId === archiveId && each.startMs <= upToMs;
      const isOpen = this.#openSegments().some(({ name }) => isOfIt(name));
      const isStillWritten = isOpen || this.#register.unstored(isOfIt).length > 0;
      if (!isStillWritten) {
        this.#noteDeleted(await deleteRecordingsOf(this.#retention(), archiveId, upToMs));
        await deviceRecords.removalDone(archiveId);
      }
      this.#mayHaveRemovals ||= isStillWritten;
    }
  }

  async #diskRound(): Promise<void> {
    const { files, stores } = this.#deps;
    const { segments } = await stores.segments.totals();
    if (!this.#isReady && !(await this.#claim(files, segments > 0))) return;
    // Done first, since a quota allows the small probe but not the next segment.
    if (this.disk.state === 'full') await this.#makeRoom();
    else this.#hadRoomAtMs = this.#deps.now();
    await this.disk.check();
    if (mayRecord(this.disk.state)) await this.#makeRoom();
    if (mayRecord(this.disk.state) && !this.#isReady) await this.#getReady();
    if (this.#isReady) await this.#repairTorn();
    await this.#findForgotten();
  }

  async #claim(files: RecordingFiles, hasRecordings: boolean): Promise<boolean> {
    try {
      if (await claimFolder(files, hasRecordings || this.#isClaimed)) {
        this.#isClaimed = true;
        return true;
      }
      this.disk.lost();
    } catch (error) {
      this.disk.fault(error);
    }
    return false;
  }

  /** Nothing is recorded yet, or no longer: now recording begins, and files and database are reconciled in parallel. */
  async #getReady(): Promise<void> {
    await this.#abandoning;
    await this.#register.store();
    this.#torn = [];
    this.#isFinding = false;
    this.#ordering.allFinished();
    await this.#ordering.begin();
    this.#isReady = mayRecord(this.disk.state);
  }

  #ordered(found: RecoveryReport): void {
    this.counters.torn += found.torn;
    this.counters.orphans += found.added + found.rowOrphans + found.sidecarOrphans + found.foreign.length;
    report(this.#deps.log, found);
  }

  #orderingFailed(error: unknown): void {
    // Current recording doesn't suffer from it, and it is tried again.
    if (this.#isFinding) this.#register.hasForgotten = true;
    else this.disk.fault(error);
    this.#fault(new Error('recordings could not be brought into order', { cause: error }));
  }

  async #makeRoom(): Promise<void> {
    const { stores, settings, now } = this.#deps;
    const nowMs = now();
    if (Math.abs(nowMs - this.#expiredAtMs) >= EXPIRY_INTERVAL_MS) {
      this.#expiredAtMs = nowMs;
      await stores.recordingPolicies.removeOrphans();
      this.#noteDeleted(await deleteExpired(this.#retention()));
    }
    await this.disk.measure();
    const { bytes } = await stores.segments.totals();
    const release = bytesToRelease(this.disk.space, bytes, settings, this.disk.state);
    if (release <= 0) return;
    const deleted = await deleteOldest(this.#retention(), release);
    this.#noteDeleted(deleted);
    if (deleted.segments > 0) await this.disk.check();
    // A clock that was set back must not delay this.
    else if (this.disk.state === 'full' && Math.abs(nowMs - this.#hadRoomAtMs) > PATIENCE_MS)
      await this.#deleteUnknown();
  }

  /** Deletes a torn segment when no segment in the database may be deleted: without room it can't be repaired. */
  async #deleteUnknown(): Promise<void> {
    await this.#abandoning;
    await this.#ordering.settled();
    await this.#register.store();
    if (this.#register.size > 0 || this.#register.hasForgotten) return;
    const { files, stores, log } = this.#deps;
    const archiveIds = await stores.archives.ids();
    const unknown = await unknownSegments({ files, segments: stores.segments, archiveIds });
    const deleted = await deleteFirst(this.#retention(), unknown);
    if (deleted === undefined) return;
    const { name: deletedName, bytes } = deleted;
    this.#torn = this.#torn.filter((name) => segmentPath(name) !== segmentPath(deletedName));
    this.#noteDeleted({ segments: 1, bytes });
    log.warn({ ...deletedName, bytes }, 'a torn recording was deleted: the disk is full, and nothing else may go');
    await this.disk.check();
  }

  #retention(): RetentionDeps {
    const { files, stores, now } = this.#deps;
    return { ...stores, files, now, policies: () => this.#plan.policies() };
  }

  #noteDeleted({ segments, bytes }: Pick<Deleted, 'segments' | 'bytes'>): void {
    this.counters.deletedSegments += segments;
    this.counters.deletedBytes += bytes;
  }

  /** Whether all segments found so far are known to the database or the register. */
  #isAllKnown(): boolean {
    return this.#torn.length === 0 && !this.#register.hasForgotten;
  }

  async #inOrder(): Promise<void> {
    await this.#abandoning;
    await this.#ordering.settled();
    if (this.#isReady) await this.#repairTorn();
  }

  /** Repairs run one after another: whoever awaits this then knows of every segment. */
  #repairTorn(): Promise<void> {
    this.#repairing = this.#repairing.then(() => this.#repairAll());
    return this.#repairing;
  }

  async #repairAll(): Promise<void> {
    const torn = this.#torn;
    this.#torn = [];
    for (const name of torn) {
      try {
        const segment = await repairSegment(this.#deps.files, name, emptyReport());
        if (segment !== undefined) this.#register.add(segment);
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') this.#torn.push(name);
      }
    }
  }

  #writeFailed(error: unknown, name: SegmentName | undefined): void {
    if (name !== undefined) {
      this.#ordering.finished(name);
      this.#torn.push(name);
    }
    if (error === undefined) return;
    this.counters.failures++;
    this.#deps.log.error({ err: error, ...name }, 'a recording could not be written');
    this.disk.fault(error);
  }

  #diskChanged(state: DiskState, before: DiskState): void {
    const { freeBytes } = this.disk.space;
    const level = state === 'ok' ? 'info' : 'warn';
    this.#deps.log[level]({ state, before, freeBytes }, `disk of the recordings: ${state}`);
    if (mayRecord(state)) return;
    this.#isReady = false;
    this.#abandoning = Promise.all([this.#channels.abandon(), this.past.abandon()]).then(() => undefined);
  }

  #every(intervalMs: number, run: () => Promise<void>): void {
    const loop = new Loop(this.#deps.runAfter, intervalMs, async () => {
      try {
        await run();
      } catch (error) {
        this.#fault(new Error('a round of the recorder failed', { cause: error }));
      }
    });
    this.#loops.add(loop);
  }

  #fault(error: Error): void {
    this.#deps.log.error({ err: error }, 'recorder');
  }
}

/** Runs something again and again, each time after a delay from the end of the previous run. */
class Loop {
  #cancel: () => void;
  #isStopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(runAfter: RecorderDeps['runAfter'], intervalMs: number, run: () => Promise<void>) {
    const again = (): void => {
      this.#running = run().then(() => {
        if (!this.#isStopped) this.#cancel = runAfter(intervalMs, again);
      });
    };
    this.#cancel = runAfter(intervalMs, again);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#running;
  }
}

function report(log: RecorderDeps['log'], found: RecoveryReport): void {
  const { foreign, ...counts } = found;
  const isInOrder = found.torn + found.damagedGroups + found.empty + found.rowOrphans + found.sidecarOrphans === 0;
  const shown = { ...counts, foreign: foreign.length, someForeign: foreign.slice(0, 10) };
  log[isInOrder ? 'info' : 'warn'](shown, 'recordings are in order');
}
