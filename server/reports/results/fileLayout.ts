// The layout of an exported file, in addition to its rows.
import type { Readable } from 'node:stream';
import type { ReportFormat } from '../../../shared/protocol/api/reports/reports.ts';
import type { ResultColumn } from './resultFile.ts';
import type { ReportCell } from './sheetCells.ts';

export interface FileLayout {
  readonly format: ReportFormat;
  /** Title of the sheet. */
  readonly title: string;
  /** Titles of the columns. */
  readonly titles: readonly string[];
  readonly columns: readonly ResultColumn[];
}

export type FileContent = (layout: FileLayout, batches: AsyncIterable<readonly (readonly ReportCell[])[]>) => Readable;
