type Cell = string | number;
export type Row = Readonly<Record<string, Cell>>;

/** Rows as a Markdown table; the columns are those of the first row. */
export function renderTable(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const line = (cells: readonly Cell[]): string => `| ${cells.join(' | ')} |`;
  const body = rows.map((row) => line(columns.map((column) => row[column] ?? '')));
  return [line(columns), line(columns.map(() => '---')), ...body].join('\n');
}
