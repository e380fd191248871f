// A column of numbers, as the differences of whole ones: to the bit, whatever the numbers are.
import type { ByteReader, ByteWriter } from './bytes.ts';
import { CorruptBlock } from './bytes.ts';

/** Up to here the difference of two differences is still exact. */
const MAX_WHOLE = 2 ** 50;

/** Differences of the values, or differences of those: short where a value grows evenly. */
const Order = { Differences: 1, DifferencesOfDifferences: 2 } as const;

/** `scale`: what makes whole numbers of them. Those that it doesn't are kept as they are, beside the others. */
export function writeNumbers(to: ByteWriter, values: Float64Array, scale: number): void {
  const whole = new Float64Array(values.length);
  const odd: number[] = [];
  let last = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    const scaled = Math.round(value * scale);
    if (isExact(scaled, scale, value)) last = scaled;
    else odd.push(at);
    whole[at] = last;
  }
  const order = cheaperOrder(whole);
  to.varint(order);
  writeOdd(to, odd, values);
  writeDifferences(to, whole, order);
}

/** 0 with a sign has no difference from 0. */
function isExact(scaled: number, scale: number, value: number): boolean {
  return Math.abs(scaled) <= MAX_WHOLE && scaled / scale === value && !Object.is(value, -0);
}

export function readNumbers(from: ByteReader, count: number, scale: number): Float64Array {
  const order = from.varint();
  if (order !== Order.Differences && order !== Order.DifferencesOfDifferences)
    throw new CorruptBlock(`an unknown order of differences: ${order}`);
  const odd = readOdd(from, count);
  const values = new Float64Array(count);
  from.sums(values, { isTwice: order === Order.DifferencesOfDifferences, scale });
  for (const { at, value } of odd) values[at] = value;
  return values;
}

/** Goes on behind them. */
export function skipNumbers(from: ByteReader, count: number): void {
  from.skip(1);
  readOdd(from, count);
  from.skip(count);
}

/** Some numbers by their places. */
export function writeOdd(to: ByteWriter, places: readonly number[], values: Float64Array): void {
  to.varint(places.length);
  let last = 0;
  for (const at of places) {
    to.varint(at - last);
    to.float(values[at] ?? 0);
    last = at;
  }
}

export function readOdd(from: ByteReader, count: number): readonly { readonly at: number; readonly value: number }[] {
  const odd: { readonly at: number; readonly value: number }[] = [];
  let at = 0;
  for (let left = from.count(count); left > 0; left--) {
    at += from.count(count);
    if (at >= count) throw new CorruptBlock('a value of no position');
    odd.push({ at, value: from.float() });
  }
  return odd;
}

function cheaperOrder(whole: Float64Array): number {
  let [first, second] = [0, 0];
  let last = 0;
  let lastDifference = 0;
  for (let at = 0; at < whole.length; at++) {
    const difference = (whole[at] ?? 0) - last;
    first += cost(difference);
    second += cost(difference - lastDifference);
    last += difference;
    lastDifference = difference;
  }
  return first <= second ? Order.Differences : Order.DifferencesOfDifferences;
}

/** About its bits. */
function cost(difference: number): number {
  return Math.log2(1 + Math.abs(difference));
}

function writeDifferences(to: ByteWriter, whole: Float64Array, order: number): void {
  let last = 0;
  let lastDifference = 0;
  for (let at = 0; at < whole.length; at++) {
    const difference = (whole[at] ?? 0) - last;
    to.signed(order === Order.Differences ? difference : difference - lastDifference);
    last += difference;
    lastDifference = difference;
  }
}
