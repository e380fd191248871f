// Holds the recordings around an event of severity major or higher for 30 days, as far as the limit for evidence leaves room. These holds
// give way to members' own holds, and to those of member groups that have less: see evidenceShares.ts.

import { EventMediaBit } from '../../../shared/protocol/api/events.ts';
import { builtInType } from '../../../shared/protocol/events/builtInTypes.ts';
import { isMajorOrHigher } from '../../../shared/protocol/events/eventWords.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import { Rounds } from '../../faults/rounds.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { EventRef } from '../../store/events/eventMediaRows.ts';
import type { MissedEvidenceStore } from '../../store/events/missedEvidence.ts';
import type { EventHold, EventHoldStore, NewEventHold } from '../../store/recordings/eventHolds.ts';
import type { EvidenceHoldStore, HeldRange } from '../../store/recordings/evidenceHolds.ts';
import type { SegmentStore } from '../../store/recordings/segments.ts';
import type { StoredChange } from '../engine/eventWriter.ts';
import type { EvidenceRoom } from './evidenceRoom.ts';
import type { ClipSpan } from './pictureMatch.ts';

export interface ClipHoldsDeps {
  readonly eventHolds: EventHoldStore;
  readonly evidenceHolds: Pick<EvidenceHoldStore, 'removeReleased'>;
  readonly room: Pick<EvidenceRoom, 'groupOf' | 'inTurn' | 'forClip'>;
  readonly missedEvidence: Pick<MissedEvidenceStore, 'clips' | 'fetched'>;
  /** Ranges that are recorded so far, including segments that are still being written. */
  readonly recordedRanges: SegmentStore['ranges'];
  /** The id under which the device's recordings lie; undefined for a device that is gone. */
  readonly archiveIdOf: (deviceId: string) => Promise<string | undefined>;
  readonly clipOf: (type: string) => ClipSpan;
  /** Called when an event has a clip. */
  readonly onClip: (event: EventHold) => void;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
}

/** Clips held for events, of all devices. The oldest of the member group that has the most is released. */
export const EVENT_HOLDS_LIMIT: Limit = { name: 'events.holds.all', max: 20_000 };
/** Events whose recordings are about to be held. Further ones are found in the database, and held some seconds later. */
export const WAITING_HOLDS_LIMIT: Limit = { name: 'events.waiting-holds.all', max: 1_000 };
const DAY_MS = 24 * 60 * 60_000;
const HELD_MS = 30 * DAY_MS;
/** How long a list shows holds that members have released; the audit log goes further back. */
const RELEASED_MS = 30 * DAY_MS;
/** Age of events from before a start that are checked for a missing hold. */
const MISSED_MS = DAY_MS;
const ROUND_MS = 15_000;
const COUNT_INTERVAL_MS = 10_000;
const PART = 500;
/** Delay after the event's end, and after a start: by then it is known what a crash has left of recordings. */
const SETTLED_MS = 5 * 60_000;

/** An event whose recordings are to be held. */
interface WantedHold extends EventRef {
  /** When it began, by the gateway's clock. */
  readonly atMs: number;
  /** Its recordings came later, after it had no clip. */
  readonly isFetched: boolean;
  readonly archiveNumber: number;
  readonly type: string;
  readonly unit: number;
  /** Undefined for a device that is gone. */
  readonly archiveId: () => Promise<string | undefined>;
}

export interface FetchedClip {
  readonly eventId: number;
  readonly offsetMs: number;
}

export class ClipHolds {
  readonly #deps: ClipHoldsDeps;
  readonly #rounds: Rounds;
  readonly #startedAtMs: number;
  readonly #waiting: WantedHold[] = [];
  #working: Promise<void> | undefined;
  /** The holds are placed one after another: two at once would both find room for one. */
  #lastHold: Promise<void> = Promise.resolve();
  /** Upper bounds of active event holds by member group: they are counted again before one is released. Undefined until the first count. */
  #held: Map<number, number> | undefined;
  #countedAtMs = Number.NEGATIVE_INFINITY;
  /** Events since then may lack their hold. */
  #missedSinceMs: number | undefined;

  constructor(deps: ClipHoldsDeps) {
    this.#deps = deps;
    this.#startedAtMs = deps.now();
    this.#missedSinceMs = this.#startedAtMs - MISSED_MS;
    this.#rounds = new Rounds({
      ...deps,
      work: () => this.#round(),
      failure: 'clips of events could not be looked after',
      intervalMs: ROUND_MS,
      delayMs: ROUND_MS,
    });
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  eventsStored(changes: readonly StoredChange[]): void {
    for (const { kind, event } of changes) {
      const { device, id: eventId, beginAtMs: eventBeginAtMs, type, unit } = event;
      // Late events happened without a connection, when nothing was recorded here.
      if (kind !== 'begun' || !isMajorOrHigher(event.severity) || event.isLate || device === undefined) continue;
      const { archiveNumber, deviceId } = device;
      const archiveId = () => this.#deps.archiveIdOf(deviceId);
      const live = { atMs: eventBeginAtMs, isFetched: false };
      this.#want({ eventId, eventBeginAtMs, archiveNumber, type, unit, archiveId, ...live });
    }
  }

  /**
   * Called when the device has sent a recording that the event lacked; `offsetMs`: from the device's clock to the gateway's. Resolves once
   * the hold is stored; the caller has only a few of them under way, and tries again if it rejects.
   */
  async recordingFetched({ eventId, offsetMs }: FetchedClip): Promise<void> {
    const event = await this.#deps.missedEvidence.fetched(eventId);
    if (event === undefined) return;
    const { archiveId, device, isLate, ...rest } = event;
    const atMs = rest.eventBeginAtMs + (isLate ? offsetMs : 0);
    const { archiveNumber } = device;
    await this.#holdInTurn({ ...rest, archiveNumber, archiveId: async () => archiveId, atMs, isFetched: true });
  }

  /** Releases the hold of an event that was a false alarm. */
  async release(eventId: number): Promise<void> {
    const { eventHolds } = this.#deps;
    await eventHolds.release(await eventHolds.ofEvent(eventId), 'removed');
  }

  /** Places the holds that are still waiting, so that a stop loses nothing. */
  async close(): Promise<void> {
    await this.#rounds.close();
    while (this.#working !== undefined) await this.#working;
    await this.#lastHold;
  }

  #want(hold: WantedHold): void {
    if (this.#waiting.length >= WAITING_HOLDS_LIMIT.max) {
      this.#deps.onLimit(WAITING_HOLDS_LIMIT);
      this.#missed(hold);
      return;
    }
    this.#waiting.push(hold);
    this.#working ??= this.#holdAll().finally(() => {
      this.#working = undefined;
    });
  }

  async #holdAll(): Promise<void> {
    for (let wanted = this.#waiting.shift(); wanted !== undefined; wanted = this.#waiting.shift()) {
      try {
        await this.#holdInTurn(wanted);
      } catch (cause) {
        this.#missed(wanted);
        this.#deps.onFault(faultOf('the clip of an event could not be held', cause));
      }
    }
  }

  #holdInTurn(wanted: WantedHold): Promise<void> {
    const hold = this.#lastHold.then(() => this.#hold(wanted));
    this.#lastHold = hold.catch(() => undefined);
    return hold;
  }

  /** Leaves the event to a later round, which finds it in the database. */
  #missed({ eventBeginAtMs }: WantedHold): void {
    this.#missedSinceMs = Math.min(this.#missedSinceMs ?? eventBeginAtMs, eventBeginAtMs);
  }

  async #hold(wanted: WantedHold): Promise<void> {
    const { eventHolds, room, now } = this.#deps;
    const archiveId = await wanted.archiveId();
    if (archiveId === undefined) return;
    const { eventId, eventBeginAtMs, archiveNumber } = wanted;
    const range = this.#rangeOf(wanted, archiveId);
    const hold: NewEventHold = { eventId, eventBeginAtMs, archiveNumber, range, reason: `Event ${eventId}` };
    const memberGroup = await room.groupOf(archiveId);
    await room.inTurn(memberGroup, async () => {
      await this.#makePlace();
      if (!(await room.forClip(range, memberGroup))) return eventHolds.addRefused(hold, now());
      if (wanted.isFetched) await eventHolds.addFetched(hold, now());
      else await eventHolds.add(hold, now());
      this.#held?.set(memberGroup, (this.#held.get(memberGroup) ?? 0) + 1);
    });
  }

  /** Counting reads all holds, so it is done now and then; in between, added holds are counted on. */
  async #makePlace(): Promise<void> {
    const { eventHolds, now, onLimit } = this.#deps;
    if (this.#isAtLimit() && Math.abs(now() - this.#countedAtMs) >= COUNT_INTERVAL_MS) {
      this.#held = new Map(await eventHolds.countByGroup());
      this.#countedAtMs = now();
    }
    if (this.#held === undefined || !this.#isAtLimit()) return;
    onLimit(EVENT_HOLDS_LIMIT);
    const [memberGroup, count] = [...this.#held].reduce((most, group) => (group[1] > most[1] ? group : most));
    const oldest = await eventHolds.oldestOf(memberGroup, { afterId: 0, limit: 1 });
    await eventHolds.release(oldest, 'removed');
    // A group without any, whatever was counted, gives way to the next.
    if (oldest.length > 0) this.#held.set(memberGroup, count - 1);
    else this.#held.delete(memberGroup);
  }

  #isAtLimit(): boolean {
    if (this.#held === undefined) return true;
    return [...this.#held.values()].reduce((sum, count) => sum + count, 0) >= EVENT_HOLDS_LIMIT.max;
  }

  /** The range of the event's own channel where it has one, else of all channels. */
  #rangeOf({ type, unit, atMs }: WantedHold, archiveId: string): HeldRange {
    const { beforeS, afterS } = this.#deps.clipOf(type);
    const channel = builtInType(type)?.unit === 'channel' ? unit : 0;
    const [fromMs, toMs] = [wallMs(atMs - beforeS * 1000), wallMs(atMs + afterS * 1000)];
    return { archiveId, channel, fromMs, toMs };
  }

  async #round(): Promise<void> {
    const { eventHolds, evidenceHolds, now } = this.#deps;
    await this.#takeUpMissed();
    let part: readonly EventHold[] = [];
    do {
      part = await eventHolds.unsettled(part.at(-1)?.id ?? 0, PART);
      for (const hold of part) await this.#settle(hold);
    } while (part.length === PART && !this.#rounds.isClosed);
    let old: readonly EventHold[];
    do {
      old = await eventHolds.heldBefore(now() - HELD_MS, PART);
      await eventHolds.release(old, 'removed');
    } while (old.length === PART && !this.#rounds.isClosed);
    while ((await evidenceHolds.removeReleased(now() - RELEASED_MS, PART)) === PART && !this.#rounds.isClosed);
  }

  /** Takes up one part per round: events that are still missing come in the next one. */
  async #takeUpMissed(): Promise<void> {
    const sinceMs = this.#missedSinceMs;
    if (sinceMs === undefined) return;
    this.#missedSinceMs = undefined;
    try {
      const missed = await this.#deps.missedEvidence.clips(sinceMs, PART);
      if (missed.length === PART) this.#missedSinceMs = missed.at(-1)?.eventBeginAtMs;
      for (const { archiveId, device, ...event } of missed) {
        const live = { atMs: event.eventBeginAtMs, isFetched: false };
        this.#want({ ...event, archiveNumber: device.archiveNumber, archiveId: async () => archiveId, ...live });
      }
    } catch (cause) {
      this.#missedSinceMs = sinceMs;
      throw cause;
    }
  }

  async #settle(hold: EventHold): Promise<void> {
    const { eventHolds, recordedRanges, now, onClip } = this.#deps;
    const { archiveId, channel, fromMs, toMs } = hold.range;
    const recorded = await recordedRanges({ archiveId, fromMs, toMs });
    if (recorded.some((range) => channel === 0 || range.channel === channel)) {
      if (await eventHolds.settle(hold, EventMediaBit.Clip)) onClip(hold);
    } else if (now() >= Math.max(toMs, this.#startedAtMs) + SETTLED_MS) {
      await eventHolds.release([hold], 'failed');
    }
  }
}
