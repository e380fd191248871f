import { Origin, type Signal } from '../../events/signals/signal.ts';

/** Event types that a fence may raise. */
export type FenceCode = 'fence-entered' | 'fence-left' | HeldCode;
export type HeldCode =
  | 'fence-inside-long'
  | 'fence-outside-long'
  | 'fence-parked'
  | 'fence-wrong-direction'
  | 'area-speeding';

interface Measured {
  readonly value?: number;
  readonly limit?: number;
  readonly sinceMs?: number;
}

export function fenceSignal(
  type: FenceCode,
  form: 'begin' | 'end' | 'momentary',
  area: number,
  measured: Measured = {},
): Signal {
  return { type, unit: 0, area, form, origin: Origin.Fence, ...measured };
}
