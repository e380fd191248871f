import type { PositionStore } from '../store/fleet/positions.ts';
import type { SamplesOf } from './reportKind.ts';

/** Bit of the status word. */
const IGNITION_BIT = 1;
const FIELDS = ['statusBits', 'fuelLiters', 'cabinCelsius'] as const;

/** Works with every way of storing positions. */
export function createSamplesOf({ columns }: Pick<PositionStore, 'columns'>): SamplesOf {
  return async function* (incarnation, { fromMs, toMs }) {
    const span = { fromMs: bounded(fromMs), toMs: bounded(toMs) };
    for await (const { deviceTimeMs, statusBits, fuelLiters, cabinCelsius } of columns(incarnation, span, FIELDS)) {
      yield Array.from(deviceTimeMs, (atMs, at) => ({
        deviceTimeMs: atMs,
        isIgnitionOn: ((statusBits[at] ?? 0) & IGNITION_BIT) !== 0,
        fuelLiters: numberOr(fuelLiters[at]),
        cabinCelsius: numberOr(cabinCelsius[at]),
      }));
    }
  };
}

/** NaN stands for a value that wasn't reported. */
function numberOr(value = Number.NaN): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

/** Spans of a clock that was never measured have infinite bounds, which no column can be compared with. */
function bounded(ms: number): number {
  return Math.min(Math.max(Math.round(ms), 0), Number.MAX_SAFE_INTEGER);
}
