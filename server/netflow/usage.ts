// Data usage of all devices: read from the sockets each second, checked against the plans, and written each minute.

import type { PlanAction } from '../../shared/protocol/netflow/netflowWords.ts';
import type { PlanAnswer, PlanGate } from '../device/usage/planGate.ts';
import type { TrafficMeter } from '../device/usage/trafficMeter.ts';
import { inBackground } from '../faults/background.ts';
import type { OnFault } from '../faults/onFault.ts';
import { Rounds } from '../faults/rounds.ts';
import type { OnLimit } from '../limits/limit.ts';
import type { MeteredDevice, NetflowUseStore, ToldRow } from '../store/netflow/netflowUse.ts';
import { DeviceUse } from './counting/deviceUse.ts';
import { HourBook } from './counting/hourBook.ts';
import { Strangers } from './counting/strangers.ts';
import { TrafficCounter } from './counting/trafficCounter.ts';
import { WithheldBook } from './counting/withheldBook.ts';
import { streamAnswer, transferAnswer } from './rules/planAnswers.ts';

interface PlanEvent {
  readonly type: 'data-plan-level' | 'data-plan-forecast';
  readonly percent: number;
}

export interface UsageDeps {
  readonly store: Pick<NetflowUseStore, 'devices' | 'deviceRows' | 'hoursFrom' | 'sumsSince' | 'write' | 'noteTold'>;
  readonly overheadPercent: number;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
  readonly onPlanEvent: (device: MeteredDevice, event: PlanEvent) => void;
  /** Called when lists of the member group have changed. */
  readonly onWritten: (memberGroup: number) => void;
}

/** A stream ends within two seconds of the limit: the sockets are read each second, and the plans are checked at this interval. */
const TAKE_INTERVAL_MS = 500;
const WRITE_INTERVAL_MS = 60_000;
const HOUR_MS = 3_600_000;

export class Usage implements PlanGate {
  readonly #deps: UsageDeps;
  readonly #counter: TrafficCounter;
  readonly #hours: HourBook;
  readonly #withheld: WithheldBook;
  readonly #devices = new Map<number, DeviceUse>();
  readonly #incarnations = new Map<string, number>();
  /** The present action of each device; devices without one are missing. */
  readonly #actions = new Map<number, PlanAction>();
  readonly #listeners = new Set<(deviceId: string) => void>();
  readonly #strangers: Strangers;
  #rounds: Rounds | undefined;
  #cancelTaking: (() => void) | undefined;
  #isOutdated = false;
  #told: ToldRow[] = [];
  #work: Promise<void> = Promise.resolve();

  constructor(deps: UsageDeps) {
    this.#deps = deps;
    this.#counter = new TrafficCounter(deps.onLimit);
    this.#hours = new HourBook(deps.onLimit);
    this.#withheld = new WithheldBook(deps.onLimit);
    this.#strangers = new Strangers(deps.onLimit);
  }

  get meter(): TrafficMeter {
    return this.#counter;
  }

  get heldHours(): number {
    return this.#hours.size;
  }

  async start(): Promise<void> {
    const { store, now, runAfter, onFault } = this.#deps;
    this.#hours.load(await store.hoursFrom(Math.floor(now() / HOUR_MS) * HOUR_MS));
    await this.#loadDevices();
    const rows = await store.deviceRows();
    for (const row of rows) this.#devices.get(row.incarnation)?.load(row);
    await this.#addUpUnknown();
    this.take();
    this.#takeLater();
    const failure = 'data usage could not be written';
    const work = (): Promise<void> => this.write();
    this.#rounds = new Rounds({
      work,
      failure,
      intervalMs: WRITE_INTERVAL_MS,
      delayMs: WRITE_INTERVAL_MS,
      runAfter,
      onFault,
    });
  }

  /** Call this when devices, plans or SIMs were changed. */
  reload(): Promise<void> {
    this.#isOutdated = true;
    return this.#inTurn(async () => {
      await this.#reloadIfOutdated();
      this.take();
    });
  }

  reloadSoon(): void {
    inBackground('data plans could not be read', this.reload(), this.#deps.onFault);
  }

  /** Takes what the sockets have counted, and checks it against the plans. */
  take(): void {
    const nowMs = this.#deps.now();
    for (const counted of this.#counter.take()) {
      this.#hours.add(counted, nowMs);
      const use = this.#devices.get(counted.incarnation);
      use?.add(counted, nowMs);
      if (use === undefined && this.#strangers.meet(counted)) this.reloadSoon();
    }
    for (const use of this.#devices.values()) this.#judge(use, nowMs);
  }

  /** Writes; what failed is written with the next round. */
  write(): Promise<void> {
    return this.#inTurn(() => this.#write());
  }

  async #write(): Promise<void> {
    await this.#reloadIfOutdated();
    this.take();
    const nowMs = this.#deps.now();
    const dirty: DeviceUse[] = [];
    for (const use of this.#devices.values()) {
      use.roll(nowMs);
      // Sums of another period must not be written as this one's: a later run would use them until the period ends.
      if (!use.isDirty || !use.isSumKnown) continue;
      use.forecast();
      this.#tell(use);
      use.isDirty = false;
      dirty.push(use);
    }
    const hours = this.#hours.unwritten();
    const told = this.#told.splice(0);
    const withheld = this.#withheld.unwritten(nowMs);
    try {
      await this.#deps.store.write(
        hours.rows,
        dirty.map((use) => use.row()),
        withheld,
      );
      await this.#deps.store.noteTold(told);
    } catch (error) {
      hours.failed();
      for (const use of dirty) use.isDirty = true;
      this.#told = [...told, ...this.#told];
      throw error;
    }
    hours.written();
    this.#withheld.written(withheld);
    const groups = new Set(dirty.flatMap(({ device }) => device.memberGroups));
    for (const memberGroup of groups) this.#deps.onWritten(memberGroup);
  }

  /** Writes everything that was counted. */
  async close(): Promise<void> {
    this.#cancelTaking?.();
    // After a failed start little is known here, and the database is right.
    if (this.#rounds === undefined) return;
    await this.#rounds.close();
    await this.write();
  }

  mayStream(deviceId: string, ...[quality, purpose]: StreamQuestion): PlanAnswer {
    return streamAnswer(this.#actionOf(deviceId), quality, purpose);
  }

  mayTransfer(deviceId: string, bytes: number): PlanAnswer {
    const use = this.#deviceOf(deviceId);
    // A lift also lifts the limit on room.
    const isLifted = use !== undefined && use.device.liftedUntilMs > this.#deps.now();
    const leftBytes = isLifted ? undefined : use?.leftBytes(this.#deps.overheadPercent);
    return transferAnswer({ action: this.#actionOf(deviceId), leftBytes }, bytes);
  }

  isLimited(incarnation: number): boolean {
    return this.#actions.has(incarnation);
  }

  subscribe(listener: (deviceId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reading from the database and writing to it must not overlap: bytes would count twice or not at all. */
  #inTurn(run: () => Promise<void>): Promise<void> {
    const done = this.#work.then(run);
    this.#work = done.catch(() => undefined);
    return done;
  }

  #deviceOf(deviceId: string): DeviceUse | undefined {
    return this.#devices.get(this.#incarnations.get(deviceId) ?? -1);
  }

  #actionOf(deviceId: string): PlanAction {
    return this.#actions.get(this.#incarnations.get(deviceId) ?? -1) ?? 'none';
  }

  #judge(use: DeviceUse, nowMs: number): void {
    const { incarnation, deviceId, plan } = use.device;
    if (plan === 0 && !this.#actions.has(incarnation)) return;
    // The timer may run while a new period is being added up: the previous action continues until its sums are known.
    if (!use.isSumKnown) return;
    use.roll(nowMs);
    this.#tell(use);
    const action = use.actionNow(nowMs, this.#deps.overheadPercent);
    if (action === (this.#actions.get(incarnation) ?? 'none')) return;
    if (action === 'none') this.#actions.delete(incarnation);
    else this.#actions.set(incarnation, action);
    this.#withheld.change(incarnation, action, nowMs);
    for (const listener of this.#listeners) listener(deviceId);
  }

  #tell(use: DeviceUse): void {
    const telling = use.tell(this.#deps.overheadPercent);
    if (telling === undefined) return;
    const { device } = use;
    this.#told.push({ incarnation: device.incarnation, ...telling.told });
    if (telling.percent > 0) this.#deps.onPlanEvent(device, { type: 'data-plan-level', percent: telling.percent });
    if (telling.forecast)
      this.#deps.onPlanEvent(device, { type: 'data-plan-forecast', percent: telling.forecastPercent });
  }

  async #reloadIfOutdated(): Promise<void> {
    if (!this.#isOutdated) return;
    this.#isOutdated = false;
    try {
      await this.#loadDevices();
      await this.#addUpUnknown();
    } catch (error) {
      this.#isOutdated = true;
      throw error;
    }
  }

  async #loadDevices(): Promise<void> {
    const nowMs = this.#deps.now();
    const devices = await this.#deps.store.devices();
    const gone = new Set(this.#devices.keys());
    this.#incarnations.clear();
    for (const device of devices) {
      gone.delete(device.incarnation);
      this.#incarnations.set(device.deviceId, device.incarnation);
      const known = this.#devices.get(device.incarnation);
      const use = known ?? new DeviceUse(device, nowMs);
      this.#devices.set(device.incarnation, use);
      if (known === undefined) use.addToDay(this.#strangers.leave(device.incarnation));
      else this.#change(known, device, nowMs);
    }
    this.#strangers.wereNotFound();
    for (const incarnation of gone) {
      this.#devices.delete(incarnation);
      this.#actions.delete(incarnation);
      this.#withheld.forget(incarnation);
    }
  }

  #change(use: DeviceUse, device: MeteredDevice, nowMs: number): void {
    const isOtherPlan = use.device.plan !== device.plan;
    use.change(device, nowMs);
    // Notices of the previous plan must not outlive this run: the next run would take them for notices of this plan.
    if (isOtherPlan) this.#told.push({ incarnation: device.incarnation, ...use.told });
  }

  /** Adds up devices that are new or whose period was changed, and those that a database error left over last time. */
  async #addUpUnknown(): Promise<void> {
    for (;;) {
      const unknown = new Map<number, DeviceUse[]>();
      for (const use of this.#devices.values()) {
        const { fromMs } = use.period;
        if (!use.isSumKnown) unknown.set(fromMs, [...(unknown.get(fromMs) ?? []), use]);
      }
      if (unknown.size === 0) return;
      for (const [fromMs, uses] of unknown) await this.#addUp(uses, fromMs);
    }
  }

  /** Adds up the written and unwritten hours from the start of the devices' period. */
  async #addUp(uses: readonly DeviceUse[], fromMs: number): Promise<void> {
    const incarnations = uses.map(({ device }) => device.incarnation);
    const sums = await this.#deps.store.sumsSince(incarnations, fromMs);
    this.#hours.addUnwritten(fromMs, sums);
    for (const use of uses) {
      // For a period that ended meanwhile, the sum must not begin the next period, which is added up after this.
      const sum = use.period.fromMs === fromMs ? sums.get(use.device.incarnation) : undefined;
      if (sum !== undefined) use.setPeriod(sum);
    }
  }

  #takeLater(): void {
    this.#cancelTaking = this.#deps.runAfter(TAKE_INTERVAL_MS, () => {
      this.take();
      this.#takeLater();
    });
  }
}

type StreamQuestion = Parameters<PlanGate['mayStream']> extends [string, ...infer Rest] ? Rest : never;
