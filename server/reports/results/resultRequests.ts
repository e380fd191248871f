// What is asked of the thread that reads results. It keeps the files of running downloads open, and opens the others for one answer.

import {
  type ChartBar,
  openResult,
  type ResultColumn,
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
      readonly columns: readonly ResultColumn[];
      readonly visible: Visible;
      readonly words: CellWords;
    }
  | { readonly type: 'next'; readonly download: number; readonly limit: number }
  | { readonly type: 'end'; readonly download: number };

/** By the type of the request. */
export interface ResultAnswers {
  readonly page: ResultPage;
  readonly chart: readonly ChartBar[];
  readonly begin: null;
  /** Empty at the end. */
  readonly next: readonly (readonly ReportCell[])[];
  readonly end: null;
}
export type ResultAnswer = ResultAnswers[keyof ResultAnswers];

interface Download {
  readonly result: ResultReader;
  readonly visible: Visible;
  readonly cells: RowCells;
  lastRow: number;
}

export function createResultRequests(): (request: ResultRequest) => ResultAnswer {
  const downloads = new Map<number, Download>();
  return (request) => {
    switch (request.type) {
      case 'page':
        return withResult(request.file, (result) => result.page(request.query));
      case 'chart':
        return withResult(request.file, (result) => result.chart(request.columns, request.visible));
      case 'begin': {
        const { visible, columns, words } = request;
        const download = { result: openResult(request.file), visible, cells: createCells(columns, words), lastRow: 0 };
        downloads.set(request.download, download);
        return null;
      }
      case 'next':
        return nextCells(downloads.get(request.download), request.limit);
      case 'end':
        downloads.get(request.download)?.result.close();
        downloads.delete(request.download);
        return null;
    }
  };
}

function nextCells(download: Download | undefined, limit: number): readonly (readonly ReportCell[])[] {
  // The thread was started again since.
  if (download === undefined) throw new Error('the download is over');
  const rows = download.result.rowsAfter(download.lastRow, download.visible, limit);
  download.lastRow = rows.at(-1)?.row ?? download.lastRow;
  return rows.map(({ values }) => download.cells(values));
}

function withResult<Answer>(file: string, read: (result: ResultReader) => Answer): Answer {
  const result = openResult(file);
  try {
    return read(result);
  } finally {
    result.close();
  }
}
