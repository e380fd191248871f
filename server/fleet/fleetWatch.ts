// Feeds the board with devices and reports, and stores alarms and online counts for the figures.

import type { DeviceRegistry } from '../device/registry.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';
import type { Position } from '../store/fleet/positions.ts';
import type { Stores } from '../store/stores.ts';
import { type AlarmOnset, AlarmOnsets } from './alarmOnsets.ts';
import { FleetBoard } from './fleetBoard.ts';
import { DAY_STEP_MS, keptFrom, MONTH_STEP_MS } from './onlineSteps.ts';

export interface FleetWatchDeps {
  readonly registry: DeviceRegistry;
  readonly stores: Pick<Stores, 'fleet' | 'alarmOnsets' | 'onlineHistory'>;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
  readonly onLimit?: OnLimit | undefined;
}

/** This gateway's own changes reload at once; the interval is for changes by another program. */
const RELOAD_INTERVAL_MS = 10_000;
/** Combines several edits in a row, such as an import, into one reload. */
const RELOAD_DELAY_MS = 300;
const SAMPLE_INTERVAL_MS = 60_000;
const STORE_DELAY_MS = 1_000;
/** Alarms that the database has not taken yet; the oldest go first. */
export const HELD_ALARMS_LIMIT: Limit = { name: 'terminals.alarms.all', max: 20_000 };
const ONSETS_KEPT_MS = 31 * 24 * 60 * 60_000;
const CLEAN_EVERY_SAMPLES = 60;

export class FleetWatch {
  readonly board: FleetBoard;
  readonly #deps: FleetWatchDeps;
  readonly #onsets = new AlarmOnsets();
  readonly #timers = new Map<string, () => void>();
  #heldOnsets: AlarmOnset[] = [];
  #storing: Promise<void> | undefined;
  readonly #unsubscribe: () => void;
  #samples = 0;
  /** Loads are numbered: the last one started, and the one that the board shows. */
  #readings = 0;
  #taken = 0;
  #isClosed = false;

  constructor(deps: FleetWatchDeps) {
    this.#deps = deps;
    this.board = new FleetBoard(deps);
    // Another program added this device, and its terminal signed in before the next reload.
    this.#unsubscribe = deps.registry.subscribe((deviceId) => {
      if (!this.board.knows(deviceId)) this.reloadSoon();
    });
  }

  /** Reads what is known; terminals may report meanwhile. */
  async start(): Promise<void> {
    await this.#load();
    for (const { videoLostHex, ...report } of await this.#deps.stores.fleet.lastReports()) {
      if (!this.board.setStoredReport(report.deviceId, report)) continue;
      this.#onsets.begin(report.incarnation, report.alarmBits, report.receivedAtMs);
      const lost = videoLostHex === undefined ? 0 : Number.parseInt(videoLostHex, 16);
      if (lost > 0) this.#deps.registry.setVideoLost(report.deviceId, lost);
    }
    this.#later('reload', RELOAD_INTERVAL_MS, () => this.#reloadRound());
    this.#later('sample', SAMPLE_INTERVAL_MS, () => this.#sampleRound());
  }

  /** `isLive`: as it happened, not made up for after a time without a connection. */
  report(position: Position, isLive: boolean): void {
    const { deviceId, incarnation, alarmBits } = position;
    const atMs = isLive ? position.receivedAtMs : position.deviceTimeMs;
    const onsets = this.#onsets.note(incarnation, alarmBits, atMs);
    if (onsets.length > 0) this.#hold(onsets);
    if (isLive) this.board.setReport(deviceId, position);
  }

  /** Devices or groups were edited. */
  reloadSoon(): void {
    this.#timers.get('reload')?.();
    this.#later('reload', RELOAD_DELAY_MS, () => this.#reloadRound());
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#unsubscribe();
    this.board.close();
    await this.#storing;
    this.#store();
    await this.#storing;
  }

  /** Loads may finish out of order: the one that started later has newer data. */
  async #load(): Promise<void> {
    const reading = ++this.#readings;
    const devices = await this.#deps.stores.fleet.devices();
    if (reading < this.#taken) return;
    this.#taken = reading;
    for (const { incarnation } of this.board.setDevices(devices)) this.#onsets.forget(incarnation);
  }

  #reloadRound(): void {
    this.#run('the devices could not be read', () => this.#load());
    this.#later('reload', RELOAD_INTERVAL_MS, () => this.#reloadRound());
  }

  #sampleRound(): void {
    this.#run('the online history could not be written', () => this.#sample());
    this.#later('sample', SAMPLE_INTERVAL_MS, () => this.#sampleRound());
  }

  async #sample(): Promise<void> {
    const { stores, now } = this.#deps;
    const nowMs = now();
    const counts = this.board.countByGroup();
    const samples = [...counts].map(([deviceGroup, { online, total }]) => ({ deviceGroup, online, total }));
    for (const stepMs of [DAY_STEP_MS, MONTH_STEP_MS]) {
      await stores.onlineHistory.add(stepMs, nowMs - (nowMs % stepMs), samples);
    }
    if (this.#samples++ % CLEAN_EVERY_SAMPLES !== 0) return;
    for (const stepMs of [DAY_STEP_MS, MONTH_STEP_MS]) {
      await stores.onlineHistory.removeBefore(stepMs, keptFrom(stepMs, nowMs));
    }
    await stores.alarmOnsets.removeBefore(nowMs - ONSETS_KEPT_MS);
  }

  #hold(onsets: readonly AlarmOnset[]): void {
    this.#keep([...this.#heldOnsets, ...onsets]);
    if (!this.#timers.has('store')) this.#later('store', STORE_DELAY_MS, () => this.#store());
  }

  #keep(onsets: readonly AlarmOnset[]): void {
    this.#heldOnsets = onsets.slice(-HELD_ALARMS_LIMIT.max);
    if (onsets.length > HELD_ALARMS_LIMIT.max) this.#deps.onLimit?.(HELD_ALARMS_LIMIT);
  }

  /** One statement at a time: while the database is slow, what comes is held and bounded. */
  #store(): void {
    const held = this.#heldOnsets;
    if (held.length === 0 || this.#storing !== undefined) return;
    this.#heldOnsets = [];
    const failed = (cause: unknown): void => {
      this.#deps.onFault(new Error(`${held.length} alarms could not be noted`, { cause }));
      if (!this.#isClosed) this.#keep([...held, ...this.#heldOnsets]);
    };
    this.#storing = this.#deps.stores.alarmOnsets
      .add(held)
      .catch(failed)
      .then(() => {
        this.#storing = undefined;
        if (this.#heldOnsets.length > 0 && !this.#timers.has('store')) {
          this.#later('store', STORE_DELAY_MS, () => this.#store());
        }
      });
  }

  #later(name: string, delayMs: number, run: () => void): void {
    if (this.#isClosed) return;
    const cancel = this.#deps.runAfter(delayMs, () => {
      this.#timers.delete(name);
      run();
    });
    this.#timers.set(name, cancel);
  }

  #run(what: string, work: () => Promise<void>): void {
    work().catch((cause: unknown) => {
      if (!this.#isClosed) this.#deps.onFault(new Error(what, { cause }));
    });
  }
}
