// Coordinates of KML (OGC 12-007r2, 16.10): longitude, latitude and an altitude with commas between them, and blanks between positions.
// Google Earth also reads files with commas between everything, with commas before or after a position, and with blanks beside all
// commas. Pure.
import type { LngLat } from '../../../../shared/protocol/api/fences/fences.ts';
import { decimalOf } from '../../imports/decimal.ts';

export type ReadCoordinates =
  | { readonly ok: true; readonly positions: readonly LngLat[] }
  /** `number`: number of the position that can't be read, from 1. */
  | { readonly ok: false; readonly number: number; readonly text: string };

type Numbers = readonly number[];

export function readCoordinates(text: string): ReadCoordinates {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const canJoin = isSpaced(words) || isOnePosition(words);
  const tuples = canJoin ? joinedAtCommas(words) : words;
  const mostNumbers = canJoin ? fewestNumbers(tuples) : Number.POSITIVE_INFINITY;
  const isLed = tuples.every((tuple) => tuple.startsWith(','));
  const positions: LngLat[] = [];
  for (const tuple of tuples) {
    // A comma before only some positions means that a longitude is missing.
    const isWhole = (isLed || !tuple.startsWith(',')) && countOf(tuple) <= mostNumbers;
    const read = isWhole ? tuplesOf(numbersOf(tuple)) : undefined;
    if (read === undefined) return { ok: false, number: positions.length + 1, text: tuple };
    for (const position of read) positions.push(position);
  }
  return { ok: true, positions };
}

/**
 * Whether a blank is beside every comma. In other texts a blank ends the position: if numbers were joined there, a missing latitude would
 * be taken from the next position.
 */
function isSpaced(words: readonly string[]): boolean {
  return words.every((word) => countOf(word) <= 1);
}

/** Whether there is only one position, so that there is no neighbor to take a number from. */
function isOnePosition(words: readonly string[]): boolean {
  return words.length <= MAX_NUMBERS && words.reduce((sum, word) => sum + countOf(word), 0) <= MAX_NUMBERS;
}

function joinedAtCommas(words: readonly string[]): string[] {
  const tuples: string[][] = [];
  let before = '';
  for (const word of words) {
    const tuple = tuples.at(-1);
    if (tuple !== undefined && (before.endsWith(',') || word.startsWith(','))) tuple.push(word);
    else tuples.push([word]);
    before = word;
  }
  return tuples.map((tuple) => tuple.join(''));
}

/** A position with more numbers than another has swallowed what is left of its neighbor. */
function fewestNumbers(tuples: readonly string[]): number {
  const counts = tuples.map(countOf).filter((count) => count > 1);
  return counts.reduce((least, count) => Math.min(least, count), Number.POSITIVE_INFINITY);
}

/** Longitude, latitude and altitude. */
const MAX_NUMBERS = 3;

function countOf(word: string): number {
  return word.split(',').filter((part) => part !== '').length;
}

/** Undefined where one of the numbers is missing or can't be read. */
function numbersOf(word: string): Numbers | undefined {
  const parts = word.split(',');
  if (parts[0] === '') parts.shift();
  if (parts.at(-1) === '') parts.pop();
  const numbers = parts.map(decimalOf).filter((number) => number !== undefined);
  return numbers.length < parts.length ? undefined : numbers;
}

/** The positions in a row of numbers without a blank: with altitudes, or without. Undefined where neither reading gives places on earth. */
function tuplesOf(numbers: Numbers | undefined): readonly LngLat[] | undefined {
  if (numbers === undefined) return undefined;
  const [lng, lat] = numbers;
  if (lng === undefined || lat === undefined) return undefined;
  if (numbers.length <= MAX_NUMBERS) return [[lng, lat]];
  const readings = [3, 2].flatMap((size) => readAs(numbers, size) ?? []);
  // Positions of a fence are neighbors: the wrong reading jumps across the map.
  const [best] = readings.toSorted((one, other) => one.lengthDegrees - other.lengthDegrees);
  return best?.positions;
}

interface Reading {
  readonly positions: readonly LngLat[];
  readonly lengthDegrees: number;
}

function readAs(numbers: Numbers, size: number): Reading | undefined {
  if (numbers.length % size !== 0) return undefined;
  const positions: LngLat[] = [];
  let lengthDegrees = 0;
  for (let at = 0; at < numbers.length; at += size) {
    const [lng = 0, lat = 0] = numbers.slice(at, at + 2);
    if (Math.abs(lng) > 180 || Math.abs(lat) > 90) return undefined;
    const before = positions.at(-1);
    if (before !== undefined) lengthDegrees += Math.abs(lng - before[0]) + Math.abs(lat - before[1]);
    positions.push([lng, lat]);
  }
  return { positions, lengthDegrees };
}
