import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cell, type CellType, jsonOf, jsonOfText, readRow } from '../../../../../server/store/backup/cells.ts';

const TYPES = ['integer', 'real', 'text', 'blob'] as const;

const row = fc.tuple(
  fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  fc.option(fc.double().map((value) => (Object.is(value, -0) ? 0 : value))),
  fc.option(fc.string({ unit: 'binary' })),
  fc.option(fc.uint8Array()),
);

/** Cells as a database gives them back: small integers as numbers. */
function plain(cells: readonly Cell[]): unknown[] {
  return cells.map((cell) => {
    if (typeof cell === 'bigint') return Number.isSafeInteger(Number(cell)) ? Number(cell) : cell;
    return cell instanceof Uint8Array ? Buffer.from(cell) : cell;
  });
}

/** A cell as PostgreSQL writes it. */
function asText(cell: Cell): string | null {
  if (cell === null) return null;
  return cell instanceof Uint8Array ? `\\x${Buffer.from(cell).toString('hex')}` : String(cell);
}

describe('cells', () => {
  it('are read as they were written', () => {
    fc.assert(
      fc.property(row, (cells) => {
        expect(readRow(JSON.stringify(cells.map(jsonOf)), TYPES)).toEqual(plain(cells));
      }),
    );
  });

  it('are the same from both engines', () => {
    fc.assert(
      fc.property(row, (cells) => {
        const fromText = cells.map((cell, at) => jsonOfText(asText(cell), TYPES[at] as CellType));
        expect(JSON.stringify(fromText)).toBe(JSON.stringify(cells.map(jsonOf)));
      }),
    );
  });

  it.each([
    ['no array', '5'],
    ['too few', '[1,2,"a"]'],
    ['text for an integer', '["a",1,"a",""]'],
    ['an integer beyond 64 bits', '["9223372036854775808",1,"a",""]'],
    ['a small integer as text', '["5",1,"a",""]'],
    ['text for a number', '[1,"1","a",""]'],
    ['a number for text', '[1,1,1,""]'],
    ['no base64', '[1,1,"a","="]'],
    ['an object', '[1,1,{},""]'],
    ['no JSON', '[1,1'],
  ])('of no writer are refused: %s', (_name, line) => {
    expect(readRow(line, TYPES)).toBeUndefined();
  });
});
