// Requests recordings from the device for events without them on the server: some time after their clip has ended, when the server's own
// recording is stored.
import { builtInType } from '../../../shared/protocol/events/builtInTypes.ts';
import { isMajorOrHigher } from '../../../shared/protocol/events/eventWords.ts';
import type { TimeRange } from '../../../shared/protocol/timeRanges.ts';
import { lengthOf, subtract } from '../../../shared/protocol/timeSpans.ts';
import type { StoredChange } from '../../events/engine/eventWriter.ts';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import { Rounds } from '../../faults/rounds.ts';
import { GroupPlaces } from '../../limits/groupPlaces.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { MissedClip, SyncDevice, SyncSourceStore } from '../../store/sync/syncSources.ts';
import type { SyncDirectory } from '../directory.ts';
import type { ClipLengths } from '../planning/devicePlanning.ts';
import type { DeviceSources } from '../sources/deviceSources.ts';
import type { SyncRequests } from './syncRequests.ts';

export interface EventClipsDeps {
  readonly directory: Pick<SyncDirectory, 'device' | 'ownerOf' | 'ownerCount'>;
  readonly channelsOf: (device: SyncDevice) => readonly number[];
  readonly clipOf: (type: string) => ClipLengths;
  readonly sources: Pick<DeviceSources, 'here' | 'clockOf'>;
  readonly requests: Pick<SyncRequests, 'forEvent'>;
  readonly events: Pick<SyncSourceStore, 'withoutClip'>;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
}

interface WaitingClip extends MissedClip {
  readonly dueAtMs: number;
  /** Gives up its place. */
  readonly leave: () => void;
}

/** Position from which events of before the start are still to be read. */
interface MissedFrom {
  readonly fromMs: number;
  readonly afterId: number;
}

/** Events whose recordings are looked at later. Shared by member groups; beyond its share the newest events of a group request none. */
export const WAITING_CLIPS_LIMIT: Limit = { name: 'sync.waiting-clips.all', max: 2_000 };
const ROUND_MS = 15_000;
/** Delay after which the gateway's own recording of it is stored. */
const SETTLED_MS = 2 * 60_000;
/** Age of events from before a start that are checked again: only parts that the server lacks are requested. */
const MISSED_MS = 86_400_000;
/** Events in one round, and only while there is room for those that happen meanwhile. */
const MISSED_PART = 500;
/** If less than this is missing, the server has all of it. */
const MISSING_MS = 3_000;

export class EventClips {
  readonly #deps: EventClipsDeps;
  readonly #rounds: Rounds;
  readonly #startedAtMs: number;
  readonly #places: GroupPlaces;
  #waiting: WaitingClip[] = [];
  /** Undefined once all of them were read. */
  #missedFrom: MissedFrom | undefined;

  constructor(deps: EventClipsDeps) {
    this.#deps = deps;
    this.#startedAtMs = deps.now();
    const { directory, onLimit } = deps;
    this.#places = new GroupPlaces({ limit: WAITING_CLIPS_LIMIT, onLimit, groups: () => directory.ownerCount });
    this.#missedFrom = { fromMs: this.#startedAtMs - MISSED_MS, afterId: 0 };
    this.#rounds = new Rounds({
      ...deps,
      work: () => this.#round(),
      failure: 'recordings of events could not be asked for',
      intervalMs: ROUND_MS,
      delayMs: ROUND_MS,
    });
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  eventsStored(changes: readonly StoredChange[]): void {
    for (const { kind, event } of changes) {
      const { device, id: eventId, type, unit, beginAtMs, isLate } = event;
      if (kind !== 'begun' || device === undefined || !isMajorOrHigher(event.severity)) continue;
      const { incarnation } = device;
      const leave = this.#places.enter(this.#groupOf(incarnation));
      if (leave !== undefined) this.#wait({ eventId, incarnation, type, unit, beginAtMs, isLate }, leave);
    }
  }

  close(): Promise<void> {
    return this.#rounds.close();
  }

  #wait(clip: MissedClip, leave: () => void): void {
    const dueAtMs = this.#deps.now() + this.#deps.clipOf(clip.type).afterS * 1_000 + SETTLED_MS;
    this.#waiting.push({ ...clip, dueAtMs, leave });
  }

  /** 0 for a device that is gone, or belongs to no group. */
  #groupOf(incarnation: number): number {
    const device = this.#deps.directory.device(incarnation);
    return device === undefined ? 0 : this.#deps.directory.ownerOf(device);
  }

  async #round(): Promise<void> {
    await this.#takeUpMissed();
    const nowMs = this.#deps.now();
    const due = this.#waiting.filter(({ dueAtMs }) => dueAtMs <= nowMs);
    this.#waiting = this.#waiting.filter(({ dueAtMs }) => dueAtMs > nowMs);
    for (const { leave } of due) leave();
    for (const clip of due) {
      if (this.#rounds.isClosed) return;
      try {
        await this.#ask(clip);
      } catch (cause) {
        this.#deps.onFault(faultOf('the recording of an event could not be asked for', cause));
      }
    }
  }

  /** Takes up the events that waited here when the gateway ended. */
  async #takeUpMissed(): Promise<void> {
    const from = this.#missedFrom;
    if (from === undefined || this.#waiting.length > WAITING_CLIPS_LIMIT.max / 2) return;
    try {
      const part = { ...from, toMs: this.#startedAtMs, limit: MISSED_PART };
      const missed = await this.#deps.events.withoutClip(part);
      const last = missed.length < MISSED_PART ? undefined : missed.at(-1);
      this.#missedFrom = last && { fromMs: last.beginAtMs, afterId: last.eventId };
      const waiting = new Set(this.#waiting.map(({ eventId }) => eventId));
      for (const clip of missed) {
        if (waiting.has(clip.eventId)) continue;
        this.#wait(clip, this.#places.add(this.#groupOf(clip.incarnation)));
      }
    } catch (cause) {
      // The next round reads them.
      this.#deps.onFault(faultOf('events from before the start could not be read', cause));
    }
  }

  async #ask(clip: WaitingClip): Promise<void> {
    const { eventId, incarnation, type, unit } = clip;
    const device = this.#deps.directory.device(incarnation);
    if (device === undefined || device.disabled) return;
    const span = await this.#spanOf(clip);
    const here = await this.#deps.sources.here(device, span);
    const all = builtInType(type)?.unit === 'channel' ? [unit] : this.#deps.channelsOf(device);
    const channels = all.filter((channel) => lengthOf(subtract([span], here.get(channel) ?? [])) >= MISSING_MS);
    // One camera shows an event of the whole vehicle: the others would use its time and its data plan.
    const isSeen = all.length > channels.length && builtInType(type)?.unit !== 'channel';
    if (channels.length === 0 || isSeen) return;
    await this.#deps.requests.forEvent({ device, channels, eventId, ...span });
  }

  async #spanOf({ incarnation, type, beginAtMs, isLate }: WaitingClip): Promise<TimeRange> {
    const { beforeS, afterS } = this.#deps.clipOf(type);
    const clock = isLate ? await this.#deps.sources.clockOf(incarnation) : undefined;
    const atMs = clock?.toGateway(beginAtMs) ?? beginAtMs;
    return { fromMs: atMs - beforeS * 1_000, toMs: atMs + afterS * 1_000 };
  }
}
