// Deletes positions that are past their retention and what was made of them, and all of devices that were deleted: in small parts with a pause after
// each, so that whatever else the database is asked goes on in between. What is left when the gateway ends, the next start does.
import { Rounds } from '../faults/rounds.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';
import { expiresBefore, retentionDays } from '../retentionDays.ts';
import type { MemberGroupStore } from '../store/accounts/memberGroups.ts';
import type { PositionPlace, ReportingDevice, ReportRemovalStore } from '../store/fleet/reportRemoval.ts';

export interface ReportRetentionDeps {
  readonly removal: ReportRemovalStore;
  readonly memberGroups: Pick<MemberGroupStore, 'retentionsByDeviceGroup'>;
  /** The installation's; 0: no limit of its own. */
  readonly positionDays: number;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
  readonly onLimit?: OnLimit | undefined;
}

/**
 * Positions that one statement deletes, some tens of milliseconds of work: those of one device lie far apart. The rest follows after 0.1 s.
 */
export const POSITION_REMOVAL_LIMIT: Limit = { name: 'positions.removal.statement', max: 500 };
const PART = POSITION_REMOVAL_LIMIT.max;
/** Some tens of kilobytes each. */
const BLOCKS_PER_PART = 20;
/** The number of blocks of one device that are written anew in one round: there are hardly ever two. */
const BLOCKS_PER_ROUND = 100;
/** A row may be kept this much longer than its retention; one in a block as long as the block, which is a day at most. */
const ROUND_INTERVAL_MS = 60 * 60_000;
/** Delay that lets the start finish, and combines deletions of several devices. */
const ROUND_DELAY_MS = 1_000;
/** Longer than one part takes, so that most of the database thread's time is left to others. */
const PAUSE_MS = 100;
const DEVICES_PER_PART = 500;
const INCARNATIONS_PER_PART = 100;
const DAY_MS = 86_400_000;
/** Terminals whose clock is ahead by less are taken to be right. */
const CLOCK_AHEAD_MS = DAY_MS;
const ALWAYS = { fromMs: Number.MIN_SAFE_INTEGER, toMs: Number.MAX_SAFE_INTEGER };
/** By then the last recording of a deleted device is in the database. */
const FORGET_AFTER_MS = DAY_MS;

export class ReportRetention {
  /** Since the start. */
  deletedPositions = 0;
  /** Deleted devices whose reports are still there, as of the last look. */
  endedDevices = 0;
  readonly #deps: ReportRetentionDeps;
  readonly #rounds: Rounds;

  constructor(deps: ReportRetentionDeps) {
    this.#deps = deps;
    this.#rounds = new Rounds({
      ...deps,
      work: () => this.#round(),
      failure: 'old positions could not be deleted',
      intervalMs: ROUND_INTERVAL_MS,
      delayMs: ROUND_DELAY_MS,
    });
  }

  /** A device was deleted: its positions are to go. */
  workSoon(): void {
    this.#rounds.workSoon();
  }

  /** Waits for the statement under way, and for no more. */
  close(): Promise<void> {
    return this.#rounds.close();
  }

  async #round(): Promise<void> {
    await this.#removeEnded();
    await this.#removeExpired();
    await this.#forgetEnded();
  }

  async #removeEnded(): Promise<void> {
    const { removal } = this.#deps;
    while (!this.#rounds.isClosed) {
      this.endedDevices = await removal.countEnded();
      if (this.endedDevices === 0) return;
      for (const incarnation of await removal.ended(INCARNATIONS_PER_PART)) {
        await this.#repeat(() => removal.removeFirst(incarnation, PART));
        await this.#repeatBlocks(() => removal.removeBlocks(incarnation, BLOCKS_PER_PART));
        await this.#removeTraces(incarnation, undefined);
      }
    }
  }

  /** Each page of devices at a time: what a fleet of any size takes in memory is one page. */
  async #removeExpired(): Promise<void> {
    const { removal, memberGroups } = this.#deps;
    const daysByGroup = await memberGroups.retentionsByDeviceGroup();
    let page: readonly ReportingDevice[] = [];
    do {
      page = await removal.devices(page.at(-1)?.incarnation ?? 0, DEVICES_PER_PART);
      const byDays = new Map<number, number[]>();
      for (const { incarnation, deviceGroup } of page) {
        const groupDays = deviceGroup === undefined ? undefined : daysByGroup.get(deviceGroup);
        const days = retentionDays(this.#deps.positionDays, groupDays ?? []);
        byDays.set(days, [...(byDays.get(days) ?? []), incarnation]);
      }
      for (const [days, incarnations] of byDays) await this.#removeOlder(incarnations, days);
      await this.#rounds.pause(PAUSE_MS);
    } while (page.length === DEVICES_PER_PART && !this.#rounds.isClosed);
  }

  async #removeOlder(incarnations: readonly number[], days: number): Promise<void> {
    const { removal, now } = this.#deps;
    const nowMs = now();
    const beforeMs = expiresBefore(days, nowMs);
    if (beforeMs === undefined || this.#rounds.isClosed) return;
    const expiry = { receivedBeforeMs: beforeMs, futureMs: nowMs + CLOCK_AHEAD_MS, startedBeforeMs: beforeMs - DAY_MS };
    for (const incarnation of await removal.withPositions(incarnations, expiry)) {
      await this.#removeReceived(incarnation, { ...ALWAYS, toMs: beforeMs, receivedBeforeMs: beforeMs });
      await this.#removeReceived(incarnation, { ...ALWAYS, fromMs: expiry.futureMs, receivedBeforeMs: beforeMs });
      await this.#repeatBlocks(() => removal.removeBlocks(incarnation, BLOCKS_PER_PART, beforeMs));
      await this.#trimBlocks(incarnation, expiry);
    }
    for (const incarnation of await removal.withTraces(incarnations, beforeMs))
      await this.#removeTraces(incarnation, beforeMs);
  }

  async #removeTraces(incarnation: number, beforeMs: number | undefined): Promise<void> {
    for (let removed = 1; removed > 0 && !this.#rounds.isClosed; ) {
      removed = await this.#deps.removal.removeTraces(incarnation, PART, beforeMs);
      if (removed > 0) await this.#rounds.pause(PAUSE_MS);
    }
  }

  /** Gives how many positions went, until there are none. */
  async #repeatBlocks(removePart: () => Promise<number>): Promise<void> {
    for (let removed = 1; removed > 0 && !this.#rounds.isClosed; ) {
      removed = await removePart();
      this.deletedPositions += removed;
      if (removed > 0) await this.#rounds.pause(PAUSE_MS);
    }
  }

  /**
   * They expire by their time of arrival. By the terminal's own time those of a clock that is years behind would go within the hour, and those of one
   * that is ahead be kept for as long as it was.
   */
  async #removeReceived(
    incarnation: number,
    scan: { readonly fromMs: number; readonly toMs: number; readonly receivedBeforeMs: number },
  ): Promise<void> {
    let after: PositionPlace | undefined;
    do {
      if (this.#rounds.isClosed) return;
      const { removed, next } = await this.#deps.removal.removeReceived(incarnation, { ...scan, after, limit: PART });
      this.deletedPositions += removed;
      after = next;
      if (removed === PART) this.#deps.onLimit?.(POSITION_REMOVAL_LIMIT);
      if (after !== undefined) await this.#rounds.pause(PAUSE_MS);
    } while (after !== undefined);
  }

  async #trimBlocks(
    incarnation: number,
    expiry: { readonly receivedBeforeMs: number; readonly startedBeforeMs: number },
  ): Promise<void> {
    const except: number[] = [];
    while (!this.#rounds.isClosed && except.length < BLOCKS_PER_ROUND) {
      const trimmed = await this.#deps.removal.trimBlock(incarnation, { ...expiry, except });
      if (trimmed === undefined) return;
      this.deletedPositions += trimmed.removed;
      except.push(trimmed.id);
      await this.#rounds.pause(PAUSE_MS);
    }
  }

  async #forgetEnded(): Promise<void> {
    const { removal, now } = this.#deps;
    let forgotten = INCARNATIONS_PER_PART;
    while (forgotten === INCARNATIONS_PER_PART && !this.#rounds.isClosed) {
      forgotten = await removal.forgetEnded(now() - FORGET_AFTER_MS, INCARNATIONS_PER_PART);
      if (forgotten === INCARNATIONS_PER_PART) await this.#rounds.pause(PAUSE_MS);
    }
  }

  /** Repeats until a part deletes less than it could. */
  async #repeat(removePart: () => Promise<number>): Promise<void> {
    let removed = PART;
    while (removed === PART && !this.#rounds.isClosed) {
      removed = await removePart();
      this.deletedPositions += removed;
      if (removed === PART) this.#deps.onLimit?.(POSITION_REMOVAL_LIMIT);
      await this.#rounds.pause(PAUSE_MS);
    }
  }
}
