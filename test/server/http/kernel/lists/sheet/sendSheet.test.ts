import { buffer } from 'node:stream/consumers';
import readSheets from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { writeSheet } from '../../../../../../server/http/kernel/lists/sheet/sendSheet.ts';
import type { SheetCell } from '../../../../../../server/http/kernel/lists/sheet/sheetXml.ts';

type Row = readonly SheetCell[];

async function* inBatches(rows: readonly Row[], size = 2) {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

async function written(rows: readonly Row[], rowsASheet?: number) {
  const columns = [
    { title: 'Text & more', width: 10 },
    { title: 'Number', width: 5 },
  ];
  const layout = { title: 'Events: [all]', columns, cells: (row: Row) => row };
  return readSheets(await buffer(writeSheet({ ...layout, batches: inBatches(rows) }, rowsASheet)));
}

describe('a spreadsheet', () => {
  it('has texts, numbers and moments that another program reads as such', async () => {
    const moment = Date.UTC(2026, 10, 23, 8, 30, 15);
    const sheets = await written([
      ['=1+1', 92.5],
      ['陳 <大> "文"', null],
      ['bad \u0001 \ud800 end', -3],
      [{ wallMs: moment }, 0],
    ]);
    expect(sheets).toEqual([
      {
        sheet: 'Events   all ',
        data: [
          ['Text & more', 'Number'],
          ['=1+1', 92.5],
          ['陳 <大> "文"', null],
          ['bad \ufffd \ufffd end', -3],
          [new Date(moment), 0],
        ],
      },
    ]);
  });

  it('goes on in another sheet where one is full, and has none that is empty', async () => {
    const rows = Array.from({ length: 6 }, (_, at) => [`row ${at}`, at]);
    expect((await written(rows, 3)).map(({ sheet, data }) => [sheet, data.length])).toEqual([
      ['Events   all ', 4],
      ['Events   all  2', 4],
    ]);
    expect((await written([], 3)).map(({ data }) => data.length)).toEqual([1]);
  });

  it('breaks off when its rows cannot be read', async () => {
    const failing = async function* (): AsyncGenerator<readonly Row[]> {
      yield [['a', 1]];
      throw new Error('the database is away');
    };
    const layout = { title: 'x', columns: [], cells: (row: Row) => row };
    await expect(buffer(writeSheet({ ...layout, batches: failing() }))).rejects.toThrow('the database is away');
  });
});
