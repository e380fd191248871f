// What one device has used of its period, today and on the days before.
import type { PlanAction } from '../../../shared/protocol/netflow/netflowWords.ts';
import { startOfDay } from '../../../shared/protocol/timeZones.ts';
import type { DeviceUseRow, MeteredDevice, PeriodSum } from '../../store/netflow/netflowUse.ts';
import { type DayUse, dayOf, FORECAST_DAYS, forecastOf } from '../rules/forecast.ts';
import { planBytes, type Told, toTell, withOverhead } from '../rules/planLevels.ts';
import { type PlanPeriod, periodAt } from '../rules/planPeriod.ts';
import { addTo, type CountedTraffic, noBytes, sumOf } from './trafficCounter.ts';

export class DeviceUse {
  #device: MeteredDevice;
  #period: PlanPeriod;
  #received = 0;
  #sent = 0;
  #kinds = noBytes();
  /** By day since 1970, today among them. */
  readonly #days = new Map<number, number>();
  #today: number;
  /** Asking the platform for a day takes long, and this is asked all the time. */
  #todayEndsMs: number;
  #firstDay: number;
  #lastDay: number;
  #forecastBytes: number | null = null;
  #told: Told;
  #isSumKnown = false;
  /** Otherwise than it was written. */
  isDirty = true;

  constructor(device: MeteredDevice, nowMs: number) {
    this.#device = device;
    this.#period = periodOf(device, nowMs);
    this.#today = dayOf(nowMs, device.timeZone);
    this.#todayEndsMs = startOfDay(this.#today + 1, device.timeZone);
    [this.#firstDay, this.#lastDay] = daysOf(this.#period, device.timeZone);
    this.#told = toldOf(device);
  }

  get device(): MeteredDevice {
    return this.#device;
  }

  get period(): PlanPeriod {
    return this.#period;
  }

  get told(): Told {
    return this.#told;
  }

  /** False until the hours of its period were added up: until then its sums are of nothing, or of another period. */
  get isSumKnown(): boolean {
    return this.#isSumKnown;
  }

  /** What an earlier run has written. Sums of another period are of use only where that one is over. */
  load(row: DeviceUseRow): void {
    for (const [day, bytes] of row.days) this.#days.set(day, bytes);
    if (row.fromMs !== this.#period.fromMs) {
      this.#isSumKnown = row.toMs <= this.#period.fromMs;
      return;
    }
    this.setPeriod({ received: [row.receivedBytes], sent: [row.sentBytes] }, row.kinds);
    this.#forecastBytes = row.forecastBytes;
    this.isDirty = row.today !== this.#today;
  }

  /** The sums of the period that runs now. */
  setPeriod({ received, sent }: PeriodSum, kinds?: readonly number[]): void {
    this.#isSumKnown = true;
    this.#received = sumOf(received);
    this.#sent = sumOf(sent);
    this.#kinds = kinds === undefined ? received.map((bytes, kind) => bytes + (sent[kind] ?? 0)) : [...kinds];
    this.isDirty = true;
  }

  change(device: MeteredDevice, nowMs: number): void {
    const period = periodOf(device, nowMs);
    const isOther = period.fromMs !== this.#period.fromMs;
    if (isOther) {
      this.#isSumKnown = false;
      // Of the other period, and perhaps more than a smaller plan has.
      this.#forecastBytes = null;
    }
    if (isOther || device.megabytes !== this.#device.megabytes) this.isDirty = true;
    // What was told is known here better than in the database, which may not have it yet.
    if (device.plan !== this.#device.plan) this.#told = { ...this.#told, percent: 0, forecast: false };
    if (device.timeZone !== this.#device.timeZone) this.#todayEndsMs = 0;
    this.#device = device;
    this.#period = period;
    [this.#firstDay, this.#lastDay] = daysOf(period, device.timeZone);
  }

  add({ received, sent }: CountedTraffic, nowMs: number): void {
    this.roll(nowMs);
    const bytes = sumOf(received) + sumOf(sent);
    this.#received += sumOf(received);
    this.#sent += sumOf(sent);
    addTo(this.#kinds, received);
    addTo(this.#kinds, sent);
    this.addToDay(bytes);
    this.isDirty = true;
  }

  /** To today alone. */
  addToDay(bytes: number): void {
    if (bytes > 0) this.#days.set(this.#today, (this.#days.get(this.#today) ?? 0) + bytes);
  }

  /** A new day, or a new period, may have begun. */
  roll(nowMs: number): void {
    if (nowMs >= this.#period.toMs) {
      this.#period = periodOf(this.#device, nowMs);
      [this.#firstDay, this.#lastDay] = daysOf(this.#period, this.#device.timeZone);
      [this.#received, this.#sent, this.#kinds] = [0, 0, noBytes()];
      this.#forecastBytes = null;
      this.isDirty = true;
    }
    if (nowMs < this.#todayEndsMs) return;
    const today = dayOf(nowMs, this.#device.timeZone);
    this.#todayEndsMs = startOfDay(today + 1, this.#device.timeZone);
    this.#today = today;
    for (const day of this.#days.keys()) if (day < today - FORECAST_DAYS) this.#days.delete(day);
    this.isDirty = true;
  }

  forecast(): void {
    this.#forecastBytes = forecastOf({
      firstDay: this.#firstDay,
      lastDay: this.#lastDay,
      today: this.#today,
      usedBytes: this.usedBytes,
      days: this.#dayUses(),
    });
  }

  /** Payload. */
  get usedBytes(): number {
    return this.#received + this.#sent;
  }

  /** Undefined without a plan. */
  leftBytes(overheadPercent: number): number | undefined {
    if (this.#device.plan === 0) return undefined;
    return Math.max(0, planBytes(this.#device.megabytes) - withOverhead(this.usedBytes, overheadPercent));
  }

  /** What holds now: 'none' unless the plan is used up and nobody has lifted it. */
  actionNow(nowMs: number, overheadPercent: number): PlanAction {
    const { action, liftedUntilMs } = this.#device;
    return liftedUntilMs > nowMs || this.leftBytes(overheadPercent) !== 0 ? 'none' : action;
  }

  /** What has to be told now, once. */
  tell(overheadPercent: number) {
    const { plan, megabytes } = this.#device;
    if (plan === 0) return undefined;
    const forecast = this.#forecastBytes;
    const telling = toTell(this.#told, {
      fromMs: this.#period.fromMs,
      usedBytes: withOverhead(this.usedBytes, overheadPercent),
      forecastBytes: forecast === null ? null : withOverhead(forecast, overheadPercent),
      allowedBytes: planBytes(megabytes),
    });
    if (telling.percent === 0 && !telling.forecast) return undefined;
    this.#told = telling.told;
    const forecastPercent = Math.round((withOverhead(forecast ?? 0, overheadPercent) * 100) / planBytes(megabytes));
    return { ...telling, forecastPercent };
  }

  row(): DeviceUseRow {
    return {
      incarnation: this.#device.incarnation,
      ...this.#period,
      receivedBytes: this.#received,
      sentBytes: this.#sent,
      kinds: [...this.#kinds],
      today: this.#today,
      todayBytes: this.#days.get(this.#today) ?? 0,
      forecastBytes: this.#forecastBytes,
      days: [...this.#days],
    };
  }

  #dayUses(): DayUse[] {
    return [...this.#days].map(([day, bytes]) => ({ day, bytes }));
  }
}

function daysOf({ fromMs, toMs }: PlanPeriod, timeZone: string): [first: number, last: number] {
  return [dayOf(fromMs, timeZone), dayOf(toMs - 1, timeZone)];
}

/** Without a plan the calendar month. */
function periodOf({ resetDay, planTimeZone }: MeteredDevice, nowMs: number): PlanPeriod {
  return periodAt({ resetDay, timeZone: planTimeZone }, nowMs);
}

function toldOf({ toldFromMs, toldPercent, toldForecast }: MeteredDevice): Told {
  return { fromMs: toldFromMs, percent: toldPercent, forecast: toldForecast };
}
