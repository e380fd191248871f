// Deletes events that are past their retention, and those of deleted devices. Lasting events and those held as evidence stay.
import { Rounds } from '../faults/rounds.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';
import { expiresBefore, retentionDays } from '../retentionDays.ts';
import type { MemberGroupStore } from '../store/accounts/memberGroups.ts';
import type { EventMonthStore } from '../store/events/eventMonths.ts';
import type { EventRemovalStore, RemovedEvents } from '../store/events/eventRemoval.ts';
import type { DeviceArchive } from '../store/fleet/fleet.ts';
import { localDay } from './engine/localDay.ts';

export interface EventRetentionDeps {
  readonly removal: EventRemovalStore;
  readonly months: EventMonthStore;
  readonly archives: () => Promise<readonly DeviceArchive[]>;
  readonly memberGroups: Pick<MemberGroupStore, 'retentionsByDeviceGroup'>;
  /** Removes the pictures and files of deleted events. */
  readonly removeFiles: (files: RemovedEvents['files']) => Promise<void>;
  /** Retention of the installation. */
  readonly days: number;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
  readonly onLimit: OnLimit;
}

/** Events, or steps or files of events, that one statement deletes. The rest follows after 0.1 s. */
export const EVENT_REMOVAL_LIMIT: Limit = { name: 'events.removal.statement', max: 2_000 };
const PART = EVENT_REMOVAL_LIMIT.max;
const ROUND_INTERVAL_MS = 60 * 60_000;
const ROUND_DELAY_MS = 5_000;
const PAUSE_MS = 100;
const ARCHIVES_PER_PART = 500;
/** Added ahead, so that a gateway that was down for some weeks finds its month. */
export const MONTHS_AHEAD = 2;

export class EventRetention {
  /** Events deleted since the start. */
  deletedEvents = 0;
  readonly #deps: EventRetentionDeps;
  readonly #rounds: Rounds;

  constructor(deps: EventRetentionDeps) {
    this.#deps = deps;
    this.#rounds = new Rounds({
      ...deps,
      work: () => this.#round(),
      failure: 'old events could not be deleted',
      intervalMs: ROUND_INTERVAL_MS,
      delayMs: ROUND_DELAY_MS,
    });
  }

  /** Called when a device was deleted. */
  workSoon(): void {
    this.#rounds.workSoon();
  }

  /** Waits for the statement under way only. */
  close(): Promise<void> {
    return this.#rounds.close();
  }

  async #round(): Promise<void> {
    const { months, now, days } = this.#deps;
    await months.addMonths(now(), MONTHS_AHEAD);
    await this.#removeAbandoned();
    await this.#removeOfGroups();
    const beforeMs = expiresBefore(days, now());
    if (beforeMs !== undefined) {
      await this.#removeExpired(beforeMs);
      await this.#removeDays(beforeMs);
      await months.dropEmpty(beforeMs);
    }
    await this.#removeDrivers();
  }

  /** Removes expired events of all archives, also those of deleted devices. */
  async #removeExpired(beforeMs: number): Promise<void> {
    const { removal } = this.#deps;
    await this.#removeOf(() => removal.withExpired(beforeMs, ARCHIVES_PER_PART), beforeMs);
  }

  /** Removes expired events of devices whose member groups keep them for a shorter time than the installation. */
  async #removeOfGroups(): Promise<void> {
    const { archives, memberGroups, days, now, removal } = this.#deps;
    const daysByGroup = await memberGroups.retentionsByDeviceGroup();
    const byDays = new Map<number, number[]>();
    for (const { archiveNumber, deviceGroup } of await archives()) {
      const groupDays = deviceGroup === undefined ? undefined : daysByGroup.get(deviceGroup);
      const own = retentionDays(days, groupDays ?? []);
      if (own !== days) byDays.set(own, [...(byDays.get(own) ?? []), archiveNumber]);
    }
    for (const [own, archiveNumbers] of byDays) {
      const beforeMs = expiresBefore(own, now()) ?? 0;
      for (let start = 0; start < archiveNumbers.length && !this.#rounds.isClosed; start += ARCHIVES_PER_PART) {
        const part = archiveNumbers.slice(start, start + ARCHIVES_PER_PART);
        const expired = await removal.withExpired(beforeMs, ARCHIVES_PER_PART, part);
        for (const archiveNumber of expired) await this.#removeFirst(archiveNumber, beforeMs);
        await this.#rounds.pause(PAUSE_MS);
      }
    }
  }

  async #removeAbandoned(): Promise<void> {
    const { removal } = this.#deps;
    // Events of any time are deleted: a clock may have been ahead.
    await this.#removeOf(() => removal.abandoned(ARCHIVES_PER_PART), Number.MAX_SAFE_INTEGER);
  }

  /** Looks for archives again as long as something was deleted from those that were found. */
  async #removeOf(find: () => Promise<readonly number[]>, beforeMs: number): Promise<void> {
    let isMore = true;
    while (isMore && !this.#rounds.isClosed) {
      const before = this.deletedEvents;
      const found = await find();
      for (const archiveNumber of found) {
        if (this.#rounds.isClosed) return;
        await this.#removeFirst(archiveNumber, beforeMs);
      }
      isMore = found.length === ARCHIVES_PER_PART && this.deletedEvents > before;
    }
  }

  async #removeDays(beforeMs: number): Promise<void> {
    const beforeDay = localDay(beforeMs, 'UTC');
    await this.#repeat(async () => {
      const count = await this.#deps.removal.removeDays(beforeDay, PART);
      return { count, isMore: count === PART };
    });
  }

  /** Removes names of drivers that no event uses any more. */
  async #removeDrivers(): Promise<void> {
    let after: string | undefined = '';
    while (after !== undefined && !this.#rounds.isClosed) {
      after = await this.#deps.removal.removeDrivers(after, PART);
      if (after !== undefined) await this.#rounds.pause(PAUSE_MS);
    }
  }

  async #removeFirst(archiveNumber: number, beforeMs: number): Promise<void> {
    await this.#repeat(async () => {
      const { count, files, isMore } = await this.#deps.removal.removeFirst(archiveNumber, beforeMs, PART);
      this.deletedEvents += count;
      await this.#deps.removeFiles(files);
      return { count, isMore };
    });
  }

  async #repeat(removePart: () => Promise<Removed>): Promise<void> {
    let isMore = true;
    while (isMore && !this.#rounds.isClosed) {
      const removed = await removePart();
      ({ isMore } = removed);
      if (isMore) this.#deps.onLimit(EVENT_REMOVAL_LIMIT);
      if (isMore || removed.count > 0) await this.#rounds.pause(PAUSE_MS);
    }
  }
}

interface Removed {
  readonly count: number;
  readonly isMore: boolean;
}
