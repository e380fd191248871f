// Feeds the board with devices and reports, and stores online counts for the figures.

import { positionDetails, reportedVideoLoss } from '../device/jt808/codec/positionItems.ts';
import type { DeviceRegistry } from '../device/registry.ts';
import type { Report, ReportFeed } from '../device/reportFeed.ts';
import type { Stores } from '../store/stores.ts';
import { FleetBoard } from './fleetBoard.ts';
import { DAY_STEP_MS, keptFrom, MONTH_STEP_MS } from './onlineSteps.ts';

export interface FleetWatchDeps {
  readonly registry: DeviceRegistry;
  readonly stores: Pick<Stores, 'fleet' | 'onlineHistory'>;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: (error: Error) => void;
  readonly feed: Pick<ReportFeed, 'subscribe'>;
}

/** This gateway's own changes reload at once; the interval is for changes by another program. */
const RELOAD_INTERVAL_MS = 10_000;
/** Combines several edits in a row, such as an import, into one reload. */
const RELOAD_DELAY_MS = 300;
const SAMPLE_INTERVAL_MS = 60_000;
const CLEAN_EVERY_SAMPLES = 60;

export class FleetWatch {
  readonly board: FleetBoard;
  readonly #deps: FleetWatchDeps;
  readonly #timers = new Map<string, () => void>();
  readonly #unsubscribe: () => void;
  #samples = 0;
  /** Loads are numbered: the last one started, and the one that the board shows. */
  #readings = 0;
  #taken = 0;
  #isClosed = false;

  constructor(deps: FleetWatchDeps) {
    this.#deps = deps;
    this.board = new FleetBoard(deps);
    this.#unsubscribe = deps.feed.subscribe('board', (report) => this.#take(report));
  }

  /** Reads what is known; terminals may report meanwhile. */
  async start(): Promise<void> {
    await this.#load();
    for (const { videoLostHex, ...report } of await this.#deps.stores.fleet.lastReports(this.#deps.now())) {
      if (!this.board.setStoredReport(report.deviceId, report)) continue;
      const lost = videoLostHex === undefined ? 0 : storedVideoLoss(videoLostHex);
      if (lost > 0) this.#deps.registry.setVideoLost(report.deviceId, lost);
    }
    this.#later('reload', RELOAD_INTERVAL_MS, () => this.#reloadRound());
    this.#later('sample', SAMPLE_INTERVAL_MS, () => this.#sampleRound());
  }

  #take(report: Report): void {
    const { deviceId } = report.device;
    if (report.kind === 'position' && report.isLive) this.board.setReport(deviceId, report.position);
    if (report.kind !== 'presence') return;
    this.board.notePresence(deviceId);
    // Another program added this device, and its terminal signed in before the next reload.
    if (!this.board.knows(deviceId)) this.reloadSoon();
  }

  /** Devices or groups were edited. */
  reloadSoon(): void {
    this.#timers.get('reload')?.();
    this.#later('reload', RELOAD_DELAY_MS, () => this.#reloadRound());
  }

  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#unsubscribe();
  }

  /** Loads may finish out of order: the one that started later has newer data. */
  async #load(): Promise<void> {
    const reading = ++this.#readings;
    const devices = await this.#deps.stores.fleet.devices();
    if (reading < this.#taken) return;
    this.#taken = reading;
    this.board.setDevices(devices);
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

/** Reads a stored item 0x15 as a live one is read: in another length the number is a vendor's own. */
function storedVideoLoss(hex: string): number {
  return reportedVideoLoss(positionDetails([{ id: 0x15, value: Buffer.from(hex, 'hex') }])) ?? 0;
}
