// The recordings around an event of severity major or higher are held for 30 days, as far as the bound for evidence leaves room.
// Members' own holds come first: where one of them does not fit, the oldest of these are released.

import { EventMediaBit } from '../../../shared/protocol/api/events.ts';
import { builtInType } from '../../../shared/protocol/events/builtInTypes.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { inBackground } from '../../faults/background.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { Rounds } from '../../faults/rounds.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { EventHold, EventHoldStore, NewEventHold } from '../../store/recordings/eventHolds.ts';
import type { EvidenceHoldStore, HeldRange } from '../../store/recordings/evidenceHolds.ts';
import type { SegmentStore } from '../../store/recordings/segments.ts';
import type { StoredChange } from '../engine/eventWriter.ts';
import type { ClipSpan } from './pictureMatch.ts';

export interface ClipHoldsDeps {
  readonly eventHolds: EventHoldStore;
  readonly evidenceHolds: Pick<EvidenceHoldStore, 'bytesWith'>;
  readonly segments: Pick<SegmentStore, 'ranges'>;
  /** What the device's recordings lie under; undefined for a device that is gone. */
  readonly archiveIdOf: (deviceId: string) => Promise<string | undefined>;
  readonly clipOf: (type: string) => ClipSpan;
  /** Of all that is held as evidence; 0: no limit. */
  readonly maximumBytes: number;
  /** An event has a clip. */
  readonly onClip: (event: EventHold) => void;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
}

/** In force, for events of all devices. */
export const EVENT_HOLDS_LIMIT: Limit = { name: 'events.holds.all', max: 20_000 };
const HELD_MS = 30 * 24 * 60 * 60_000;
const ROUND_MS = 60_000;
const PART = 500;
/** A segment may last for a quarter of an hour, and is known once it is whole. */
const SETTLED_MS = 20 * 60_000;

export class ClipHolds {
  readonly #deps: ClipHoldsDeps;
  readonly #rounds: Rounds;
  /** One after another: two at once would both find room for one. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: ClipHoldsDeps) {
    this.#deps = deps;
    this.#rounds = new Rounds({
      ...deps,
      work: () => this.#round(),
      failure: 'clips of events could not be looked after',
      intervalMs: ROUND_MS,
      delayMs: ROUND_MS,
    });
  }

  eventsStored(changes: readonly StoredChange[]): void {
    for (const { kind, event } of changes) {
      const isGrave = event.severity === 'critical' || event.severity === 'major';
      // What was reported late happened without a connection, when nothing was recorded here.
      if (kind !== 'begun' || !isGrave || event.isLate || event.device === undefined) continue;
      const held = this.#inTurn(() => this.#hold(event));
      inBackground('the clip of an event could not be held', held, this.#deps.onFault);
    }
  }

  /** The event was no event after all. */
  async release(eventId: number): Promise<void> {
    const { eventHolds, now } = this.#deps;
    await eventHolds.release(await eventHolds.ofEvent(eventId), 'removed', now());
  }

  /** Releases the oldest, for something of a member; false when there is none. */
  async releaseOldest(): Promise<boolean> {
    const { eventHolds, now } = this.#deps;
    const oldest = await eventHolds.heldBefore(now() + 1, 1);
    await eventHolds.release(oldest, 'removed', now());
    return oldest.length > 0;
  }

  close(): Promise<void> {
    return this.#rounds.close();
  }

  async #hold(event: StoredChange['event']): Promise<void> {
    const { eventHolds, archiveIdOf, now, onLimit } = this.#deps;
    const { device, id: eventId, beginAtMs: eventBeginAtMs } = event;
    const archiveId = device === undefined ? undefined : await archiveIdOf(device.deviceId);
    if (device === undefined || archiveId === undefined) return;
    const range = this.#rangeOf(event, archiveId);
    const what = { eventId, eventBeginAtMs, archiveNumber: device.archiveNumber };
    const hold: NewEventHold = { ...what, range, reason: `Event ${eventId}` };
    if ((await eventHolds.count()) >= EVENT_HOLDS_LIMIT.max) {
      onLimit(EVENT_HOLDS_LIMIT);
      await this.releaseOldest();
    }
    if (await this.#fits(range)) await eventHolds.add(hold, now());
    else await eventHolds.addRefused(hold, now());
  }

  /** Of the event's own channel where it has one, else of all. */
  #rangeOf({ type, unit, beginAtMs }: StoredChange['event'], archiveId: string): HeldRange {
    const { beforeS, afterS } = this.#deps.clipOf(type);
    const channel = builtInType(type)?.unit === 'channel' ? unit : 0;
    const [fromMs, toMs] = [wallMs(beginAtMs - beforeS * 1000), wallMs(beginAtMs + afterS * 1000)];
    return { archiveId, channel, fromMs, toMs };
  }

  async #fits(range: HeldRange): Promise<boolean> {
    const { maximumBytes, evidenceHolds } = this.#deps;
    return maximumBytes === 0 || (await evidenceHolds.bytesWith(range)) <= maximumBytes;
  }

  async #round(): Promise<void> {
    const { eventHolds, now } = this.#deps;
    for (const hold of await eventHolds.unsettled(PART)) await this.#settle(hold);
    let old: readonly EventHold[];
    do {
      old = await eventHolds.heldBefore(now() - HELD_MS, PART);
      await eventHolds.release(old, 'removed', now());
    } while (old.length === PART && !this.#rounds.isClosed);
  }

  async #settle(hold: EventHold): Promise<void> {
    const { eventHolds, segments, now, onClip } = this.#deps;
    const { archiveId, channel, fromMs, toMs } = hold.range;
    if (now() < toMs) return;
    const recorded = await segments.ranges({ archiveId, fromMs, toMs });
    if (recorded.some((range) => channel === 0 || range.channel === channel)) {
      await eventHolds.settle(hold, EventMediaBit.Clip);
      onClip(hold);
    } else if (now() >= toMs + SETTLED_MS) await eventHolds.release([hold], 'failed', now());
  }

  #inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(run);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
