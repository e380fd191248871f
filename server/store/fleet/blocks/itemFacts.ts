// What four of the additional items say, for reports and charts. Rows from before there were columns for them have the items alone.
import type { Fact } from './storedPosition.ts';

export interface ItemFact {
  readonly id: number;
  /** Bytes. In another length it is an item of some vendor's own. */
  readonly length: number;
  readonly read: (value: number) => number;
}

const SIGN_BIT = 0x8000;

export const ITEM_FACTS: Readonly<Record<Fact, ItemFact>> = {
  mileageKm: { id: 0x01, length: 4, read: (value) => value / 10 },
  fuelLiters: { id: 0x02, length: 2, read: (value) => value / 10 },
  cabinCelsius: { id: 0x06, length: 2, read: signAndMagnitude },
  signal: { id: 0x30, length: 1, read: (value) => value },
};

function signAndMagnitude(word: number): number {
  return (word & SIGN_BIT) === 0 ? word : -(word & ~SIGN_BIT);
}

/** NaN where the items don't say. */
export function factOfItems(extra: Readonly<Record<string, unknown>>, fact: Fact): number {
  const { id, length, read } = ITEM_FACTS[fact];
  const value = extra[id];
  const isItem = typeof value === 'string' && value.length === 2 * length && /^[0-9a-f]+$/.test(value);
  return isItem ? read(Number.parseInt(value, 16)) : Number.NaN;
}
