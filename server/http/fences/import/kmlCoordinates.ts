// Coordinates of KML (OGC 12-007r2, 16.10): longitude, latitude and an altitude with commas between them, and blanks between positions.
// Google Earth also reads files with commas between everything, with commas before or behind a position, and with blanks beside commas. Pure.
import type { LngLat } from '../../../../shared/protocol/api/fences/fences.ts';
import { decimalOf } from '../../imports/decimal.ts';

export type ReadCoordinates =
  | { readonly ok: true; readonly positions: readonly LngLat[] }
  /** `number`: of the position that can't be read, from 1. */
  | { readonly ok: false; readonly number: number; readonly text: string };

type Numbers = readonly number[];

export function readCoordinates(text: string): ReadCoordinates {
  const positions: LngLat[] = [];
  for (const word of wordsOf(text)) {
    const numbers = numbersOf(word);
    const read = numbers === undefined ? undefined : tuplesOf(numbers);
    if (read === undefined) return { ok: false, number: positions.length + 1, text: word };
    for (const position of read) positions.push(position);
  }
  return { ok: true, positions };
}

/** What has no blank in it, but for one beside a comma that joins two numbers of a position. */
function* wordsOf(text: string): Generator<string> {
  let before = '';
  for (const word of text.split(/\s/)) {
    if (word === '') continue;
    const continues = before.endsWith(',') || (word.startsWith(',') && countOf(word) < 2);
    const canGrow = before.length <= MAX_JOINED_LENGTH && countOf(before) < MAX_NUMBERS;
    if (before !== '' && continues && canGrow) before += word;
    else {
      if (before !== '') yield before;
      before = word;
    }
  }
  if (before !== '') yield before;
}

/** In characters. Three numbers are shorter; a row of commas has no end. */
const MAX_JOINED_LENGTH = 200;

/** Longitude, latitude and altitude. */
const MAX_NUMBERS = 3;

function countOf(word: string): number {
  return word.split(',').filter((part) => part !== '').length;
}

/** Undefined where one of them is absent or is no number. */
function numbersOf(word: string): Numbers | undefined {
  const parts = word.split(',');
  if (parts[0] === '') parts.shift();
  if (parts.at(-1) === '') parts.pop();
  const numbers = parts.map(decimalOf).filter((number) => number !== undefined);
  return numbers.length < parts.length ? undefined : numbers;
}

/** Of a row of numbers without a blank: with altitudes, or without. Undefined where neither reading gives places on earth. */
function tuplesOf(numbers: Numbers): readonly LngLat[] | undefined {
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
