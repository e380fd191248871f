// Packs positions that are older than two days into blocks: some of one device at a time with a pause after each part, so that whatever
// else the database is asked goes on in between. What is left when the gateway ends, the next start does.
import { Rounds } from '../../faults/rounds.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { PackingDates, PartDates, PositionPackingStore } from '../../store/fleet/positionPacking.ts';
import { pauseAfterPart } from './packingPace.ts';

export interface PositionPackingDeps {
  readonly packing: PositionPackingStore;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
  readonly onLimit?: OnLimit | undefined;
}

/**
 * Positions that one transaction packs: it holds the database's thread for some milliseconds. The rest of the device's follows after a
 * pause of nine times what the part took (0.1 s to 2 s).
 */
export const POSITION_PACKING_LIMIT: Limit = { name: 'positions.packing.transaction', max: 500 };
const PART = POSITION_PACKING_LIMIT.max;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What is read most, and what late positions mostly belong to. */
const ROWS_KEPT_MS = 2 * DAY_MS;
/** A device's rows are packed together when the first of them is so much older: a block that grows is written anew each time. */
const GATHERED_MS = 6 * HOUR_MS;
/** Terminals whose clock is ahead by less are taken to be right. */
const CLOCK_AHEAD_MS = DAY_MS;
const ROUND_INTERVAL_MS = HOUR_MS;
/** Lets the start finish. */
const ROUND_DELAY_MS = 10_000;
/** Between two looks for devices. */
const PAUSE_MS = 100;
const DEVICES_PER_PAGE = 500;

export class PositionPacking {
  /** Since the start. */
  packedPositions = 0;
  writtenBlocks = 0;
  failures = 0;
  readonly #deps: PositionPackingDeps;
  readonly #rounds: Rounds;
  #roundBeganMs = 0;

  constructor(deps: PositionPackingDeps) {
    this.#deps = deps;
    this.#rounds = new Rounds({
      ...deps,
      work: () => this.#round(),
      failure: 'devices with positions to pack could not be read',
      intervalMs: ROUND_INTERVAL_MS,
      delayMs: ROUND_DELAY_MS,
    });
  }

  /** Waits for the part under way, and for no more. */
  close(): Promise<void> {
    return this.#rounds.close();
  }

  async #round(): Promise<void> {
    const { packing, now } = this.#deps;
    const nowMs = now();
    this.#roundBeganMs = nowMs;
    const dates = { nowMs, beforeMs: nowMs - ROWS_KEPT_MS, futureMs: nowMs + CLOCK_AHEAD_MS };
    const dueDates = { ...dates, beforeMs: dates.beforeMs - GATHERED_MS };
    let page: readonly number[] = [];
    do {
      page = await packing.due(page.at(-1) ?? 0, DEVICES_PER_PAGE, dueDates);
      for (const incarnation of page) await this.#packDevice(incarnation, dates);
      await this.#rounds.pause(PAUSE_MS);
    } while (page.length === DEVICES_PER_PAGE && !this.#rounds.isClosed);
  }

  /** One that fails is left for the next round, and holds up no other. */
  async #packDevice(incarnation: number, dates: PackingDates): Promise<void> {
    const { now, onFault } = this.#deps;
    try {
      let fromMs: number | undefined = Number.MIN_SAFE_INTEGER;
      while (fromMs !== undefined && !this.#rounds.isClosed) {
        const beganMs = now();
        fromMs = await this.#packPart(incarnation, { ...dates, fromMs });
        const nowMs = now();
        await this.#rounds.pause(pauseAfterPart({ partMs: nowMs - beganMs, roundMs: nowMs - this.#roundBeganMs }));
      }
    } catch (cause) {
      this.failures++;
      onFault(new Error(`positions of device number ${incarnation} could not be packed`, { cause }));
    }
  }

  /** Gives from where on the next part is to be looked for; undefined when that was all. */
  async #packPart(incarnation: number, dates: PartDates): Promise<number | undefined> {
    const { packing, onLimit } = this.#deps;
    const { positions, blocks, nextFromMs } = await packing.packFirst(incarnation, PART, dates);
    this.packedPositions += positions;
    this.writtenBlocks += blocks;
    if (positions === PART) onLimit?.(POSITION_PACKING_LIMIT);
    return nextFromMs;
  }
}
