// Sums a track up in steps of time while its positions are read.
import { TRACK_GAP_MS, type TrackChart } from '../../../shared/protocol/api/tracks/track.ts';
import { hasBit, StatusBit } from '../../device/jt808/codec/codes.ts';
import type { TimedColumns } from '../line/gatewayOrder.ts';
import { hasPlace } from '../line/lineBuilder.ts';
import type { TrackField } from '../trackReading.ts';

export const CHART_FIELDS = [
  'latitude',
  'longitude',
  'speedKmh',
  'altitudeM',
  'fuelLiters',
  'cabinCelsius',
  'signal',
  'statusBits',
] as const satisfies readonly TrackField[];
export type ChartColumns = TimedColumns<(typeof CHART_FIELDS)[number]>;

type Series = Omit<TrackChart, 'fromMs' | 'stepMs' | 'speedLimitKmh'>;

export class ChartBuilder {
  readonly stepMs: number;
  readonly #fromMs: number;
  readonly #speedMin: Float64Array;
  readonly #speedMax: Float64Array;
  readonly #altitude: Means;
  readonly #fuel: Means;
  readonly #cabin: Means;
  readonly #signal: Means;
  readonly #ignition: IgnitionShare;

  constructor({ fromMs, toMs, steps }: { readonly fromMs: number; readonly toMs: number; readonly steps: number }) {
    this.#fromMs = fromMs;
    this.stepMs = Math.max(1, Math.ceil((toMs - fromMs) / steps));
    const count = Math.ceil((toMs - fromMs) / this.stepMs);
    this.#speedMin = new Float64Array(count).fill(Number.NaN);
    this.#speedMax = new Float64Array(count).fill(Number.NaN);
    const means = (): Means => new Means(count);
    [this.#altitude, this.#fuel, this.#cabin, this.#signal] = [means(), means(), means(), means()];
    this.#ignition = new IgnitionShare(count, { fromMs, stepMs: this.stepMs });
  }

  add(columns: ChartColumns): void {
    for (let at = 0; at < columns.count; at++) {
      const atMs = columns.atMs[at] as number;
      const step = Math.floor((atMs - this.#fromMs) / this.stepMs);
      const statusBits = columns.statusBits[at] as number;
      this.#ignition.add(step, atMs, hasBit(statusBits, StatusBit.AccOn));
      this.#fuel.add(step, columns.fuelLiters[at] as number);
      this.#cabin.add(step, columns.cabinCelsius[at] as number);
      this.#signal.add(step, columns.signal[at] as number);
      // Without a fix, both often have the values of the last fix.
      if (!hasPlace(statusBits, columns.latitude[at] as number, columns.longitude[at] as number)) continue;
      this.#addSpeed(step, columns.speedKmh[at] as number);
      this.#altitude.add(step, columns.altitudeM[at] as number);
    }
  }

  series(): Series {
    return {
      speedMin: nullable(this.#speedMin),
      speedMax: nullable(this.#speedMax),
      altitude: this.#altitude.all(),
      fuelLiters: this.#fuel.all(),
      cabinCelsius: this.#cabin.all(),
      ignition: this.#ignition.all(),
      signal: this.#signal.all(),
    };
  }

  #addSpeed(step: number, speedKmh: number): void {
    if (Number.isNaN(speedKmh)) return;
    const [least, most] = [this.#speedMin[step] as number, this.#speedMax[step] as number];
    if (!(speedKmh >= least)) this.#speedMin[step] = speedKmh;
    if (!(speedKmh <= most)) this.#speedMax[step] = speedKmh;
  }
}

/** Means of the steps; values that are not a number don't count. */
class Means {
  readonly #sums: Float64Array;
  readonly #counts: Uint32Array;

  constructor(steps: number) {
    this.#sums = new Float64Array(steps);
    this.#counts = new Uint32Array(steps);
  }

  add(step: number, value: number): void {
    if (Number.isNaN(value) || step >= this.#sums.length) return;
    this.#sums[step] = (this.#sums[step] as number) + value;
    this.#counts[step] = (this.#counts[step] as number) + 1;
  }

  all(): (number | null)[] {
    return nullable(this.#sums.map((sum, step) => sum / (this.#counts[step] as number)));
  }
}

/** The ignition state of a position counts until the next one, unless there is a gap before that. */
class IgnitionShare {
  readonly #fromMs: number;
  readonly #stepMs: number;
  readonly #knownMs: Float64Array;
  readonly #onMs: Float64Array;
  /** State of the last position of each step, for steps in which no time between two positions counts. */
  readonly #said: Float64Array;
  #lastMs = Number.NEGATIVE_INFINITY;
  #wasOn = false;

  constructor(steps: number, { fromMs, stepMs }: { readonly fromMs: number; readonly stepMs: number }) {
    this.#fromMs = fromMs;
    this.#stepMs = stepMs;
    this.#knownMs = new Float64Array(steps);
    this.#onMs = new Float64Array(steps);
    this.#said = new Float64Array(steps).fill(Number.NaN);
  }

  add(step: number, atMs: number, isOn: boolean): void {
    if (atMs - this.#lastMs <= TRACK_GAP_MS) this.#hold(this.#lastMs, atMs);
    this.#said[step] = isOn ? 1 : 0;
    this.#lastMs = atMs;
    this.#wasOn = isOn;
  }

  all(): (number | null)[] {
    const shareOf = (onMs: number, step: number): number => {
      const knownMs = this.#knownMs[step] as number;
      return knownMs > 0 ? onMs / knownMs : (this.#said[step] as number);
    };
    return nullable(this.#onMs.map(shareOf));
  }

  #hold(fromMs: number, toMs: number): void {
    for (let atMs = fromMs; atMs < toMs; ) {
      const step = Math.floor((atMs - this.#fromMs) / this.#stepMs);
      const endMs = Math.min(toMs, this.#fromMs + (step + 1) * this.#stepMs);
      this.#count(step, endMs - atMs, this.#wasOn);
      atMs = endMs;
    }
  }

  #count(step: number, ms: number, isOn: boolean): void {
    if (step >= this.#knownMs.length) return;
    this.#knownMs[step] = (this.#knownMs[step] as number) + ms;
    if (isOn) this.#onMs[step] = (this.#onMs[step] as number) + ms;
  }
}

/** Rounded to hundredths; null for NaN. */
function nullable(values: Float64Array): (number | null)[] {
  return Array.from(values, (value) => (Number.isNaN(value) ? null : Math.round(value * 100) / 100));
}
