// What is asked of the thread that reads results. It keeps the files of running downloads open, and opens the others for one answer.
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FileContent, FileLayout } from './fileLayout.ts';
import {
  type ChartBar,
  openResult,
  type ResultPage,
  type ResultPageQuery,
  type ResultReader,
  type Visible,
} from './resultFile.ts';
import { type CellWords, createCells, type ReportCell, type RowCells } from './sheetCells.ts';

export type ResultRequest =
  | { readonly type: 'page'; readonly file: string; readonly query: ResultPageQuery }
  | {
      readonly type: 'chart';
      readonly file: string;
      readonly columns: { readonly by: number; readonly value: number; readonly most: number };
      readonly visible: Visible;
    }
  | {
      readonly type: 'begin';
      readonly file: string;
      readonly download: number;
      readonly layout: FileLayout;
      readonly visible: Visible;
      readonly words: CellWords;
    }
  | { readonly type: 'next'; readonly download: number }
  | { readonly type: 'end'; readonly download: number };

/** By the type of the request. */
export interface ResultAnswers {
  readonly page: ResultPage;
  readonly chart: readonly ChartBar[];
  readonly begin: null;
  /** A part of the file; null at its end. */
  readonly next: Uint8Array | null;
  readonly end: null;
}
export type ResultAnswer = ResultAnswers[keyof ResultAnswers];

interface Download {
  readonly result: ResultReader;
  readonly content: Readable;
  readonly parts: AsyncIterator<Uint8Array>;
}

/** Rows of one statement. */
const ROWS_AT_ONCE = 500;

export function createResultRequests(
  contentOf: FileContent,
): (request: ResultRequest) => ResultAnswer | Promise<ResultAnswer> {
  const downloads = new Map<number, Download>();
  return (request) => {
    switch (request.type) {
      case 'page':
        return withResult(request.file, (result) => result.page(request.query));
      case 'chart':
        return withResult(request.file, (result) => result.chart(request.columns, request.visible));
      case 'begin': {
        const { layout, visible, words } = request;
        const result = openResult(request.file);
        const content = contentOf(layout, cellsOf(result, visible, createCells(layout.columns, words)));
        downloads.set(request.download, { result, content, parts: content[Symbol.asyncIterator]() });
        return null;
      }
      case 'next':
        return nextPart(downloads.get(request.download));
      case 'end':
        end(downloads.get(request.download));
        downloads.delete(request.download);
        return null;
    }
  };
}

async function* cellsOf(
  result: ResultReader,
  visible: Visible,
  cells: RowCells,
): AsyncGenerator<readonly (readonly ReportCell[])[]> {
  let lastRow = 0;
  for (;;) {
    const rows = result.rowsAfter(lastRow, visible, ROWS_AT_ONCE);
    const last = rows.at(-1);
    if (last === undefined) return;
    lastRow = last.row;
    yield rows.map(({ values }) => cells(values));
    // Pages that are asked for meanwhile come in between.
    await nextTurn();
  }
}

async function nextPart(download: Download | undefined): Promise<Uint8Array | null> {
  // The thread was started again since.
  if (download === undefined) throw new Error('the download is over');
  const { done, value } = await download.parts.next();
  return done === true ? null : value;
}

/** No row is read any more once its file is closed. */
function end(download: Download | undefined): void {
  download?.content.destroy();
  download?.result.close();
}

function withResult<Answer>(file: string, read: (result: ResultReader) => Answer): Answer {
  const result = openResult(file);
  try {
    return read(result);
  } finally {
    result.close();
  }
}
