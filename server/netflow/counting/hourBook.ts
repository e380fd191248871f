// The usage of each device in each hour that is not completely written yet. Hours are written as sums, not as increments: repeating
// a write whose answer was lost changes nothing.
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { HourUse } from '../../store/netflow/netflowHours.ts';
import { addTo, type CountedTraffic, noBytes } from './trafficCounter.ts';

interface Hour {
  readonly incarnation: number;
  readonly hourMs: number;
  readonly received: number[];
  readonly sent: number[];
  isDirty: boolean;
  /** The part of it that the database has. */
  writtenReceived: number[];
  writtenSent: number[];
}

export interface UnwrittenHours {
  readonly rows: readonly HourUse[];
  written(): void;
  failed(): void;
}

const HOUR_MS = 3_600_000;
/**
 * Hours of devices in memory while the database takes nothing. Beyond this, usage is added to the last hour of the device that is in
 * memory: no byte is lost, and only the hour is wrong.
 */
export const HELD_HOURS_LIMIT: Limit = { name: 'netflow.held-hours.all', max: 200_000 };

export class HourBook {
  readonly #onLimit: OnLimit;
  readonly #hours = new Map<string, Hour>();
  /** The last hour, by incarnation. */
  readonly #latest = new Map<number, Hour>();
  #hourMs = 0;

  constructor(onLimit: OnLimit) {
    this.#onLimit = onLimit;
  }

  /** Takes the rows of this hour that an earlier run has written. */
  load(rows: readonly HourUse[]): void {
    for (const { incarnation, hourMs, received, sent } of rows) {
      const written = { writtenReceived: [...received], writtenSent: [...sent] };
      this.#keep({ incarnation, hourMs, received: [...received], sent: [...sent], isDirty: false, ...written });
    }
  }

  get size(): number {
    return this.#hours.size;
  }

  add({ incarnation, received, sent }: CountedTraffic, nowMs: number): void {
    // A clock that is set back must not reopen an hour that is written and dropped.
    this.#hourMs = Math.max(this.#hourMs, Math.floor(nowMs / HOUR_MS) * HOUR_MS);
    const hour = this.#hourOf(incarnation, this.#hourMs);
    if (hour === undefined) return;
    addTo(hour.received, received);
    addTo(hour.sent, sent);
    hour.isDirty = true;
  }

  /** The hours that have changed since they were written. The caller reports the result of the write. */
  unwritten(): UnwrittenHours {
    const dirty = [...this.#hours.values()].filter(({ isDirty }) => isDirty);
    const rows = dirty.map(({ incarnation, hourMs, received, sent }) => ({
      incarnation,
      hourMs,
      received: [...received],
      sent: [...sent],
    }));
    // Cleared before the write, so that later additions are written with the next one.
    for (const hour of dirty) hour.isDirty = false;
    return {
      rows,
      written: () => {
        for (const [at, hour] of dirty.entries()) {
          hour.writtenReceived = [...(rows[at]?.received ?? [])];
          hour.writtenSent = [...(rows[at]?.sent ?? [])];
        }
        this.#forgetOld();
      },
      failed: () => {
        for (const hour of dirty) hour.isDirty = true;
      },
    };
  }

  /** Adds to the database's sums since a time what isn't written yet, in one pass over all hours. */
  addUnwritten(
    fromMs: number,
    sums: ReadonlyMap<number, { readonly received: number[]; readonly sent: number[] }>,
  ): void {
    for (const hour of this.#hours.values()) {
      const sum = hour.hourMs < fromMs ? undefined : sums.get(hour.incarnation);
      if (sum === undefined) continue;
      addTo(
        sum.received,
        hour.received.map((bytes, kind) => bytes - (hour.writtenReceived[kind] ?? 0)),
      );
      addTo(
        sum.sent,
        hour.sent.map((bytes, kind) => bytes - (hour.writtenSent[kind] ?? 0)),
      );
    }
  }

  #hourOf(incarnation: number, hourMs: number): Hour | undefined {
    const known = this.#hours.get(`${incarnation}/${hourMs}`);
    if (known !== undefined) return known;
    if (this.#hours.size < HELD_HOURS_LIMIT.max) {
      const written = { writtenReceived: noBytes(), writtenSent: noBytes() };
      const hour = { incarnation, hourMs, received: noBytes(), sent: noBytes(), isDirty: false, ...written };
      this.#keep(hour);
      return hour;
    }
    this.#onLimit(HELD_HOURS_LIMIT);
    return this.#latest.get(incarnation);
  }

  #keep(hour: Hour): void {
    this.#hours.set(`${hour.incarnation}/${hour.hourMs}`, hour);
    this.#latest.set(hour.incarnation, hour);
  }

  #forgetOld(): void {
    for (const [key, hour] of this.#hours) {
      if (hour.isDirty || hour.hourMs >= this.#hourMs) continue;
      this.#hours.delete(key);
      if (this.#latest.get(hour.incarnation) === hour) this.#latest.delete(hour.incarnation);
    }
  }
}
