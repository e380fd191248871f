// The result of a report as a file: a table in a database of its own, so that it is sorted, searched and read in parts. Used in threads.
import { closeSync, fsyncSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { ReportColumnType } from '../../../shared/protocol/reports/reportWords.ts';
import type { ReportRowValues, ReportValue } from '../reportKind.ts';

export interface ResultBounds {
  readonly maxRows: number;
  readonly maxBytes: number;
}

export interface WrittenResult {
  readonly rows: number;
  readonly bytes: number;
  readonly isCut: boolean;
}

/** The file would be larger than all results together may be. */
export class ResultTooLarge extends Error {
  override readonly name = 'ResultTooLarge';
}

export interface ResultWriter {
  readonly rows: number;
  /** False once the result has the maximum number of rows. */
  add(rows: readonly ReportRowValues[]): boolean;
  finish(): WrittenResult;
}

export function createResult(path: string, columns: number, { maxRows, maxBytes }: ResultBounds): ResultWriter {
  const database = new Database(path);
  // A partial result is deleted by whoever finds it, so no journal is needed.
  database.pragma('journal_mode = OFF');
  database.pragma('synchronous = OFF');
  const names = Array.from({ length: columns }, (_, at) => columnName(at));
  database.exec(
    `create table result (row integer primary key, device text, device_group integer, ${names.join(', ')})`,
  );
  const insert = database.prepare(`insert into result values (?, ?, ?, ${names.map(() => '?').join(', ')})`);
  let count = 0;
  let isCut = false;
  const bytes = (): number =>
    Number(database.pragma('page_count', { simple: true })) * Number(database.pragma('page_size', { simple: true }));
  const addAll = database.transaction((rows: readonly ReportRowValues[]) => {
    for (const { deviceId, deviceGroup = 0, values } of rows) insert.run(++count, deviceId, deviceGroup, ...values);
  });
  return {
    get rows() {
      return count;
    },
    add: (rows) => {
      const room = maxRows - count;
      isCut ||= rows.length > room;
      addAll(rows.length > room ? rows.slice(0, room) : rows);
      if (bytes() > maxBytes) throw new ResultTooLarge();
      return !isCut;
    },
    finish: () => {
      const written = { rows: count, bytes: bytes(), isCut };
      database.close();
      sync(path);
      return written;
    },
  };
}

/** After a power cut, a job must not be done while its file is incomplete. */
function sync(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export interface ResultColumn {
  readonly name: string;
  readonly type: ReportColumnType;
}

/** The rows that a reader may see. Rows without a device or group are visible to all who have the result. */
export interface Visible {
  readonly devices: readonly string[];
  readonly deviceGroups: readonly number[];
}

export interface ResultPageQuery {
  readonly columns: readonly ResultColumn[];
  readonly visible: Visible;
  /** A column's number; undefined: the order of the report. */
  readonly sort: number | undefined;
  readonly descending: boolean;
  /** '' for no search. */
  readonly search: string;
  /** Devices whose names contain the searched text. */
  readonly searchedDevices: readonly string[];
  readonly offset: number;
  readonly limit: number;
}

interface StoredRow {
  readonly row: number;
  readonly deviceId: string;
  readonly values: readonly ReportValue[];
}

export interface ResultPage {
  readonly rows: readonly StoredRow[];
  /** Number of rows that match the search. */
  readonly total: number;
  readonly hidden: number;
}

export interface ResultReader {
  page(query: ResultPageQuery): ResultPage;
  /** Bars of the sums, in the order of `by`, or the largest sums if there are too many. */
  chart(columns: { readonly by: number; readonly value: number; readonly most: number }, visible: Visible): ChartBar[];
  /** Rows after a given one, in the order of the report. */
  rowsAfter(row: number, visible: Visible, limit: number): readonly StoredRow[];
  close(): void;
}

export interface ChartBar {
  readonly by: string;
  readonly value: number;
}

const SEEN = `(device = '' or device in (select value from json_each(@devices)))
  and (device_group = 0 or device_group in (select value from json_each(@groups)))`;

/** Types of columns whose values are searched as stored. */
const SEARCHED: ReadonlySet<ReportColumnType> = new Set(['text', 'code', 'event-type', 'day']);

export function openResult(path: string): ResultReader {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  database.pragma('query_only = ON');
  const count = (where: string, parameters: object): number =>
    Number(database.prepare(`select count(*) from result where ${where}`).pluck().get(parameters));
  return {
    page: (query) => {
      const parameters = { ...visibility(query.visible), ...searchParameters(query) };
      const where = `${SEEN}${searchOf(query)}`;
      const { limit, offset } = query;
      const rows = database
        .prepare(`select * from result where ${where} order by ${orderOf(query)} limit @limit offset @offset`)
        .raw()
        .all({ ...parameters, limit, offset });
      const hidden = count('true', {}) - count(SEEN, visibility(query.visible));
      return { rows: rows.map(toRow), total: count(where, parameters), hidden };
    },
    chart: ({ by, value, most }, visible) => {
      const [name, sum] = [columnName(by), `sum(${columnName(value)})`];
      const bars = `select ${name} as by, ${sum} as value from result where ${SEEN} and ${columnName(value)} is not null group by ${name}`;
      return database
        .prepare(`select * from (${bars} order by value desc limit @most) order by by`)
        .all({ ...visibility(visible), most })
        .map((row) => {
          const bar = row as { readonly by: ReportValue; readonly value: number };
          return { by: String(bar.by ?? ''), value: bar.value };
        });
    },
    rowsAfter: (row, visible, limit) =>
      database
        .prepare(`select * from result where row > @row and ${SEEN} order by row limit @limit`)
        .raw()
        .all({ ...visibility(visible), row, limit })
        .map(toRow),
    close: () => database.close(),
  };
}

function columnName(at: number): string {
  return `c${at}`;
}

function visibility({ devices, deviceGroups }: Visible) {
  return { devices: JSON.stringify(devices), groups: JSON.stringify(deviceGroups) };
}

function orderOf({ sort, descending }: ResultPageQuery): string {
  const direction = descending ? 'desc' : 'asc';
  if (sort === undefined) return `row ${direction}`;
  // Empty values are last in both directions.
  const name = columnName(sort);
  return `${name} is null, ${name} collate nocase ${direction}, row ${direction}`;
}

function searchOf({ search, columns }: ResultPageQuery): string {
  if (search === '') return '';
  const texts = columns.flatMap(({ type }, at) => (SEARCHED.has(type) ? [at] : []));
  const found = texts.map((at) => `lower(${columnName(at)}) like @search escape '\\'`);
  const device = `lower(device) like @search escape '\\' or device in (select value from json_each(@named))`;
  return ` and (${[...found, device].join(' or ')})`;
}

function searchParameters({ search, searchedDevices }: ResultPageQuery) {
  if (search === '') return {};
  const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return { search: pattern, named: JSON.stringify(searchedDevices) };
}

function toRow(cells: unknown): StoredRow {
  const [row, deviceId, , ...values] = cells as [number, string, number, ...ReportValue[]];
  return { row, deviceId, values };
}
