// Well-known text, read from left to right in one pass. Pure.
import type { LngLat } from '../../../../shared/protocol/api/fences/fences.ts';
import { decimalOf } from '../../imports/decimal.ts';
import { closedRing, type ReadGeometry } from './readFence.ts';

type Part = Exclude<ReadGeometry, undefined>;

/** Collections in collections. */
const MAX_DEPTH = 4;

/** The parts of the geometry, without empty ones; undefined for what is no well-known text. */
export function readWkt(given: string): Part[] | undefined {
  const reader = new WktReader(given);
  const parts = reader.geometry(0);
  return reader.isAtEnd() ? parts : undefined;
}

const SRID = /^\s{0,16}SRID=\d{1,6};/i;
const BLANKS: ReadonlySet<string> = new Set([' ', '\t', '\r', '\n', '\u00a0']);
const DIMENSIONS: ReadonlySet<string> = new Set(['Z', 'M', 'ZM']);
const TYPES: ReadonlySet<string> = new Set([
  'POINT',
  'LINESTRING',
  'POLYGON',
  'MULTIPOINT',
  'MULTILINESTRING',
  'MULTIPOLYGON',
  'GEOMETRYCOLLECTION',
]);

class WktReader {
  readonly #text: string;
  #at: number;

  constructor(text: string) {
    this.#text = text;
    this.#at = SRID.exec(text)?.[0].length ?? 0;
  }

  isAtEnd(): boolean {
    this.#skipBlanks();
    return this.#at === this.#text.length;
  }

  geometry(depth: number): Part[] | undefined {
    const type = typeOf(this.#word());
    if (DIMENSIONS.has(this.#peekWord())) this.#word();
    if (this.#peekWord() === 'EMPTY') {
      this.#word();
      return type === undefined ? undefined : [];
    }
    switch (type) {
      case 'POINT':
        return this.#points((reader) => reader.#position(), 1);
      case 'MULTIPOINT':
        return this.#points((reader) => reader.#memberOfMultiPoint());
      case 'LINESTRING':
        return this.#lines(this.#positions());
      case 'MULTILINESTRING':
        return this.#lines(...(this.#list((reader) => reader.#positions()) ?? [undefined]));
      case 'POLYGON':
        return this.#polygons(this.#rings());
      case 'MULTIPOLYGON':
        return this.#polygons(...(this.#list((reader) => reader.#rings()) ?? [undefined]));
      case 'GEOMETRYCOLLECTION':
        return depth >= MAX_DEPTH ? undefined : this.#list((reader) => reader.geometry(depth + 1))?.flat();
      default:
        return undefined;
    }
  }

  #points(read: (reader: WktReader) => LngLat | 'empty' | undefined, most?: number): Part[] | undefined {
    const positions = this.#list(read)?.filter((position) => position !== 'empty');
    if (positions === undefined || (most !== undefined && positions.length > most)) return undefined;
    return positions.map((coordinates) => ({ type: 'Point', coordinates }));
  }

  #lines(...lines: readonly (readonly LngLat[] | undefined)[]): Part[] | undefined {
    const known = lines.filter((line) => line !== undefined);
    if (known.length < lines.length) return undefined;
    return known
      .filter((line) => line.length > 0)
      .map((coordinates): Part => ({ type: 'LineString', coordinates: [...coordinates] }));
  }

  #polygons(...polygons: readonly (readonly LngLat[][] | undefined)[]): Part[] | undefined {
    const known = polygons.filter((polygon) => polygon !== undefined);
    if (known.length < polygons.length) return undefined;
    return known
      .filter(([outer = []]) => outer.length > 0)
      .map((rings): Part => ({ type: 'Polygon', coordinates: rings.map(closedRing) }));
  }

  #rings(): LngLat[][] | undefined {
    return this.#list((reader) => reader.#positions());
  }

  #positions(): LngLat[] | undefined {
    return this.#list((reader) => reader.#position());
  }

  /** Written with brackets of its own, or without. */
  #memberOfMultiPoint(): LngLat | 'empty' | undefined {
    if (this.#peekWord() === 'EMPTY') {
      this.#word();
      return 'empty';
    }
    if (!this.#take('(')) return this.#position();
    const position = this.#position();
    return this.#take(')') ? position : undefined;
  }

  /** Longitude before latitude; further numbers are ignored. */
  #position(): LngLat | undefined {
    const numbers: number[] = [];
    for (;;) {
      this.#skipBlanks();
      const sign = this.#text.charAt(this.#at);
      if (sign === ',' || sign === ')' || sign === '') break;
      const number = decimalOf(this.#untilBreak());
      if (number === undefined || numbers.length === 4) return undefined;
      numbers.push(number);
    }
    const [lng, lat] = numbers;
    return lng === undefined || lat === undefined ? undefined : [lng, lat];
  }

  /** What stands in brackets with commas between; none for `EMPTY`. */
  #list<Item>(read: (reader: WktReader) => Item | undefined): Item[] | undefined {
    if (this.#peekWord() === 'EMPTY') {
      this.#word();
      return [];
    }
    if (!this.#take('(')) return undefined;
    const items: Item[] = [];
    do {
      const item = read(this);
      if (item === undefined) return undefined;
      items.push(item);
    } while (this.#take(','));
    return this.#take(')') ? items : undefined;
  }

  #take(sign: string): boolean {
    this.#skipBlanks();
    if (this.#text.charAt(this.#at) !== sign) return false;
    this.#at++;
    return true;
  }

  /** The next word in capitals; '' where there is none. */
  #peekWord(): string {
    const before = this.#at;
    const word = this.#word();
    this.#at = before;
    return word;
  }

  #word(): string {
    this.#skipBlanks();
    const [word = ''] = /^[A-Za-z]{1,24}/.exec(this.#text.slice(this.#at, this.#at + 24)) ?? [];
    this.#at += word.length;
    return word.toUpperCase();
  }

  #untilBreak(): string {
    const from = this.#at;
    while (this.#at < this.#text.length && !isBreak(this.#text.charAt(this.#at))) this.#at++;
    return this.#text.slice(from, this.#at);
  }

  #skipBlanks(): void {
    while (BLANKS.has(this.#text.charAt(this.#at))) this.#at++;
  }
}

function isBreak(sign: string): boolean {
  return sign === ',' || sign === '(' || sign === ')' || BLANKS.has(sign);
}

/** Some programs write the dimensions into the word: `POINTZ`. */
function typeOf(word: string): string | undefined {
  return [word, word.replace(/(?:ZM|Z|M)$/, '')].find((each) => TYPES.has(each));
}
