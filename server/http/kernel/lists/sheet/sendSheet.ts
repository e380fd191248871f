// Spreadsheets that are written as they are downloaded: rows are forgotten once they are sent.
import { PassThrough, Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { createArchive } from '../../../../faults/archive.ts';
import { guardStream } from '../../../../faults/streams.ts';
import {
  SHEET_END,
  type SheetCell,
  type SheetColumn,
  sheetHead,
  sheetPart,
  sheetRow,
  workbookParts,
} from './sheetXml.ts';

export interface SheetLayout<Row> {
  /** What the sheet is called. */
  readonly title: string;
  readonly columns: readonly SheetColumn[];
  readonly cells: (row: Row) => readonly SheetCell[];
}

export interface Sheet<Row> extends SheetLayout<Row> {
  readonly batches: AsyncIterable<readonly Row[]>;
}

/** What programs open; further rows go into another sheet. */
const ROWS_A_SHEET = 1_048_575;
/** The head is the first line of a sheet. */
const FIRST_ROW = 2;
const CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export function sendSheet<Row>(reply: FastifyReply, fileName: string, sheet: Sheet<Row>): FastifyReply {
  return reply
    .type(CONTENT_TYPE)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .serializer((payload: unknown) => payload as string)
    .send(writeSheet(sheet));
}

/** What fails while rows are read breaks the file off. */
export function writeSheet<Row>(sheet: Sheet<Row>, rowsASheet = ROWS_A_SHEET): Readable {
  const body = guardStream(new PassThrough());
  const fail = (error: unknown): void => void body.destroy(error instanceof Error ? error : new Error(String(error)));
  const archive = createArchive(fail);
  const rows = new RowReader(sheet);
  const addSheet = (number: number): void => {
    const texts = guardStream(Readable.from(sheetTexts(sheet, rows, rowsASheet), { objectMode: false }));
    texts.once('error', fail);
    // The archive's other parts name the sheets, and how many there are is known behind the last one.
    texts.once('end', () => (rows.isAtEnd ? finish(number) : addSheet(number + 1)));
    body.once('close', () => texts.destroy());
    archive.addReadStream(texts, sheetPart(number));
  };
  const finish = (sheets: number): void => {
    for (const [name, text] of Object.entries(workbookParts(sheet.title, sheets))) {
      archive.addBuffer(Buffer.from(text), name);
    }
    archive.end();
  };
  addSheet(1);
  archive.outputStream.pipe(body);
  return body;
}

/** Rows one by one, over several sheets. */
class RowReader<Row> {
  readonly #batches: AsyncIterator<readonly Row[]>;
  #batch: readonly Row[] = [];
  #at = 0;
  isAtEnd = false;

  constructor({ batches }: Sheet<Row>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** Rows that are available, at most `most`; none at the end. */
  async take(most: number): Promise<readonly Row[]> {
    await this.look();
    const rows = this.#batch.slice(this.#at, this.#at + most);
    this.#at += rows.length;
    return rows;
  }

  /** Finds out whether there are more. */
  async look(): Promise<void> {
    while (this.#at >= this.#batch.length && !this.isAtEnd) {
      const next = await this.#batches.next();
      this.#batch = next.done === true ? [] : next.value;
      this.#at = 0;
      this.isAtEnd = next.done === true;
    }
  }
}

async function* sheetTexts<Row>(
  { columns, cells }: SheetLayout<Row>,
  reader: RowReader<Row>,
  rowsASheet: number,
): AsyncGenerator<string> {
  yield sheetHead(columns);
  for (let written = 0; written < rowsASheet; ) {
    const rows = await reader.take(rowsASheet - written);
    if (rows.length === 0) break;
    const first = FIRST_ROW + written;
    yield rows.map((row, at) => sheetRow(cells(row), first + at)).join('');
    written += rows.length;
  }
  await reader.look();
  yield SHEET_END;
}
