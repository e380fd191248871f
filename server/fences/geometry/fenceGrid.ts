// Finds things that may be at a place, by their boxes: grids of cells of several sizes, with each box in the grid where it covers a
// few cells.
import type { Box } from './shape.ts';

interface Boxed {
  readonly box: Box;
}

interface Entry<Thing> {
  readonly thing: Thing;
  /** The query that it was last given in answer to: it may lie in several cells. */
  asked: number;
}

interface Level<Thing> {
  readonly cellDegrees: number;
  readonly columns: number;
  readonly cells: Map<number, Entry<Thing>[]>;
}

const FINEST_DEGREES = 0.01;
const COARSENING = 4;
const LEVELS = 9;
/** Cells that a box covers at most, in each direction. */
const CELLS_A_BOX = 4;
const ROW = 65_536;

export class FenceGrid<Thing extends Boxed> {
  readonly #levels: readonly Level<Thing>[];
  #asked = 0;

  constructor(things: Iterable<Thing>) {
    const levels = Array.from({ length: LEVELS }, (_, at) => emptyLevel<Thing>(FINEST_DEGREES * COARSENING ** at));
    for (const thing of things) put(thing, levels);
    this.#levels = levels.filter(({ cells }) => cells.size > 0);
  }

  /** Visits each thing whose box may have a point in common with this one, once. */
  visit(box: Box, take: (thing: Thing) => void): void {
    const asked = ++this.#asked;
    for (const level of this.#levels) {
      const { cells, columns } = level;
      const { firstRow, lastRow, firstColumn, count } = cellsOf(box, level);
      for (let row = firstRow; row <= lastRow; row++) {
        for (let at = 0; at < count; at++) {
          const entries = cells.get(row * ROW + ((firstColumn + at) % columns));
          if (entries === undefined) continue;
          for (const entry of entries) {
            if (entry.asked === asked) continue;
            entry.asked = asked;
            take(entry.thing);
          }
        }
      }
    }
  }
}

function emptyLevel<Thing>(cellDegrees: number): Level<Thing> {
  return { cellDegrees, columns: Math.max(1, Math.ceil(360 / cellDegrees)), cells: new Map() };
}

function put<Thing extends Boxed>(thing: Thing, levels: readonly Level<Thing>[]): void {
  const { south, west, north, east } = thing.box;
  const size = Math.max(north - south, east - west);
  const level = levels.find(({ cellDegrees }) => size <= cellDegrees * (CELLS_A_BOX - 1)) ?? levels.at(-1);
  if (level === undefined) return;
  const entry = { thing, asked: 0 };
  const { firstRow, lastRow, firstColumn, count } = cellsOf(thing.box, level);
  for (let row = firstRow; row <= lastRow; row++) {
    for (let at = 0; at < count; at++) {
      const key = row * ROW + ((firstColumn + at) % level.columns);
      const entries = level.cells.get(key);
      if (entries === undefined) level.cells.set(key, [entry]);
      else entries.push(entry);
    }
  }
}

interface Cells {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  /** Number of columns; they continue with the first one after the last. */
  readonly count: number;
}

function cellsOf(
  { south, west, north, east }: Box,
  { cellDegrees, columns }: Pick<Level<unknown>, 'cellDegrees' | 'columns'>,
): Cells {
  const firstColumn = columnOf(west, cellDegrees, columns);
  const last = columnOf(east, cellDegrees, columns);
  // A box that ends in the column in which it begins is narrow, or reaches around the earth.
  const isAround = last === firstColumn ? east - west > cellDegrees : last < firstColumn;
  return {
    firstRow: Math.floor((south + 90) / cellDegrees),
    lastRow: Math.floor((north + 90) / cellDegrees),
    firstColumn,
    count: Math.min(columns, last - firstColumn + 1 + (isAround ? columns : 0)),
  };
}

function columnOf(longitude: number, cellDegrees: number, columns: number): number {
  const turned = longitude >= 180 ? longitude - 360 : longitude;
  return Math.min(columns - 1, Math.floor((turned + 180) / cellDegrees));
}
