// Asks online devices for their lists of recordings: once a day and after each absence, in turn, a few at a time.
import type { RecordingOnDevice } from '../../../shared/protocol/api/recordings.ts';
import type { TimeRange } from '../../../shared/protocol/timeRanges.ts';
import type { DeviceClock } from '../../../shared/protocol/tracks/deviceClock.ts';
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { Rounds } from '../../faults/rounds.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { DeviceRecordingStore, ListedRecording, ListingWindow } from '../../store/sync/deviceRecordings.ts';
import type { SyncDevice } from '../../store/sync/syncSources.ts';
import type { SyncDirectory } from '../directory.ts';
import { GroupRuns, type PlaceWish } from '../engine/groupRuns.ts';
import { CLOCK_CHECKS_MS, daysOf, isListedByWrongClock, listingDelayMs, listingDue } from './listingDue.ts';

export type AskedRecordings =
  | { readonly ok: true; readonly recordings: readonly RecordingOnDevice[] }
  /** `refused`: the device answers, but refuses this request; `away`: it does not answer. */
  | { readonly ok: false; readonly reason: 'refused' | 'away' };

interface OnlineDevice {
  readonly device: SyncDevice;
  readonly onlineSinceMs: number;
}

interface Asking {
  readonly memberGroup: number;
  /** Never rejects. */
  readonly work: Promise<void>;
}

/** Checks of the device's clock after the last listing, until all of them are done. */
interface ClockCheck {
  readonly listedAtMs: number;
  readonly askedOffsetMs: number;
  done: number;
}

type DayAnswer = 'listed' | 'refused' | 'away';

export interface DeviceListingsDeps {
  readonly store: Pick<DeviceRecordingStore, 'replace' | 'setListed' | 'listings' | 'within' | 'daysBefore'>;
  readonly directory: Pick<SyncDirectory, 'devices' | 'ownerOf' | 'ownerCount'>;
  /** Undefined while the device is away. */
  readonly onlineSinceMs: (device: SyncDevice) => number | undefined;
  readonly channelsOf: (device: SyncDevice) => readonly number[];
  /** Days back of each rule that covers the device. */
  readonly daysBackOfRules: (device: SyncDevice) => readonly number[];
  readonly clockOf: (incarnation: number) => Promise<DeviceClock>;
  /** `span`: times of the device's clock. */
  readonly ask: (device: SyncDevice, channel: number, span: TimeRange) => Promise<AskedRecordings>;
  readonly onListed: (device: SyncDevice) => void | Promise<void>;
  readonly now: () => number;
  readonly random: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
}

/**
 * Devices that are asked at a time what they have. Shared by member groups. The others wait for a turn, and the member group with the
 * fewest is next.
 */
export const LISTINGS_LIMIT: Limit = { name: 'sync.listings.process', max: 4 };
/** Recordings of a day and channel that a device lists: a day of one camera in files of half a minute. Further ones are left out. */
export const LISTED_ANSWER_LIMIT: Limit = { name: 'sync.listed-recordings.answer', max: 3_000 };
const ROUND_MS = 5_000;
const DAY_MS = 86_400_000;
/** Wait before a device that doesn't answer is asked again. */
const RETRY_MS = 60 * 60_000;

export class DeviceListings {
  readonly #deps: DeviceListingsDeps;
  readonly #rounds: Rounds;
  /** Requests in progress, by incarnation. */
  readonly #asking = new Map<number, Asking>();
  /** One waiting device of each member group, by the group's number. */
  readonly #groupRuns = new GroupRuns({
    running: () => [...this.#asking.values()].map(({ memberGroup }) => memberGroup),
    groups: () => this.#deps.directory.ownerCount,
  });
  /** Member groups still waiting after the last round: turns are forgotten when nobody waits. */
  #waitingGroups: readonly number[] = [];
  readonly #notBeforeMs = new Map<number, number>();
  readonly #onlineSinceMs = new Map<number, number>();
  readonly #wholeAtMs = new Map<number, number>();
  readonly #clockChecks = new Map<number, ClockCheck>();
  #listed: Map<number, number> | undefined;

  constructor(deps: DeviceListingsDeps) {
    this.#deps = deps;
    this.#rounds = new Rounds({
      ...deps,
      work: () => this.#round(),
      failure: 'devices could not be asked for their recordings',
      intervalMs: ROUND_MS,
      delayMs: ROUND_MS,
    });
  }

  get askingCount(): number {
    return this.#asking.size;
  }

  listedAtMs(incarnation: number): number {
    return this.#listed?.get(incarnation) ?? 0;
  }

  async close(): Promise<void> {
    await this.#rounds.close();
    await Promise.all([...this.#asking.values()].map(({ work }) => work));
  }

  async #round(): Promise<void> {
    this.#listed ??= new Map(await this.#deps.store.listings());
    const devices = [...this.#deps.directory.devices];
    this.#forgetOthers(new Set(devices.map(({ incarnation }) => incarnation)));
    const online = devices.flatMap((device) => {
      const onlineSinceMs = this.#deps.onlineSinceMs(device);
      return onlineSinceMs === undefined || device.disabled ? [] : [{ device, onlineSinceMs }];
    });
    for (const { device } of online) await this.#checkClock(device.incarnation);
    for (const { device, onlineSinceMs } of online) this.#spread(device.incarnation, onlineSinceMs, online.length);
    this.#beginInTurn(online.filter(({ device, onlineSinceMs }) => this.#isToAsk(device, onlineSinceMs)));
  }

  /** The next device is of the member group with the fewest in progress. Those without a place wait for a later round. */
  #beginInTurn(toAsk: readonly OnlineDevice[]): void {
    const queues = new Map<number, OnlineDevice[]>();
    for (const each of toAsk) {
      const memberGroup = this.#deps.directory.ownerOf(each.device);
      const queue = queues.get(memberGroup);
      if (queue === undefined) queues.set(memberGroup, [each]);
      else queue.push(each);
    }
    for (const memberGroup of queues.keys()) this.#groupRuns.wait(memberGroup, wishOf(memberGroup));
    for (const memberGroup of this.#waitingGroups) if (!queues.has(memberGroup)) this.#groupRuns.forget(memberGroup);
    for (let due = this.#groupRuns.due(); due.length > 0; due = this.#groupRuns.due()) {
      for (const memberGroup of due) {
        const next = this.#groupRuns.mayBegin(wishOf(memberGroup)) ? queues.get(memberGroup)?.shift() : undefined;
        if (next !== undefined) this.#begin(next, memberGroup);
        if (queues.get(memberGroup)?.length !== 0) continue;
        queues.delete(memberGroup);
        this.#groupRuns.forget(memberGroup);
      }
    }
    if (queues.size > 0) this.#deps.onLimit(LISTINGS_LIMIT);
    this.#waitingGroups = [...queues.keys()];
  }

  /** If the clock used for a listing has turned out to be wrong, the list is requested again. */
  async #checkClock(incarnation: number): Promise<void> {
    const check = this.#clockChecks.get(incarnation);
    if (check === undefined || this.#asking.has(incarnation)) return;
    const nowMs = this.#deps.now();
    if (nowMs < check.listedAtMs + (CLOCK_CHECKS_MS[check.done] ?? 0)) return;
    check.done++;
    if (check.done >= CLOCK_CHECKS_MS.length) this.#clockChecks.delete(incarnation);
    const clock = await this.#deps.clockOf(incarnation);
    if (!isListedByWrongClock(check.askedOffsetMs, clock.offsetAtGateway(nowMs))) return;
    this.#clockChecks.delete(incarnation);
    await this.#deps.store.setListed(incarnation, 0);
    this.#listed?.set(incarnation, 0);
  }

  #isToAsk(device: SyncDevice, onlineSinceMs: number): boolean {
    const { incarnation } = device;
    if (this.#asking.has(incarnation)) return false;
    if (this.#deps.now() < (this.#notBeforeMs.get(incarnation) ?? 0)) return false;
    return this.#dueOf(device, onlineSinceMs).kind !== 'none';
  }

  /** Delays the request of a new session. */
  #spread(incarnation: number, onlineSinceMs: number, onlineCount: number): void {
    if (this.#onlineSinceMs.get(incarnation) === onlineSinceMs) return;
    this.#onlineSinceMs.set(incarnation, onlineSinceMs);
    const delayMs = listingDelayMs(onlineCount, this.#deps.random());
    this.#notBeforeMs.set(incarnation, onlineSinceMs + delayMs);
  }

  #dueOf(device: SyncDevice, onlineSinceMs: number) {
    const { incarnation } = device;
    return listingDue({
      nowMs: this.#deps.now(),
      listedAtMs: this.listedAtMs(incarnation),
      wholeAtMs: this.#wholeAtMs.get(incarnation) ?? 0,
      onlineSinceMs,
      daysBackOfRules: this.#deps.daysBackOfRules(device),
    });
  }

  #begin({ device, onlineSinceMs }: OnlineDevice, memberGroup: number): void {
    const { incarnation } = device;
    const work = this.#list(device, onlineSinceMs).finally(() => this.#asking.delete(incarnation));
    this.#asking.set(incarnation, { memberGroup, work: work.catch(() => undefined) });
    this.#groupRuns.begun(memberGroup);
    inBackground(`${device.deviceId} could not be asked for its recordings`, work, this.#deps.onFault);
  }

  async #list(device: SyncDevice, onlineSinceMs: number): Promise<void> {
    const { incarnation } = device;
    const due = this.#dueOf(device, onlineSinceMs);
    if (due.kind === 'none') return;
    const startedAtMs = this.#deps.now();
    this.#notBeforeMs.set(incarnation, startedAtMs + RETRY_MS);
    const clock = await this.#deps.clockOf(incarnation);
    const offsetMs = clock.offsetAtGateway(startedAtMs);
    const span = { fromMs: due.span.fromMs - offsetMs, toMs: due.span.toMs - offsetMs };
    const days = daysOf(span);
    // The newest day comes first: if the device leaves meanwhile, it is the missing one.
    for (const day of days.toReversed()) if ((await this.#listDay(device, day)) === 'away') return;
    this.#listed?.set(incarnation, startedAtMs);
    this.#clockChecks.set(incarnation, { listedAtMs: this.#deps.now(), askedOffsetMs: offsetMs, done: 0 });
    if (due.kind === 'whole' || !this.#wholeAtMs.has(incarnation)) this.#wholeAtMs.set(incarnation, startedAtMs);
    this.#notBeforeMs.delete(incarnation);
    await this.#deps.store.setListed(incarnation, startedAtMs);
    await this.#deps.onListed(device);
    if (due.kind === 'whole') await this.#listOldDays(device, days[0]?.fromMs ?? span.fromMs);
  }

  /**
   * Checks whether the device still has what it listed as newer days. It overwrites the oldest first, apart from protected files: once it
   * has all of a day, nothing is missing after that.
   */
  async #listOldDays(device: SyncDevice, beforeMs: number): Promise<void> {
    const { store } = this.#deps;
    for (const fromMs of await store.daysBefore(device.incarnation, beforeMs)) {
      const day = { fromMs, toMs: fromMs + DAY_MS };
      const answer = await this.#listDay(device, day);
      if (answer === 'away') return;
      const known = await store.within(device.incarnation, day);
      if (answer === 'listed' && known.every(({ isGone }) => !isGone)) return;
    }
  }

  /** `refused`: at least one camera's request was. */
  async #listDay(device: SyncDevice, day: TimeRange): Promise<DayAnswer> {
    let answer: DayAnswer = 'listed';
    for (const channel of this.#deps.channelsOf(device)) {
      if (this.#rounds.isClosed) return 'away';
      const asked = await this.#deps.ask(device, channel, day);
      if (asked.ok) await this.#store({ incarnation: device.incarnation, channel, ...day }, asked.recordings);
      // Some devices refuse to list a day without recordings, which says nothing about what they had.
      else if (asked.reason === 'refused') answer = 'refused';
      else return 'away';
    }
    return answer;
  }

  async #store(window: ListingWindow, recordings: readonly RecordingOnDevice[]): Promise<void> {
    const { channel, fromMs, toMs } = window;
    const ofDay = recordings.filter(({ startMs }) => startMs >= fromMs && startMs < toMs);
    if (ofDay.length > LISTED_ANSWER_LIMIT.max) this.#deps.onLimit(LISTED_ANSWER_LIMIT);
    const listed = ofDay.slice(0, LISTED_ANSWER_LIMIT.max).map((each) => listedOf(channel, each));
    await this.#deps.store.replace(window, listed);
  }

  #forgetOthers(present: ReadonlySet<number>): void {
    for (const memory of [this.#notBeforeMs, this.#onlineSinceMs, this.#wholeAtMs, this.#clockChecks]) {
      for (const incarnation of memory.keys()) if (!present.has(incarnation)) memory.delete(incarnation);
    }
  }
}

function wishOf(memberGroup: number): PlaceWish {
  return { memberGroup, places: LISTINGS_LIMIT.max };
}

function listedOf(channel: number, recording: RecordingOnDevice): ListedRecording {
  const { startMs, endMs, stream, alarms, videoAlarms, bytes } = recording;
  const hex = (bits: number): string => (bits >>> 0).toString(16).padStart(8, '0');
  return {
    channel,
    fromMs: startMs,
    toMs: endMs,
    stream: stream ?? 'any',
    alarms: hex(videoAlarms) + hex(alarms),
    bytes,
  };
}
