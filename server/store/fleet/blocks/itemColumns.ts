// The additional items of a block's positions: a column for each item, and for each position which items it has. What is not items as
// they come from the wire is kept as its text.
import { type ByteReader, type ByteWriter, CorruptBlock } from './bytes.ts';
import { factOfItems, ITEM_FACTS } from './itemFacts.ts';
import { readNumbers, writeNumbers } from './numberColumn.ts';
import type { Fact } from './storedPosition.ts';

/** Longer values are kept as bytes; up to here the difference of two numbers is exact. */
const MAX_NUMBER_BYTES = 6;
const MAX_ID = 255;
const MAX_ITEM_BYTES = 255;
const ITEM_ID = /^(?:0|[1-9]\d{0,2})$/;
const HEX = /^(?:[0-9a-f]{2})*$/;

interface ItemKind {
  readonly id: number;
  readonly length: number;
}

interface Item extends ItemKind {
  readonly hex: string;
}

/** Which items a position has. */
type Shape = readonly number[];
/** The shape of a position whose text is kept. */
const TEXT_SHAPE = 0;

/** A text of items, and what it says; undefined where it is no object. */
export interface Extra {
  readonly text: string;
  readonly parsed: Readonly<Record<string, unknown>> | undefined;
}

export function parseExtra(text: string): Extra {
  try {
    const parsed: unknown = JSON.parse(text);
    return {
      text,
      parsed: typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined,
    };
  } catch {
    return { text, parsed: undefined };
  }
}

export function writeItems(to: ByteWriter, extras: readonly Extra[]): void {
  const collected = collect(extras);
  to.varint(collected.kinds.length);
  for (const { id, length } of collected.kinds) {
    to.varint(id);
    to.varint(length);
  }
  to.varint(collected.shapes.length);
  for (const shape of collected.shapes) {
    to.varint(shape.length);
    for (const kind of shape) to.varint(kind);
  }
  writeNumbers(to, Float64Array.from(collected.shapeOf), 1);
  for (const [at, { length }] of collected.kinds.entries()) writeValues(to, collected.values[at] ?? [], length);
  for (const text of collected.texts) to.text(text);
}

interface Collected {
  readonly kinds: ItemKind[];
  readonly shapes: Shape[];
  /** For each position one more than the index of its shape, or TEXT_SHAPE. */
  readonly shapeOf: number[];
  /** Hex, for each kind. */
  readonly values: string[][];
  readonly texts: string[];
}

function collect(extras: readonly Extra[]): Collected {
  const collected: Collected = { kinds: [], shapes: [], shapeOf: [], values: [], texts: [] };
  const kindNumbers = new Map<number, number>();
  const shapeNumbers = new Map<string, number>();
  for (const extra of extras) {
    const items = itemsOf(extra);
    if (items === undefined) {
      collected.shapeOf.push(TEXT_SHAPE);
      collected.texts.push(extra.text);
      continue;
    }
    const shape = items.map((item) => addItem(collected, kindNumbers, item));
    const key = shape.join();
    let number = shapeNumbers.get(key);
    if (number === undefined) {
      number = collected.shapes.push(shape);
      shapeNumbers.set(key, number);
    }
    collected.shapeOf.push(number);
  }
  return collected;
}

function addItem({ kinds, values }: Collected, numbers: Map<number, number>, { id, length, hex }: Item): number {
  const key = id * (MAX_ITEM_BYTES + 1) + length;
  let number = numbers.get(key);
  if (number === undefined) {
    number = kinds.push({ id, length }) - 1;
    numbers.set(key, number);
    values.push([]);
  }
  values[number]?.push(hex);
  return number;
}

/** Undefined where the text would not come back to the letter. */
function itemsOf({ text, parsed }: Extra): readonly Item[] | undefined {
  if (parsed === undefined) return undefined;
  const items: Item[] = [];
  for (const [id, hex] of Object.entries(parsed)) {
    if (!ITEM_ID.test(id) || Number(id) > MAX_ID || typeof hex !== 'string' || !HEX.test(hex)) return undefined;
    if (hex.length > 2 * MAX_ITEM_BYTES) return undefined;
    items.push({ id: Number(id), length: hex.length / 2, hex });
  }
  return textOf(items.map(({ id, hex }) => [id, hex])) === text ? items : undefined;
}

function textOf(items: readonly (readonly [number, string])[]): string {
  return `{${items.map(([id, hex]) => `"${id}":"${hex}"`).join()}}`;
}

function writeValues(to: ByteWriter, values: readonly string[], length: number): void {
  if (length > MAX_NUMBER_BYTES) to.bytes(Buffer.from(values.join(''), 'hex'));
  else if (length > 0)
    writeNumbers(
      to,
      Float64Array.from(values, (hex) => Number.parseInt(hex, 16)),
      1,
    );
}

/** A kind's values in the order of the positions that have it. */
type Values = Float64Array | Uint8Array | undefined;

export class ItemColumns {
  readonly #kinds: readonly ItemKind[];
  readonly #shapes: readonly Shape[];
  readonly #shapeOf: Float64Array;
  readonly #values: readonly Values[];
  readonly #texts: readonly string[];

  /** Throws CorruptBlock. */
  constructor(from: ByteReader, count: number) {
    this.#kinds = Array.from({ length: from.count((MAX_ID + 1) * (MAX_ITEM_BYTES + 1)) }, () => {
      const id = from.count(MAX_ID);
      return { id, length: from.count(MAX_ITEM_BYTES) };
    });
    this.#shapes = Array.from({ length: from.count(count) }, () => readShape(from, this.#kinds.length));
    this.#shapeOf = readNumbers(from, count, 1);
    const having = this.#countHaving();
    this.#values = this.#kinds.map(({ length }, kind) => readValues(from, having[kind] ?? 0, length));
    const texts = this.#shapeOf.filter((shape) => shape === TEXT_SHAPE).length;
    this.#texts = Array.from({ length: texts }, () => from.text());
  }

  /** What the rows had. */
  texts(): string[] {
    return this.#each(textOf, (text) => text);
  }

  objects(): Readonly<Record<string, unknown>>[] {
    return this.#each<Readonly<Record<string, unknown>>>(
      (items) => Object.fromEntries(items),
      (text) => parseExtra(text).parsed ?? {},
    );
  }

  /** NaN where the items don't say. */
  fact(fact: Fact): Float64Array {
    const { id, length, read } = ITEM_FACTS[fact];
    const wanted = this.#kinds.findIndex((kind) => kind.id === id && kind.length === length);
    const values = this.#values[wanted];
    const hasIt = this.#shapes.map((shape) => shape.includes(wanted));
    const facts = new Float64Array(this.#shapeOf.length).fill(Number.NaN);
    let [next, nextText] = [0, 0];
    for (const [at, number] of this.#shapeOf.entries()) {
      if (number === TEXT_SHAPE) facts[at] = factOfItems(parseExtra(this.#texts[nextText++] ?? '').parsed ?? {}, fact);
      else if (hasIt[number - 1] === true) facts[at] = read(Number(values?.[next++] ?? 0));
    }
    return facts;
  }

  #countHaving(): number[] {
    const having = this.#kinds.map(() => 0);
    for (const number of this.#shapeOf) {
      const shape = this.#shapes[number - 1];
      if (shape === undefined && number !== TEXT_SHAPE) throw new CorruptBlock('items of an unknown shape');
      for (const kind of shape ?? []) having[kind] = (having[kind] ?? 0) + 1;
    }
    return having;
  }

  #each<Made>(ofItems: (items: [number, string][]) => Made, ofText: (text: string) => Made): Made[] {
    const nextOf = this.#kinds.map(() => 0);
    let nextText = 0;
    const hexOf = (kind: number): [number, string] => {
      const next = nextOf[kind] ?? 0;
      nextOf[kind] = next + 1;
      const { id, length } = this.#kinds[kind] ?? { id: 0, length: 0 };
      return [id, hexAt(this.#values[kind], next, length)];
    };
    return Array.from(this.#shapeOf, (number) => {
      const shape = this.#shapes[number - 1];
      return shape === undefined ? ofText(this.#texts[nextText++] ?? '{}') : ofItems(shape.map(hexOf));
    });
  }
}

function readShape(from: ByteReader, kinds: number): Shape {
  return Array.from({ length: from.count(kinds) }, () => {
    const kind = from.varint();
    if (kind >= kinds) throw new CorruptBlock('an unknown item');
    return kind;
  });
}

function readValues(from: ByteReader, count: number, length: number): Values {
  if (length > MAX_NUMBER_BYTES) return from.bytes(count * length);
  return length === 0 ? undefined : readNumbers(from, count, 1);
}

function hexAt(values: Values, at: number, length: number): string {
  if (values === undefined) return '';
  if (values instanceof Float64Array) return (values[at] ?? 0).toString(16).padStart(2 * length, '0');
  return Buffer.from(values.subarray(at * length, (at + 1) * length)).toString('hex');
}
