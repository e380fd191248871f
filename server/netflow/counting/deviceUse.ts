// The data usage of one device in its period, today and on the days before.
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
  /** Bytes by day since 1970, including today. */
  readonly #days = new Map<number, number>();
  #today: number;
  /** End of today, cached: computing a day takes long, and it is needed all the time. */
  #todayEndsMs: number;
  #firstDay: number;
  #lastDay: number;
  #forecastBytes: number | null = null;
  #told: Told;
  #isSumKnown = false;
  /** The state differs from the written one. */
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

  /** False until the hours of the period were added up: until then the sums are empty, or of another period. */
  get isSumKnown(): boolean {
    return this.#isSumKnown;
  }

  /** Takes the row that an earlier run has written. Sums of another period are only useful if that period is over. */
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

  /** Sets the sums of the present period. */
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
      // The forecast was for the other period, and may exceed a smaller plan.
      this.#forecastBytes = null;
    }
    if (isOther || device.megabytes !== this.#device.megabytes) this.isDirty = true;
    // Which notices were sent is known better here than in the database, which may not have it yet.
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

  /** Adds to today only. */
  addToDay(bytes: number): void {
    if (bytes > 0) this.#days.set(this.#today, (this.#days.get(this.#today) ?? 0) + bytes);
  }

  /** Begins a new day, or a new period, if it is time. */
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

  /** Payload bytes, without overhead. */
  get usedBytes(): number {
    return this.#received + this.#sent;
  }

  /** Undefined without a plan. */
  leftBytes(overheadPercent: number): number | undefined {
    if (this.#device.plan === 0) return undefined;
    return Math.max(0, planBytes(this.#device.megabytes) - withOverhead(this.usedBytes, overheadPercent));
  }

  /** The action in effect: 'none' unless the plan is used up and nobody has lifted it. */
  actionNow(nowMs: number, overheadPercent: number): PlanAction {
    const { action, liftedUntilMs } = this.#device;
    return liftedUntilMs > nowMs || this.leftBytes(overheadPercent) !== 0 ? 'none' : action;
  }

  /** The notice to send now; each is sent once. */
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

/** The plan's period; without a plan, the calendar month. */
function periodOf({ resetDay, planTimeZone }: MeteredDevice, nowMs: number): PlanPeriod {
  return periodAt({ resetDay, timeZone: planTimeZone }, nowMs);
}

function toldOf({ toldFromMs, toldPercent, toldForecast }: MeteredDevice): Told {
  return { fromMs: toldFromMs, percent: toldPercent, forecast: toldForecast };
}
